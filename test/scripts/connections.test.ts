import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { connectedScripts, disconnectScripts } from '../../src/scripts/connections.ts'
import { members } from '../../src/store/tables/accounts.ts'
import { app_team } from '../../src/store/tables/developer.ts'
import { script_connections, switched_off_scripts } from '../../src/store/tables/scripts.ts'
import { APPS, type Desk, openDesk } from '../developer/desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(() =>
  store().write(async (tx) => {
    await tx.delete(script_connections)
  }),
)

const store = () => desk.world.service.runtime.store
const main = () => desk.world.project.public_id
const onPages = (project_id = desk.world.project.id) => connectedScripts(store().db, project_id)
const embed = async (app_id: string, scriptId: number, body: object = {}) =>
  desk.api(
    await desk.token(app_id, { project_ids: [desk.world.project.id, desk.world.other.id] }),
    'POST',
    '/scripts/embed',
    {
      scriptId,
      project_id: main(),
      ...body,
    },
  )
const owner = (path: string, body: object = {}) =>
  desk.as('administrator', 'POST', `/project/scripts/${path}`, { project_id: main(), ...body })

async function approved(code = '<i>{{word}}</i>', more: object = {}) {
  const app = await desk.app()
  const script = await desk.script(app.id, { code, ...more })
  await desk.approve(app.id)
  return { app, script }
}

test("Injected scripts are the project's own, rendered, in connection order.", async () => {
  const [one, two] = [
    await approved('<i>{{word}}</i>', { parameters: { word: 'default' }, type: 'Essential' }),
    await approved('<script>go("{{word}}")</script>', { placement: 'HTML Body end' }),
  ]
  await embed(two.app.id, two.script.id, { parameters: { word: '"' } })
  await embed(one.app.id, one.script.id)
  await embed(one.app.id, one.script.id, { project_id: desk.world.other.public_id, parameters: { word: 'there' } })
  expect(await onPages()).toEqual([
    {
      connection_id: expect.any(Number),
      script_id: two.script.id,
      app_id: two.app.id,
      app_name: 'Visits',
      name: 'Counter',
      type: 'Analytics',
      placement: 'HTML Body end',
      html: '<script>go("\\"")</script>',
      gated: false,
    },
    {
      connection_id: expect.any(Number),
      script_id: one.script.id,
      app_id: one.app.id,
      app_name: 'Visits',
      name: 'Counter',
      type: 'Essential',
      placement: 'HTML Head',
      html: '<i>default</i>',
      gated: false,
    },
  ])
  expect((await onPages(desk.world.other.id)).map(({ html }) => html)).toEqual(['<i>there</i>'])
  await embed(two.app.id, two.script.id, { parameters: { word: 'x' } })
  expect((await onPages()).map(({ script_id }) => script_id)).toEqual([two.script.id, one.script.id])
})

test('An app in development runs where one of its team is a member, and nowhere else.', async () => {
  const app = await desk.app()
  const script = await desk.script(app.id)
  await embed(app.id, script.id)
  expect(await onPages()).toEqual([])
  await store().write((tx) =>
    tx.insert(app_team).values({ app_id: app.id, user_id: desk.world.users.member, added_at: 0 }),
  )
  expect(await onPages()).toHaveLength(1)
  const membership = and(eq(members.user_id, desk.world.users.member), eq(members.project_id, desk.world.project.id))
  const [left] = await store().write((tx) => tx.delete(members).where(membership).returning())
  expect(await onPages()).toEqual([])
  await store().write((tx) => tx.insert(members).values(left!))
  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}/scripts/${script.id}`, { code: '<i>new</i>' })
  expect((await onPages()).map(({ html }) => html)).toEqual(['<i>new</i>'])
})

test("A page's ETag changes with everything that changes the page's scripts, and with nothing else.", async () => {
  const page = { project_id: main(), path: '/', title: 'Home', html: '<p>Home' }
  expect((await desk.as('administrator', 'POST', '/project/pages/create', page)).status).toBe(200)
  const etag = async () => (await desk.world.fetch(`/sites/${desk.world.project.slug}/`)).headers.get('etag')!
  const { app, script } = await approved('<i>{{word}}</i>', { type: 'Advertising' })
  const seen: string[] = []
  const changes = async (step: () => Promise<unknown>) => {
    await step()
    const tag = await etag()
    expect(tag).not.toBe(seen.at(-1)!)
    seen.push(tag)
  }
  await changes(async () => undefined)
  await changes(() => embed(app.id, script.id))
  await changes(() => embed(app.id, script.id, { parameters: { word: 'a' } }))
  const [{ connection_id } = { connection_id: 0 }] = await onPages()
  await embed(app.id, script.id)
  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}/scripts/${script.id}`, { code: '<i>draft</i>' })
  expect(await etag()).toBe(seen.at(-1)!)
  await changes(() => desk.approve(app.id))
  const settings = async (consent_required: boolean) => (await owner('settings', { consent_required })).body.settings
  await changes(async () => expect(await settings(true)).toEqual({ consent_required: true }))
  await changes(() => owner('switch', { connection_id, enabled: false }))
  await changes(() => owner('switch', { connection_id, enabled: true }))
  await changes(() => desk.ok('editor', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'x' }))
  await changes(() => desk.ok('editor', 'POST', `${APPS}/${app.id}/unsuspend`))
  await changes(() => owner('remove', { connection_id }))
  expect(seen.at(-1)).toBe(seen[0]!)
  expect(await settings(false)).toEqual({ consent_required: false })
})

