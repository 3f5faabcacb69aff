import { useEffect, useState } from 'preact/hooks'

/** Whether this tab is the one that polls. When it is closed, another tab takes over. */
export function useOneTab(name: string): boolean {
  const [isFirst, setFirst] = useState(false)
  useEffect(() => {
    const left = new AbortController()
    const leave: { run?: () => void } = {}
    navigator.locks
      .request(`masthead ${name}`, { signal: left.signal }, () => {
        setFirst(true)
        return new Promise<void>((resolve) => (leave.run = resolve))
      })
      .catch(() => undefined)
    return () => {
      leave.run?.()
      left.abort()
    }
  }, [name])
  return isFirst
}
