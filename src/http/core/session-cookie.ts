import { SESSION_COOKIE } from '../../access/session.ts'
import type { Runtime } from '../../runtime.ts'

/** 400 days, the longest that browsers allow. The store decides when a session ends, and each use extends it. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60

export function sessionCookie(runtime: Pick<Runtime, 'base_url'>, token: string): string {
  return cookie(runtime, token, MAX_AGE_SECONDS)
}

/** Removes the cookie from the browser. */
export function endedSessionCookie(runtime: Pick<Runtime, 'base_url'>): string {
  return cookie(runtime, '', 0)
}

function cookie(runtime: Pick<Runtime, 'base_url'>, value: string, max_age: number): string {
  const secure = runtime.base_url.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${max_age}; HttpOnly; SameSite=Lax${secure}`
}
