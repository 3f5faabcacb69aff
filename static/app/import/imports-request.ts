/** The request of the list of imports at an address. */
export function importsRequest({ cursor }: Record<string, string>): {
  order: 'newest'
  limit: number
  cursor?: string
} {
  return { order: 'newest', limit: 50, ...(cursor === undefined ? {} : { cursor }) }
}