test("The project's owner sees every connection with the code that visitors get.", async () => {
  const { app, script } = await approved('<i>{{word}}</i>', { parameters: { word: 'default' } })
  await embed(app.id, script.id, { parameters: { word: 'ours' } })
  expect((await owner('list')).body).toEqual({
    scripts: [
      {
        connection_id: expect.any(Number),
        script_id: script.id,
        app: { id: app.id, displayName: 'Visits' },
        name: 'Counter',
        type: 'Analytics',
        placement: 'HTML Head',
        parameters: { word: 'ours' },
        code: '<i>ours</i>',
        filled: [{ from: 3, to: 7 }],
        enabled: true,
        injected: true,
        connected_on: expect.any(String),
        last_update: expect.any(String),
      },
    ],
    settings: { consent_required: false },
    tests: [],
  })
  await desk.ok('editor', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'x' })
  expect((await owner('list')).body.scripts).toMatchObject([{ enabled: true, injected: false }])
})

test('The owner of a project switches a script off, and no call of the app switches it on again.', async () => {
  const { app, script } = await approved()
  await embed(app.id, script.id)
  const [{ connection_id } = { connection_id: 0 }] = await onPages()
  expect((await owner('switch', { connection_id, enabled: false })).body.script).toMatchObject({
    connection_id,
    enabled: false,
    injected: false,
  })
  expect((await owner('switch', { connection_id, enabled: false })).status).toBe(200)
  await embed(app.id, script.id, { parameters: { word: 'x' } })
  expect(await onPages()).toEqual([])
  await desk.api(await desk.token(app.id), 'DELETE', `/scripts/connection/${connection_id}`)
  await embed(app.id, script.id)
  expect(await onPages()).toEqual([])
  const [again] = (await owner('list')).body.scripts
  expect(again).toMatchObject({ enabled: false, injected: false })
  await owner('switch', { connection_id: again.connection_id, enabled: true })
  expect(await onPages()).toHaveLength(1)
})

test("The project's owner switches a script off in this project only, not in the app's other projects.", async () => {
  const { app, script } = await approved()
  await embed(app.id, script.id)
  await embed(app.id, script.id, { project_id: desk.world.other.public_id })
  const [{ connection_id } = { connection_id: 0 }] = await onPages()
  await owner('switch', { connection_id, enabled: false })
  expect([(await onPages()).length, (await onPages(desk.world.other.id)).length]).toEqual([0, 1])
  const off = { project_id: desk.world.other.id, script_id: script.id, switched_off_at: 0 }
  await store().write((tx) => tx.insert(switched_off_scripts).values(off))
  await owner('switch', { connection_id, enabled: true })
  expect([(await onPages()).length, (await onPages(desk.world.other.id)).length]).toEqual([1, 0])
})

test("The project's owner removes a script.", async () => {
  const { app, script } = await approved()
  await embed(app.id, script.id)
  const [{ connection_id } = { connection_id: 0 }] = await onPages()
  expect((await owner('remove', { connection_id })).body).toEqual({ success: true })
  expect(await onPages()).toEqual([])
  expect(await owner('remove', { connection_id })).toMatchObject({ status: 404, body: { error: 'not_found' } })
})

