import { expect, test } from 'bun:test'
import { flushRequests, logAppRequest, MAX_ROWS } from '../../src/developer/request-log.ts'
import { createSiteWorld, type SiteWorld } from './site-world.ts'

/** Limits on calls of platform routes and on what strangers, apps and users can store (docs/api/limits.md). */

const entry = (world: SiteWorld, fields: Record<string, unknown> = { name: 'Ann' }) =>
  world.fetch('/general/project/form/entry', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ project_id: world.project.public_id, form: 'contact', fields }),
  })

test('A request that reads a whole project takes more of the window of its session.', async () => {
  const world = await createSiteWorld({ platform_requests_per_minute: 21 })
  const headers = { Cookie: await world.cookie('owner') }
  const left = async (path: string) => (await world.fetch(path, { headers })).headers.get('ratelimit-remaining')
  expect([await left('/user/me'), await left(`/project/${world.project.public_id}/export`)]).toEqual(['20', '0'])
  await world.close()
})

test('An app has a window in each project and one without a project, and a session has its own.', async () => {
  const world = await createSiteWorld({ platform_requests_per_minute: 2 })
  const token = await world.token('owner', undefined, { project_ids: [world.project.id, world.other.id] })
  const list = (project: string, authorization = token) =>
    world.fetch(`/general/api/v1/scripts/list?project_id=${project}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${authorization}` },
    })
  const first = await list(world.project.public_id)
  expect([first.status, first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')]).toEqual([
    ...[200, '2', '1'],
  ])
  // A refusal of the handler counts, and says what is left.
  const embed = await world.fetch('/general/api/v1/scripts/embed', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ project_id: world.project.public_id, scriptId: 999 }),
  })
  expect([embed.status, embed.headers.get('ratelimit-remaining')]).toEqual([404, '0'])
  const refused = await list(world.project.public_id, await world.token('owner'))
  expect([refused.status, refused.headers.get('retry-after'), (await refused.json()).error]).toEqual([
    ...[429, '60', 'rate_limited'],
  ])
  expect(refused.headers.get('ratelimit-policy')).toBe('"platform";q=2;w=60')
  expect((await list(world.other.public_id)).status).toBe(200)
  const introspect = () =>
    world.fetch('/general/api/v1/token/introspect', { headers: { Authorization: `Bearer ${token}` } })
  expect([(await introspect()).status, (await introspect()).status, (await introspect()).status]).toEqual([
    200, 200, 429,
  ])

  expect((await world.as('editor', '/project/get')).status).toBe(200)
  expect((await world.as('editor', '/project/get')).status).toBe(200)
  expect((await world.as('editor', '/project/get')).status).toBe(429)
  expect((await world.as('member', '/project/get')).status).toBe(200)
  world.clock.advance(60_000)
  expect((await world.as('editor', '/project/get')).status).toBe(200)
  await world.close()
})

test('A user can own as many projects as the operator allows.', async () => {
  const world = await createSiteWorld({ projects_per_user: 2 })
  const create = (slug: string) => world.as('outsider', '/project/create', { name: slug, slug, project_id: undefined })
  const answers = await Promise.all(['one', 'two', 'three', 'four'].map(create))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
  expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ error: 'conflict' })
  await world.close()
})

test('A project takes as many form entries as the operator allows, and an entry has at most 64 KiB.', async () => {
  const world = await createSiteWorld({ form_entries_per_project: 2 })
  const statuses = [await entry(world), await entry(world), await entry(world)].map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 409])
  expect((await world.edit('/project/form-entries/list')).items).toHaveLength(2)
  expect((await entry(world, { text: ['x'.repeat(9000), ...Array(7).fill('y'.repeat(9000))] })).status).toBe(413)
  await world.close()
})

test('Signups, form entries and uploads are refused while the disk is nearly full, and reading is not.', async () => {
  const world = await createSiteWorld({ min_free_disk_megabytes: 1_000_000_000 })
  const refused = await entry(world)
  expect([refused.status, await refused.json()]).toEqual([
    507,
    { error: 'internal_error', message: 'The service has too little free disk space. Try again later.' },
  ])
  const signup = await world.fetch('/general/newsletter/signup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ project_id: world.project.public_id, email: 'ann@example.com', consent_text: 'Yes.' }),
  })
  expect(signup.status).toBe(507)
  const project = `project_id=${world.project.public_id}`
  for (const [path, person, type] of [
    [`/project/imports/upload?${project}`, 'editor', 'text/csv'],
    [`/project/site-files/upload?${project}&path=/a.css`, 'editor', 'application/octet-stream'],
    [`/user/developer/apps/${world.app_id}/images`, 'outsider', 'image/png'],
    [`/general/newsletter/own-link/${world.project.public_id}`, 'member', 'application/x-www-form-urlencoded'],
  ] as const) {
    const headers = { Cookie: await world.cookie(person), 'Content-Type': type, 'Content-Range': 'bytes 0-5/6' }
    expect([path, (await world.fetch(path, { method: 'POST', headers, body: 'email\n' })).status]).toEqual([path, 507])
  }
  expect((await world.as('editor', '/project/get')).status).toBe(200)
  await world.close()
})

test('The request log of an app keeps the newest rows.', async () => {
  const world = await createSiteWorld()
  const { runtime } = world.service
  const same = { at: 1, method: 'GET', route: '/x', status: 200, duration_ms: 1, error: null, project: null }
  const log = (request_id: string) => logAppRequest(runtime, { app_id: world.app_id, ...same, request_id })
  for (let n = 0; n < MAX_ROWS - 1; n++) log(`early-${n}`)
  await flushRequests(runtime.store)
  for (let n = 0; n < 3; n++) log(`late-${n}`)
  await flushRequests(runtime.store)
  const [found] = await runtime.store.query(
    'SELECT count(*) AS rows, min(id) AS first, max(request_id) AS last FROM app_requests',
  )
  expect(found).toEqual({ rows: MAX_ROWS, first: 3, last: 'late-2' })
  await world.close()
})
