import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import { calls } from '../../../static/app/api/call-log.ts'
import { mutate, read, send, sendOnce } from '../../../static/app/api/calls.ts'
import * as conditions from '../../../static/app/api/conditions.ts'
import { ApiError } from '../../../static/app/api/errors.ts'
import { ownPicture } from '../../../static/app/api/own-picture.ts'
import { can, whoMay } from '../../../static/app/api/role.ts'
import { request } from '../../../static/app/api/request.ts'
import { subjectHref } from '../../../static/app/api/subject.ts'
import { link } from '../../../static/app/api/link.ts'
import { pageOf, scopePattern } from '../../../static/app/shell/place.ts'
import { inTime, turns } from '../../support/visit.ts'

const tab = useTab()

/** How a promise stands: its value, its error, or that it waits. */
function watched<T>(promise: Promise<T>): { state: string; value?: T; error?: ApiError } {
  const seen: { state: string; value?: T; error?: ApiError } = { state: 'waits' }
  promise.then(
    (value) => Object.assign(seen, { state: 'answered', value }),
    (error: ApiError) => Object.assign(seen, { state: 'refused', error }),
  )
  return seen
}

const overview = () => watched(read('overview', {}))
const down = () => Promise.reject(new TypeError('no network'))

test('An operation is asked with its project, and its answer is unwrapped.', async () => {
  tab.answers['overview'] = { lists: [] }
  const seen = overview()
  await tab.settled()
  expect(seen).toEqual({ state: 'answered', value: { lists: [] } as never })
  expect(tab.calls[0]).toMatchObject({ url: '/project/newsletter/overview', body: { project_id: 'prj_harbour' } })
  expect([tab.calls[0]!.headers.get('accept'), tab.calls[0]!.headers.get('content-type')]).toEqual([
    'application/json',
    'application/json',
  ])
})

test('A change has a key of its own, or the one it is given.', async () => {
  tab.answers['lists/delete'] = {}
  await mutate('lists/delete', { list_id: 1 })
  await mutate('lists/delete', { list_id: 1 })
  await mutate('lists/delete', { list_id: 1 }, 'mine')
  const keys = tab.sent('lists/delete').map(({ idempotency_key }) => idempotency_key as string)
  expect(keys[0]).toStartWith('web_')
  expect([keys[0] === keys[1], keys[2]]).toEqual([false, 'mine'])
})

test('A route is asked at its address, with the values of its path and its query.', async () => {
  tab.answers['GET /user/invitations'] = { invitations: [] }
  await send('GET /user/invitations', {})
  expect(tab.calls[0]).toMatchObject({ url: '/user/invitations', body: undefined })
  expect(tab.calls[0]!.headers.get('content-type')).toBeNull()
  const odd = send as unknown as (route: string, body: object, at: object) => Promise<unknown>
  tab.answers['DELETE /x/a%2Fb'] = {}
  await odd('DELETE /x/:name', { y: 1 }, { params: { name: 'a/b' }, query: { z: 'ä', none: undefined } })
  expect(tab.calls[1]).toMatchObject({ url: '/x/a%2Fb?z=%C3%A4', body: { y: 1 } })
})

test('A file is sent as it is.', async () => {
  tab.answers['POST /files'] = {}
  const body = new Blob(['x'])
  await request({ method: 'POST', path: '/files', body, is_repeatable: true })
  expect([tab.calls[0]!.body, tab.calls[0]!.headers.get('content-type')]).toEqual([body, null])
  expect(calls.value[0]!.body).toBe('(file)')
})

test('A text that is answered is a text.', async () => {
  tab.answers['GET /a.csv'] = new Response('a,b', { headers: { 'content-type': 'text/csv' } })
  tab.answers['GET /a.bin'] = new Response('ab', { headers: { 'content-type': 'application/octet-stream' } })
  const get = (path: string) => request<unknown>({ method: 'GET', path, is_repeatable: true })
  expect(await get('/a.csv')).toBe('a,b')
  expect(await get('/a.bin')).toBeInstanceOf(Blob)
})

test('A call without an answer is repeated after half a second and two, then given up.', async () => {
  await inTime(tab, async (pass) => {
    tab.answers['overview'] = down
    const seen = overview()
    await tab.settled()
    expect([tab.calls.length, conditions.isUnreachable.value]).toEqual([1, true])
    await pass(499)
    expect(tab.calls).toHaveLength(1)
    await pass(1)
    expect(tab.calls).toHaveLength(2)
    await pass(1_999)
    expect([tab.calls.length, seen.state]).toEqual([2, 'waits'])
    await pass(1)
    expect([tab.calls.length, seen.state, seen.error!.code, seen.error!.status]).toEqual([3, 'refused', 'NO_ANSWER', 0])
    tab.answers['overview'] = {}
    overview()
    await tab.settled()
    expect(conditions.isUnreachable.value).toBe(false)
  })
})

