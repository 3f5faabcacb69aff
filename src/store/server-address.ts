/** Where a libSQL server answers, and the token to show it. */
export interface ServerAddress {
  /** Requests go to paths below it. */
  base: string
  token: string | null
}

/**
 * Reads the address of a libSQL server. `libsql:` and `wss:` mean `https:`; `ws:`, and `libsql:` with `?tls=0`, mean
 * `http:`. A token may be given as `?authToken=`. Throws for any other parameter.
 */
export function serverAddress(url: string, auth_token?: string): ServerAddress {
  const given = new URL(url)
  const { tls, authToken, ...other } = Object.fromEntries(given.searchParams)
  const [unknown] = Object.keys(other)
  if (unknown !== undefined) throw new Error(`The address of a libSQL server has no parameter ${unknown}.`)
  if (tls !== undefined && !/^[01]$/.test(tls)) throw new Error('The parameter tls is 0 or 1.')
  const { protocol } = given
  const isPlain = protocol === 'http:' || protocol === 'ws:' || (protocol === 'libsql:' && tls === '0')
  const path = given.pathname === '' ? '/' : given.pathname
  return {
    base: `${isPlain ? 'http' : 'https'}://${given.host}${path}`,
    token: authToken ?? (auth_token || null),
  }
}
