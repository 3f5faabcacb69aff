import { expect, test } from 'bun:test'
import { deviceCookieIn, endedSessionCookie, sessionCookies } from '../../../src/http/core/session-cookie.ts'

const HTTPS = { base_url: 'https://a.example' }
const HTTP = { base_url: 'http://localhost:1' }
const REST = 'Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax'

test('A sign-in sets the cookie of the session and that of the device, on https for https only.', () => {
  expect(sessionCookies(HTTP, { token: 't', device: 'd' } as never)).toEqual([
    `masthead_session=t; ${REST}`,
    `masthead_device=d; ${REST}`,
  ])
  expect(sessionCookies(HTTPS, { token: 't', device: 'd' } as never)[1]).toBe(
    `__Host-masthead_device=d; ${REST}; Secure`,
  )
})

test('A sign-out empties the cookie of the session, and the device stays known.', () => {
  expect(endedSessionCookie(HTTP)).toBe('masthead_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
  const request = new Request(HTTP.base_url, { headers: { Cookie: 'masthead_device=d' } })
  expect([deviceCookieIn(HTTP, request), deviceCookieIn(HTTPS, request)]).toEqual(['d', null])
})