test("The project's owner can require consent, and every script but Essential ones waits for it.", async () => {
  const types = ['Essential', 'Functional', 'Analytics', 'Advertising']
  for (const type of types) {
    const { app, script } = await approved('<i>x</i>', { type })
    await embed(app.id, script.id)
  }
  expect((await owner('settings', { consent_required: true })).body).toEqual({ settings: { consent_required: true } })
  expect((await onPages()).map(({ type, gated }) => `${type} ${gated}`)).toEqual(
    types.map((type) => `${type} ${type !== 'Essential'}`),
  )
  expect((await owner('list')).body.settings).toEqual({ consent_required: true })
  expect((await onPages(desk.world.other.id)).every(({ gated }) => !gated)).toBe(true)
  await owner('settings', { consent_required: false })
  expect((await onPages()).every(({ gated }) => !gated)).toBe(true)
})

test("The project's owner must be an administrator of this project.", async () => {
  const { app, script } = await approved()
  await embed(app.id, script.id, { project_id: desk.world.other.public_id })
  const [{ connection_id } = { connection_id: 0 }] = await onPages(desk.world.other.id)
  const calls: [string, object][] = [
    ['list', {}],
    ['switch', { connection_id, enabled: false }],
    ['remove', { connection_id }],
    ['settings', { consent_required: true }],
  ]
  for (const [path, body] of calls) {
    const as = (person: 'editor' | 'outsider') =>
      desk.as(person, 'POST', `/project/scripts/${path}`, { project_id: main(), ...body })
    expect(await as('editor')).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await as('outsider')).toMatchObject({ status: 403, body: { error: 'project_not_authorized' } })
    expect((await desk.world.fetch(`/project/scripts/${path}`, { method: 'POST' })).status).toBe(401)
  }
  for (const [path, body] of calls.slice(1, 3)) expect((await owner(path, body)).status).toBe(404)
  for (const [path, body] of [
    ['switch', { connection_id }],
    ['switch', { connection_id: '1', enabled: true }],
    ['list', { all: true }],
    ['settings', {}],
  ] as [string, object][])
    expect((await owner(path, body)).status).toBe(400)
  expect(await onPages(desk.world.other.id)).toHaveLength(1)
})

test("Disconnecting an app removes its connections and the owner's switches, in one project or all.", async () => {
  const [one, two] = [await approved(), await approved()]
  for (const project_id of [main(), desk.world.other.public_id]) {
    for (const { app, script } of [one, two]) await embed(app.id, script.id, { project_id })
  }
  const [first] = (await owner('list')).body.scripts
  await owner('switch', { connection_id: first.connection_id, enabled: false })
  await store().write((tx) => disconnectScripts(tx, { app_id: one.app.id, project_id: desk.world.project.id }))
  expect((await onPages()).map(({ app_id }) => app_id)).toEqual([two.app.id])
  expect((await onPages(desk.world.other.id)).map(({ app_id }) => app_id)).toEqual([one.app.id, two.app.id])
  await embed(one.app.id, one.script.id)
  expect((await onPages()).map(({ app_id }) => app_id)).toEqual([two.app.id, one.app.id])
  await store().write((tx) => disconnectScripts(tx, { app_id: two.app.id }))
  expect((await onPages()).map(({ app_id }) => app_id)).toEqual([one.app.id])
  expect((await onPages(desk.world.other.id)).map(({ app_id }) => app_id)).toEqual([one.app.id])
})

test('Deleting an app removes its scripts from the pages.', async () => {
  const { app, script } = await approved()
  await embed(app.id, script.id)
  expect(await onPages()).toHaveLength(1)
  await desk.ok('outsider', 'DELETE', `${APPS}/${app.id}`)
  expect(await onPages()).toEqual([])
})

test('A script that a new version makes too large is left out, and the others stay.', async () => {
  const [one, two] = [await approved('{{word}}'), await approved()]
  await embed(one.app.id, one.script.id, { parameters: { word: 'x'.repeat(2000) } })
  await embed(two.app.id, two.script.id)
  await desk.ok('outsider', 'PATCH', `${APPS}/${one.app.id}/scripts/${one.script.id}`, { code: '{{word}}'.repeat(500) })
  await desk.approve(one.app.id)
  expect((await onPages()).map(({ script_id }) => script_id)).toEqual([two.script.id])
})
