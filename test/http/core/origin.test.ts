import { expect, test } from 'bun:test'
import { requireOwnForm, requireOwnOrigin, requireOwnPage } from '../../../src/http/core/origin.ts'

const runtime = { base_url: 'https://masthead.example' }
const local = { base_url: 'http://127.0.0.1:8787' }

const accepts = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'FORBIDDEN' })
    return false
  }
}
const request = (headers: Record<string, string | null>, method = 'POST') =>
  new Request('https://masthead.example/portal/logout', {
    method,
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
  })

test('Only the own origin may send requests that change something; a request without Origin is no browser.', () => {
  const origins = {
    'https://masthead.example': true,
    'http://masthead.example': false,
    'https://masthead.example:8443': false,
    'https://masthead.example/': false,
    'https://evil.example': false,
    'https://blog.masthead.example': false,
    'https://masthead.example.evil.example': false,
    null: false,
    '': false,
  }
  for (const [origin, isOwn] of Object.entries(origins))
    expect([origin, accepts(() => requireOwnOrigin(runtime, request({ Origin: origin })))]).toEqual([origin, isOwn])
  expect(accepts(() => requireOwnOrigin(runtime, request({})))).toBe(true)
})

test('Without Origin, a browser must say that the page was ours or that the address was typed.', () => {
  const sites = { 'same-origin': true, none: true, 'same-site': false, 'cross-site': false, '': false }
  for (const [site, isOwn] of Object.entries(sites))
    expect([site, accepts(() => requireOwnOrigin(runtime, request({ 'Sec-Fetch-Site': site })))]).toEqual([site, isOwn])
  const named = request({ Origin: 'https://masthead.example', 'Sec-Fetch-Site': 'cross-site' })
  expect(accepts(() => requireOwnOrigin(runtime, named))).toBe(true)
})

test('The names of this machine are equal, on the same port and scheme.', () => {
  const origins = {
    'http://localhost:8787': true,
    'http://[::1]:8787': true,
    'http://localhost:8788': false,
    'https://localhost:8787': false,
    'http://192.0.2.1:8787': false,
  }
  for (const [origin, isOwn] of Object.entries(origins))
    expect([origin, accepts(() => requireOwnOrigin(local, request({ Origin: origin })))]).toEqual([origin, isOwn])
  expect(accepts(() => requireOwnOrigin(runtime, request({ Origin: 'https://localhost' })))).toBe(false)
})

test('A form with our token may have an opaque origin, unless the browser names a foreign page.', () => {
  const sites: [string | null, boolean][] = [
    ['same-origin', true],
    [null, true],
    ['same-site', false],
    ['cross-site', false],
    ['none', false],
  ]
  for (const [site, isOwn] of sites) {
    const form = request({ Origin: 'null', 'Sec-Fetch-Site': site })
    expect([site, accepts(() => requireOwnForm(runtime, form))]).toEqual([site, isOwn])
  }
  expect(accepts(() => requireOwnForm(runtime, request({})))).toBe(true)
  const foreign = request({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' })
  expect(accepts(() => requireOwnForm(runtime, foreign))).toBe(false)
})

test('GET and HEAD are not checked.', () => {
  const headers = { Origin: 'https://evil.example' }
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) {
    const isRead = method === 'GET' || method === 'HEAD'
    expect([method, accepts(() => requireOwnPage(runtime, request(headers, method)))]).toEqual([method, isRead])
  }
})
