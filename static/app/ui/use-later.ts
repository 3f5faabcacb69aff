import { useEffect, useState } from 'preact/hooks'

/** The value that last stayed unchanged for `ms`: for calls that follow typing. */
export function useLater<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
