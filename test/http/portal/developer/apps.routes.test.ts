import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { logAppRequest } from '../../../../src/developer/request-log.ts'
import { APPS, type Desk, openDesk, REVIEWS, SCRIPT } from '../../../developer/desk.ts'
import { messagesTo } from '../../../support/mailbox.ts'
import { closeWorlds } from '../../../support/world.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(closeWorlds)

test('A reviewer reads every part of an app but its secrets and its log, and changes none.', async () => {
  const one = `${APPS}/${(await desk.app()).id}`
  const script = `${one}/scripts/${(await desk.script(one.split('/').at(-1)!)).id}`
  const { version } = await desk.ok('outsider', 'POST', `${one}/versions`)
  const { secrets } = await desk.ok('outsider', 'GET', `${one}/secrets`)
  const { invitation } = await desk.ok('outsider', 'POST', `${one}/team/invitations`, { email: 'x@example.com' })
  await desk.join(one.split('/').at(-1)!, 'member')
  const parts = ['', '/listing', '/team', '/installs', '/scripts', '/versions', '/test-projects', '/images']
  const render = [`${one}/scripts/render`, { code: '' }] as const
  for (const path of [...parts.map((part) => one + part), script, `${one}/versions/${version.id}`]) {
    const seen = await desk.as('editor', 'GET', path)
    expect([path, seen.status, seen.body]).toEqual([path, 200, await desk.ok('outsider', 'GET', path)])
    expect([path, (await desk.as('owner', 'GET', path)).status]).toEqual([path, 404])
  }
  expect((await desk.as('editor', 'POST', ...render)).status).toBe(200)
  const changes: [string, string, unknown?][] = [
    ['GET', `${one}/secrets`],
    ['GET', `${one}/requests`],
    ['PATCH', one, { displayName: 'Mine' }],
    ['DELETE', one, {}],
    ['POST', `${one}/secrets`, {}],
    ['DELETE', `${one}/secrets/${secrets[0].id}`, {}],
    ['PUT', `${one}/listing`, {}],
    ['DELETE', `${one}/images/1`, {}],
    ['POST', `${one}/team`, { email: 'owner@example.com' }],
    ['DELETE', `${one}/team/${desk.world.users.member}`, {}],
    ['POST', `${one}/team/invitations`, { email: 'y@example.com' }],
    ['DELETE', `${one}/team/invitations/${invitation.id}`, {}],
    ['POST', `${one}/scripts`, SCRIPT],
    ['PATCH', script, { name: 'Mine' }],
    ['DELETE', script, {}],
    ['POST', `${one}/versions`, {}],
    ['POST', `${one}/versions/${version.id}/rollback`, {}],
    ['POST', `${one}/test-projects`, { project_id: desk.world.project.public_id }],
    ['DELETE', `${one}/test-projects/${desk.world.project.public_id}`, {}],
  ]
  for (const [method, path, body] of changes)
    for (const [person, status] of [
      ['editor', 403],
      ['owner', 404],
    ] as const)
      expect([method, path, (await desk.as(person, method, path, body)).status]).toEqual([method, path, status])
  expect((await desk.as('owner', 'POST', ...render)).status).toBe(404)
})

test('The fields of an app have limits, and a listing has no others.', async () => {
  const one = `${APPS}/${(await desk.app()).id}`
  const takes = async (field: object) => (await desk.as('outsider', 'PATCH', one, field)).status
  const uris = (n: number) => Array.from({ length: n }, (_, nth) => `https://app.example/${nth}`)
  for (const [good, bad] of [
    [{ displayName: 'x'.repeat(100) }, { displayName: 'x'.repeat(101) }],
    [{ displayName: 'x' }, { displayName: ' ' }],
    [{ description: 'x'.repeat(2000) }, { description: 'x'.repeat(2001) }],
    [{ homepage: '' }, { homepage: 'app.example' }],
    [{ scopes: [] }, { scopes: Array.from({ length: 101 }, () => 'profile') }],
    [{ redirect_uris: uris(1) }, { redirect_uris: uris(101) }],
  ] as const)
    expect([bad, await takes(good), await takes(bad)]).toEqual([bad, 200, 400])
  expect((await desk.as('outsider', 'PUT', `${one}/listing`, { price: '1' })).status).toBe(400)
  for (const [length, status] of [
    [4000, 200],
    [4001, 400],
  ] as const)
    expect((await desk.as('outsider', 'POST', `${one}/versions`, { notes: 'x'.repeat(length) })).status).toBe(status)
})

test('The log of an app answers fifty entries unless asked for more.', async () => {
  const { runtime } = desk.world.service
  const app = await desk.app()
  const entry = { app_id: app.id, at: runtime.clock.now(), method: 'GET', route: '/project/list', status: 200 }
  for (let nth = 0; nth < 51; nth++)
    logAppRequest(runtime, { ...entry, request_id: `r${nth}`, duration_ms: 1, error: null, project: null })
  const read = async (query = '') => (await desk.ok('outsider', 'GET', `${APPS}/${app.id}/requests${query}`)).requests
  expect((await read()).map(({ request_id }: any) => request_id).slice(-1)).toEqual(['r1'])
  expect(await read('?limit=51')).toHaveLength(51)
})

test('A way back to other redirect URIs is told at once: by an approval, and by a return to a version.', async () => {
  const app = await desk.app()
  const one = `${APPS}/${app.id}`
  const freeze = async () => (await desk.ok('outsider', 'POST', `${one}/versions`)).version.id
  const submit = async (version_id: number) =>
    (await desk.ok('outsider', 'POST', REVIEWS, { app_id: app.id, version_id })).review_request.id
  const first = await freeze()
  await desk.ok('editor', 'POST', `${REVIEWS}/${await submit(first)}/approve`)
  const wake = spyOn(desk.world.service.runtime, 'wake')
  const told = async (act: () => Promise<unknown>) => {
    const before = (await messagesTo(desk.world, 'outsider@example.com')).length
    wake.mockClear()
    await act()
    const woken = wake.mock.calls.flat()
    const messages = (await messagesTo(desk.world, 'outsider@example.com')).slice(before)
    return [...woken, ...messages.map(({ subject }) => subject)]
  }
  const changed = 'The redirect URIs of your app changed'
  const change = { redirect_uris: ['https://app.example/new'] }
  expect(await told(() => desk.ok('outsider', 'PATCH', one, change))).toEqual(['mail', changed])
  const second = await submit(await freeze())
  const approve = () => desk.ok('editor', 'POST', `${REVIEWS}/${second}/approve`)
  expect(await told(approve)).toEqual(['mail', 'The review of your app', changed])
  const back = async () => {
    const { version } = await desk.ok('outsider', 'POST', `${one}/versions/${first}/rollback`)
    expect([version.id, version.live]).toEqual([first, true])
  }
  expect(await told(back)).toEqual(['mail', changed])
  const { versions } = await desk.ok('outsider', 'GET', `${one}/versions`)
  expect(versions.map(({ id, live }: any) => live && id)).toEqual([false, first])
  expect((await desk.ok('outsider', 'GET', `${one}/versions/${first}`)).version.live).toBe(true)
  wake.mockRestore()
})
