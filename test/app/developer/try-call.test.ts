import { expect, test } from 'bun:test'
import type { Call } from '../../../src/shared/calls.ts'
import { useTab } from '../../support/tab.ts'
import { calls } from '../../../static/app/api/call-log.ts'
import { isSignedOut } from '../../../static/app/api/conditions.ts'
import { filledPath, tryCall } from '../../../static/app/developer/try-call.ts'

const tab = useTab()
const parameter = (name: string, place: string) => ({ name, in: place, required: false, schema: {} })
const call = (more: Partial<Call> = {}): Call => ({
  ...{ name: 'lists/list', group: 'lists', anchor: '', method: 'POST', summary: '', description: '' },
  ...{ path: '/general/api/v1/newsletter/lists/list', auth: 'key', scope: null, needs_key: false, parameters: [] },
  ...{ body: {}, body_type: 'application/json', answer: {}, refusals: [] },
  ...{ example: { name: 'Weekly' }, answer_example: null },
  ...more,
})
const trial = (more: object = {}) => ({ call: call(), credential: null, values: {}, body: { limit: 1 }, ...more })

/** Takes what is asked of the network, and answers it. */
function network(text: string, init: ResponseInit = {}): { url: string; request: RequestInit }[] {
  const asked: { url: string; request: RequestInit }[] = []
  globalThis.fetch = ((url: string, request: RequestInit) => {
    asked.push({ url, request })
    return Promise.resolve(new Response(text, init))
  }) as typeof fetch
  return asked
}
const json = { 'content-type': 'application/json; charset=utf-8' }

test('A session calls its own entry, and a credential the public one without the session.', async () => {
  const asked = network('{}', { headers: json })
  await tryCall(trial())
  await tryCall(trial({ credential: 'mh_1' }))
  await tryCall(trial({ credential: 'at_1', call: call({ auth: 'oauth2' }) }))
  await tryCall(trial({ call: call({ method: 'GET', path: '/user/me', auth: 'session' }), body: null }))
  expect(
    asked.map(({ url, request: { method, credentials, headers, body } }) => [url, method, credentials, headers, body]),
  ).toEqual([
    ['/project/newsletter/lists/list', 'POST', 'same-origin', { 'Content-Type': 'application/json' }, '{"limit":1}'],
    [
      ...['/general/api/v1/newsletter/lists/list', 'POST', 'omit'],
      ...[{ 'Content-Type': 'application/json', Authorization: 'mh_1' }, '{"limit":1}'],
    ],
    [
      ...['/general/api/v1/newsletter/lists/list', 'POST', 'omit'],
      ...[{ 'Content-Type': 'application/json', Authorization: 'Bearer at_1' }, '{"limit":1}'],
    ],
    ['/user/me', 'GET', 'same-origin', {}, null],
  ] as never)
})

test('An answer is shown as it came, refusals too, with the calls that are left.', async () => {
  network('{"a":1}', { status: 422, headers: { ...json, 'ratelimit-limit': '60', 'ratelimit-remaining': '0' } })
  const tried = await tryCall(trial())
  expect(tried).toMatchObject({ status: 422, text: '{\n  "a": 1\n}', rate: { left: 0, of: 60 } })
  expect(tried.headers.split('\n')).toContain('ratelimit-limit: 60')
  expect(calls.value[0]).toMatchObject({ path: '/project/newsletter/lists/list', status: 422, answer: { a: 1 } })
  network('a,b', { headers: { 'content-type': 'text/csv', 'ratelimit-limit': '60' } })
  expect(await tryCall(trial())).toMatchObject({ text: 'a,b', rate: null })
})

test('A long answer is cut.', async () => {
  network('x'.repeat(100_000))
  expect((await tryCall(trial())).text).toHaveLength(100_000)
  network('x'.repeat(100_001))
  expect((await tryCall(trial())).text).toBe(`${'x'.repeat(100_000)}\n…`)
})

test('The end of the session is met at once, but not that of a credential.', async () => {
  tab.atEnd(() => (isSignedOut.value = false))
  network('{}', { status: 401, headers: json })
  await tryCall(trial({ credential: 'old' }))
  expect(isSignedOut.value).toBe(false)
  await tryCall(trial())
  expect(isSignedOut.value).toBe(true)
})

test('Without an answer there is an error that says so.', async () => {
  globalThis.fetch = (() => Promise.reject(new TypeError('no network'))) as unknown as typeof fetch
  await expect(tryCall(trial())).rejects.toMatchObject({ code: 'NO_ANSWER', status: 0 })
  expect(calls.value[0]).toMatchObject({ status: 0 })
})

test('The address has the values that are given, and the names of the others.', () => {
  const parameters = [parameter('id', 'path'), parameter('limit', 'query'), parameter('after', 'query')]
  const path = '/apps/{id}/{part}'
  expect(filledPath(call({ path, parameters }), { id: 'a/b', limit: '5', other: 'x', after: '' })).toBe(
    '/apps/a%2Fb/{part}?limit=5',
  )
  expect(filledPath(call({ path, parameters }), {})).toBe(path)
})