test('An answer of 500 and above is no answer, and keeps what it said.', async () => {
  await inTime(tab, async (pass) => {
    tab.answers['overview'] = new Refusal(500, 'INTERNAL', undefined, 'Broken.')
    const seen = overview()
    await tab.settled()
    await pass(500)
    await pass(2_000)
    expect([seen.error!.code, seen.error!.message, seen.error!.status]).toEqual(['NO_ANSWER', 'Broken.', 500])
  })
})

test('A request that might take effect twice is not repeated.', async () => {
  tab.answers['POST /user/logout'] = down
  const seen = watched(request({ method: 'POST', path: '/user/logout', body: {}, is_repeatable: false }))
  await tab.settled()
  expect([tab.calls.length, seen.error!.code]).toEqual([1, 'NO_ANSWER'])
  conditions.isUnreachable.value = false
})

test('A route that is declared repeatable is called again without an answer, and no other one.', async () => {
  await inTime(tab, async (pass) => {
    const paths = ['POST /project/members/list', 'POST /project/update', 'GET /user/me'] as const
    for (const path of paths) tab.answers[path] = down
    watched(send(paths[0], { project_id: 'prj_1' }))
    watched(sendOnce(paths[1], { project_id: 'prj_1' }))
    watched(send(paths[2], {}))
    await tab.settled()
    await pass(500)
    expect(paths.map((path) => tab.sent(path).length)).toEqual([2, 1, 2])
    await pass(2_000)
    conditions.isUnreachable.value = false
  })
})

test('While the browser is offline, calls wait for it.', async () => {
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })
  tab.answers['overview'] = down
  const seen = overview()
  await tab.settled()
  expect([conditions.isOnline.value, tab.calls.length, seen.state]).toEqual([false, 1, 'waits'])
  Object.defineProperty(navigator, 'onLine', { value: true, configurable: true })
  tab.answers['overview'] = { lists: [] }
  dispatchEvent(new Event('online'))
  await tab.settled()
  expect([conditions.isOnline.value, seen.state]).toEqual([true, 'answered'])
  dispatchEvent(new Event('offline'))
  expect(conditions.isOnline.value).toBe(false)
  dispatchEvent(new Event('online'))
})

test('A call that is given up while it waits is ended.', async () => {
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })
  tab.answers['overview'] = down
  const left = new AbortController()
  const seen = watched(read('overview', {}, left.signal))
  await tab.settled()
  left.abort(new Error('left'))
  await tab.settled()
  expect([seen.state, seen.error!.message]).toEqual(['refused', 'left'])
  Object.defineProperty(navigator, 'onLine', { value: true, configurable: true })
  dispatchEvent(new Event('online'))
})

test('A call of a page that was left says nothing of the service.', async () => {
  const left = new AbortController()
  tab.answers['overview'] = () => {
    left.abort(new Error('left'))
    throw new DOMException('aborted', 'AbortError')
  }
  const seen = watched(read('overview', {}, left.signal))
  await tab.settled()
  expect([seen.state, conditions.isUnreachable.value, tab.calls.length]).toEqual(['refused', false, 1])
})

test('A call of a session that ended waits for the next one.', async () => {
  tab.answers['overview'] = new Refusal(401, 'UNAUTHORIZED')
  const seen = overview()
  await tab.settled()
  expect([conditions.isSignedOut.value, seen.state, tab.calls.length]).toEqual([true, 'waits', 1])
  tab.answers['overview'] = { lists: [] }
  conditions.signIns.value++
  conditions.isSignedOut.value = false
  await tab.settled()
  expect([seen.state, tab.calls.length]).toEqual(['answered', 2])
})

test('A refusal that was sent before one signed in again does not end the new session.', async () => {
  let asked = 0
  tab.answers['overview'] = () => {
    if (asked++ > 0) return { lists: [] }
    conditions.signIns.value++
    return new Refusal(401, 'UNAUTHORIZED')
  }
  const seen = overview()
  await tab.settled()
  expect([seen.state, conditions.isSignedOut.value, asked]).toEqual(['answered', false, 2])
})

test('A wrong password is a refusal, not the end of a session.', async () => {
  tab.answers['POST /user/login'] = new Refusal(401, 'UNAUTHORIZED', undefined, 'Wrong.')
  const seen = watched(request({ method: 'POST', path: '/user/login', body: {}, is_repeatable: false }))
  await tab.settled()
  expect([seen.error!.message, conditions.isSignedOut.value]).toEqual(['Wrong.', false])
})

test('A service that asks for a pause gets it, and the call goes on.', async () => {
  await inTime(tab, async (pass) => {
    const full = () => Response.json({ error: 'rate_limited' }, { status: 429, headers: { 'retry-after': '7' } })
    tab.answers['overview'] = full
    const seen = overview()
    await turns()
    await tab.settled()
    expect(conditions.pausedUntil.value).toBe(Date.now() + 7_000)
    tab.answers['overview'] = { lists: [] }
    await pass(6_999)
    expect(tab.calls).toHaveLength(1)
    await pass(1)
    expect([seen.state, conditions.pausedUntil.value]).toEqual(['answered', null])
  })
})

