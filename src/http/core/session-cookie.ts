import { cookieIn, cookieName, SESSION_COOKIE } from '../../access/session.ts'
import type { NewSession } from '../../accounts/sign-in.ts'
import type { Runtime } from '../../runtime.ts'

const DEVICE_COOKIE = 'masthead_device'
const WAY_COOKIE = 'masthead_way'
const WAY_SECONDS = 24 * 60 * 60

/** 400 days, the longest that browsers allow. The store decides when a session ends, and each use extends it. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60

type Based = Pick<Runtime, 'base_url'>

/** The cookies of a new session: the session itself, then the device. */
export function sessionCookies(runtime: Based, { token, device }: NewSession): string[] {
  return [cookie(runtime, SESSION_COOKIE, token), cookie(runtime, DEVICE_COOKIE, device)]
}

/** Removes the session's cookie from the browser. The device stays known. */
export function endedSessionCookie(runtime: Based): string {
  return cookie(runtime, SESSION_COOKIE, '', 0)
}

/**
 * Remembers for a day where a browser was going when its user went to make an account: the link of the message leads
 * to the account only. `path` is a path of the service.
 */
export function wayCookie(runtime: Based, path: string): string {
  return cookie(runtime, WAY_COOKIE, encodeURIComponent(path), WAY_SECONDS)
}

/** The remembered path, unchecked; null without one. */
export function wayIn({ base_url }: Based, request: Request): string | null {
  const value = cookieIn(base_url, request.headers.get('cookie'), WAY_COOKIE)
  try {
    return value === null ? null : decodeURIComponent(value)
  } catch {
    return null
  }
}

/** Forgets the path. */
export function endedWayCookie(runtime: Based): string {
  return cookie(runtime, WAY_COOKIE, '', 0)
}

/** The value of the device's cookie, or null. */
export function deviceCookieIn({ base_url }: Based, request: Request): string | null {
  return cookieIn(base_url, request.headers.get('cookie'), DEVICE_COOKIE)
}

function cookie({ base_url }: Based, plain: string, value: string, max_age = MAX_AGE_SECONDS): string {
  const secure = base_url.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(base_url, plain)}=${value}; Path=/; Max-Age=${max_age}; HttpOnly; SameSite=Lax${secure}`
}
