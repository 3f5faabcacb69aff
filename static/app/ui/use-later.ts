import { useEffect, useState } from 'preact/hooks'

/** A value as it was when it last stayed the same for `ms`: for calls that follow what is typed. */
export function useLater<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
