import { useEffect, useState } from 'preact/hooks'

/**
 * Whether this tab is the one that polls. When it is closed, another tab takes over. Browsers offer locks
 * in secure contexts only; without them each tab polls.
 */
export function useOneTab(name: string): boolean {
  const [isFirst, setFirst] = useState(false)
  useEffect(() => {
    const { locks } = navigator as { locks?: LockManager }
    if (!locks) return setFirst(true)
    const left = new AbortController()
    const leave: { run?: () => void } = {}
    locks
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