test('A state that does not allow a change leads to what the change was about.', async () => {
  tab.answers['campaigns/send'] = new Refusal(409, 'INVALID_STATE')
  const seen = watched(mutate('campaigns/send', { campaign_id: 5 }))
  await tab.settled()
  seen.error!.show!()
  expect(tab.left).toEqual(['/portal/projects/harbour/campaigns/5'])
  tab.answers['campaigns/send'] = new Refusal(409, 'INVALID_STATE', { state: 'full' })
  const full = watched(mutate('campaigns/send', { campaign_id: 5 }))
  await tab.settled()
  expect(full.error!.show).toBeUndefined()
})

test('A newer version of the application is noticed.', async () => {
  const answer = (version: string) =>
    new Response('{}', { headers: { 'content-type': 'application/json', 'x-masthead-app': version } })
  for (const [version, isOutdated] of [
    ['v1', false],
    ['v2', true],
  ] as const) {
    tab.answers['GET /x'] = answer(version)
    await request({ method: 'GET', path: '/x', is_repeatable: true })
    expect(conditions.isOutdated.value).toBe(isOutdated)
  }
  conditions.isOutdated.value = false
})

test('The last fifty calls of a page are kept, with what came of them.', async () => {
  tab.answers['GET /x'] = { y: 1 }
  for (let at = 0; at < 51; at++) await request({ method: 'GET', path: '/x', is_repeatable: true })
  expect(calls.value).toHaveLength(50)
  expect(calls.value[0]).toMatchObject({ method: 'GET', path: '/x', status: 200, answer: { y: 1 } })
  expect(calls.value[0]!.id).toBeGreaterThan(calls.value[1]!.id)
  tab.answers['POST /user/logout'] = down
  await request({ method: 'POST', path: '/user/logout', is_repeatable: false }).catch(() => undefined)
  expect(calls.value[0]).toMatchObject({ status: 0, request_id: null })
  conditions.isUnreachable.value = false
})

test.each([
  [{ campaign_id: 5, list_id: 1 }, '/campaigns/5'],
  [{ import_id: 5 }, '/imports/5'],
  [{ contact_id: 5, segment_id: 6 }, '/contacts/5'],
  [{ segment_id: 5 }, '/segments/5'],
  [{ connection_id: 5 }, '/sending/5'],
  [{ list_id: 5 }, '/lists'],
  [{ tag_id: 5 }, '/lists'],
  [{ field_id: 5 }, '/fields'],
  [{ job_id: 5 }, '/activity'],
])('A call with %j is about a page.', (body, path) => {
  expect(subjectHref(body)).toBe(`/portal/projects/harbour${path}`)
})

test('A call about nothing known, or outside of projects, is about the open page.', () => {
  history.replaceState(null, '', '/here')
  expect(location.href).toBe('https://masthead.example/here')
  expect([subjectHref({ other: 1 }), subjectHref(null)]).toEqual([location.href, location.href])
  tab.data.project = null
  expect(subjectHref({ campaign_id: 5 })).toBe(location.href)
})

test('A role may what lower ones may, and nobody may anything outside of projects.', () => {
  const roles = ['member', 'editor', 'administrator', 'owner'] as const
  for (const [at, role] of roles.entries()) {
    tab.data.project!.role = role
    expect(roles.map(can)).toEqual(roles.map((_, least) => at >= least))
  }
  tab.data.project = null
  expect(can('member')).toBe(false)
})

test('A refusal for a role tells who may, and whom to ask.', () => {
  const project = tab.data.project!
  Object.assign(project, { role: 'editor', administrators: ['Ada', 'Bo', 'Cy'] })
  expect(whoMay('Sending', 'owner')).toBe('Sending takes an owner; you are an editor here. Ask Ada, Bo, or Cy.')
  Object.assign(project, { role: 'member', administrators: [] })
  expect(whoMay('Sending', 'administrator')).toBe('Sending takes an administrator; you are a member here.')
})

test('A picture of this service is asked for where the page is, one from elsewhere is none of its own.', () => {
  expect(ownPicture('https://masthead.example/files/1.png')).toBe('/files/1.png')
  expect(ownPicture('https://elsewhere.example/files/1.png')).toBeNull()
})

test('A page is found by its path, the first pattern that fits.', () => {
  const source = (path: string) => pageOf(tab.data.scope + path)?.page.source
  expect(source('')).toBe('site/home/home')
  expect(source('/campaigns/new')).toBe('site/campaigns/new-campaign')
  expect(pageOf(`${tab.data.scope}/contacts/7`)).toMatchObject({ params: { id: '7' } })
  expect([source('/nothing'), source('/contacts/7/more')]).toEqual([undefined, undefined])
  const inScope = (path: string) => scopePattern().test(path)
  expect([inScope(link('/')), inScope(link('/x')), inScope(`${link('/')}?a`), inScope(`${link('/')}2`)]).toEqual([
    ...[true, true, true, false],
  ])
})
