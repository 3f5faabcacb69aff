/**
 * A value that is made when it is first asked for. For what a start does not need and what is expensive: large tables,
 * and packages, which a function loads with `require` where it cannot wait.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}
