import { beforeAll, expect, test } from 'bun:test'
import { endAuthorization, startAuthorization, withdrawProject } from '../../src/oauth/authorizations.ts'
import { DAY_MS } from '../../src/clock.ts'
import { eventRetention, eventsAfter, latestEvents, noteSuspension } from '../../src/oauth/events.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { APPS, type Desk, openDesk } from '../developer/desk.ts'

let desk: Desk
let app: any
beforeAll(async () => {
  desk = await openDesk()
  const created = await desk.ok('outsider', 'POST', APPS, {
    displayName: 'Tide tables',
    redirect_uris: [],
    scopes: ['scripts:read', 'cms:post:read'],
  })
  app = { ...created.app, client_secret: created.client_secret }
})

const ask = async (query = '', password = app.client_secret) => {
  const answer = await desk.world.fetch(`/general/api/v1/app/events${query}`, {
    headers: { Authorization: `Basic ${btoa(`${app.client_id}:${password}`)}` },
  })
  return { status: answer.status, body: (await answer.json()) as any }
}
const types = async (cursor: number) =>
  (await ask(`?cursor=${cursor}`)).body.events.map(({ type, scope }: any) => (scope ? `${type}: ${scope}` : type))

test('An app asks with its credentials what became of it, and goes on where it was.', async () => {
  const { store } = desk.world.service.runtime
  const { project, users } = desk.world
  const now = desk.world.clock.now()
  const write = store.write
  const grant = (user_id: string, scope: string) =>
    write((tx) => startAuthorization(tx, { app_id: app.id, user_id, scope, project_ids: [project.id] }, now))

  expect((await ask('', 'wrong')).status).toBe(401)
  expect((await ask('?limit=0')).status).toBe(400)
  const first = await grant(users.owner, 'scripts:read')
  await grant(users.owner, 'scripts:read')
  await grant(users.editor, 'cms:post:read')
  const { body } = await ask('?limit=1')
  expect(body).toEqual({
    events: [
      {
        id: 1,
        type: 'connected',
        time: '2026-01-15T09:00:00.000Z',
        project_id: project.public_id,
        scope: 'scripts:read',
        comment: null,
      },
    ],
    next_cursor: 1,
    has_more: true,
  })
  expect((await ask('?limit=2')).body).toMatchObject({
    events: [{ id: 1 }, { id: 2 }],
    next_cursor: 2,
    has_more: false,
  })
  for (const query of ['?limit=201', '?limit=x', '?cursor=-1', '?cursor=1&cursor=2', '?limit=1&limit=1'])
    expect([query, (await ask(query)).status]).toEqual([query, 400])
  expect((await ask('?cursor=0&limit=200')).body.events).toHaveLength(2)
  expect(await types(1)).toEqual(['scopes_changed: cms:post:read scripts:read'])

  await write((tx) => endAuthorization(tx, first!, now))
  expect(await types(2)).toEqual([])
  await desk.ok('owner', 'POST', '/project/members/remove', { project_id: project.public_id, user_id: users.editor })
  expect(await types(2)).toEqual(['scopes_changed: scripts:read'])
  await write((tx) => withdrawProject(tx, app.id, project.id, now))
  await write((tx) => withdrawProject(tx, app.id, project.id, now))
  await desk.ok('editor', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'It sends spam.' })
  expect(await types(3)).toEqual(['disconnected', 'suspended'])
  expect((await ask('?cursor=4')).body.events[0]).toMatchObject({ project_id: null, comment: 'It sends spam.' })
  await desk.ok('editor', 'POST', `${APPS}/${app.id}/unsuspend`, {})
  expect((await ask('?cursor=6')).body).toEqual({ events: [], next_cursor: 6, has_more: false })
})

test('A team sees the projects that use its app, with scopes and scripts.', async () => {
  const script = await desk.script(app.id)
  const token = await desk.token(app.id, { scopes: ['scripts:read', 'scripts:embed'] })
  const { project } = desk.world
  await desk.api(token, 'POST', '/scripts/embed', { scriptId: script.id, project_id: project.public_id })
  // Requests are logged in batches; reading the log writes those that wait.
  const { requests } = await desk.ok('outsider', 'GET', `${APPS}/${app.id}/requests?limit=200`)
  const { installs, totals, latest_events } = await desk.ok('outsider', 'GET', `${APPS}/${app.id}/installs`)
  expect(installs).toMatchObject([
    {
      project_id: project.public_id,
      name: 'Harbour News',
      scope: 'scripts:read scripts:embed',
      users: 1,
      scripts: [{ script_id: script.id, name: script.name, enabled: true }],
    },
  ])
  expect(totals).toMatchObject({
    projects: 1,
    users: 1,
    script_connections: 1,
    // As the log has them: also calls for no project.
    calls_in_7_days: requests.length,
    errors_in_7_days: requests.filter(({ status }: { status: number }) => status >= 400).length,
  })
  expect(latest_events[0].type).toBe('resumed')
  expect((await desk.as('member', 'GET', `${APPS}/${app.id}/installs`)).status).toBe(404)
})

test('An event is kept for ninety days, and the latest are listed first.', async () => {
  const { db } = await sharedStore()
  const { id } = await newApp(await newUser())
  for (const [comment, at] of [
    ['Spam.', 1],
    [null, 2],
    ['Again.', 3],
  ] as const)
    await write((tx) => noteSuspension(tx, id, comment, NOW + at))
  const latest = async (limit: number) =>
    (await latestEvents(db, id, limit)).map(({ type, comment }) => [type, comment])
  expect(await latest(2)).toEqual([
    ['suspended', 'Again.'],
    ['resumed', null],
  ])
  const clean = (now: number) => write((tx) => tx.run(eventRetention.statement(now, 1000)))
  await clean(NOW + 1 + 90 * DAY_MS)
  expect((await eventsAfter(db, id, 0, 9)).map(({ comment }) => comment)).toEqual([null, 'Again.'])
})
