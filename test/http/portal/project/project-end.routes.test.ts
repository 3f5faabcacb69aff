import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { ERASED, SCANNED } from '../../../../src/deletion/erasure.ts'
import { exportedProject } from '../../../../src/projects/export.ts'
import { campaigns, deliveries } from '../../../../src/store/tables/delivery.ts'
import { sessions } from '../../../../src/store/tables/accounts.ts'
import { messagesTo } from '../../../support/mailbox.ts'
import { createSiteWorld, type SiteWorld } from '../../site-world.ts'

let world: SiteWorld
beforeEach(async () => {
  world = await createSiteWorld()
  for (const role of ['owner', 'administrator', 'outsider'] as const) await world.cookie(role)
  await confirmAll()
})
afterEach(() => world.close())

const store = () => world.service.runtime.store
const confirmAll = () => store().write((tx) => tx.update(sessions).set({ confirmed_at: world.clock.now() }))
const errorOf = async (role: 'owner' | 'administrator', path: string, body: object) => {
  const { status, body: answer } = await world.as(role, `/project/${path}`, body as Record<string, unknown>)
  return `${status} ${answer.error ?? ''}`.trim()
}
const rowsOf = async (table: string, project_id: number) =>
  Number((await store().query(`SELECT count(*) AS n FROM ${table} WHERE project_id = ${project_id}`))[0]!.n)
const tablesWithProjects = async () =>
  (
    await store().query(
      `SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'project_id' ORDER BY m.name`,
    )
  ).map(({ name }) => String(name))

/** Something of each kind, in the main project. */
async function fill() {
  await world.edit('/project/pages/create', { path: '/', title: 'Home', html: '<p>Tides</p>', published: true })
  const file = await world.fetch(`/project/site-files/upload?project_id=${world.project.public_id}&path=/style.css`, {
    method: 'POST',
    headers: { Cookie: await world.cookie('editor') },
    body: 'p { color: red }',
  })
  expect(file.status).toBe(200)
  await world.edit('/project/cms/posts/create', { title: 'Post', content: 'One two.', status: 'published' })
  await world.edit('/project/directory/items/create', { directory: 'Shops', title: 'Shop', fields: { open: true } })
  await world.connect('<script>1</script>')
  const { list } = await world.ok('lists/create', { name: 'News' })
  const { contact } = await world.ok('contacts/upsert', {
    email: 'ann@example.com',
    consent_text: 'Yes.',
    list_ids: [list.id],
  })
  const { tag } = await world.ok('tags/create', { name: 'friend' })
  await world.ok('contacts/tags', { contact_id: contact.id, add: [tag.id] })
  await world.ok('suppressions/add', { email: 'bob@example.com', reason: 'manual' })
  await world.ok('connections/create', { name: 'Box', provider: 'sandbox' })
  const { campaign } = await world.ok('campaigns/create', {
    name: 'May',
    subject: 'Secret plan',
    audience_spec: { include: [{ type: 'all' }] },
  })
  await store().write((tx) =>
    tx.insert(deliveries).values({
      project_id: world.project.id,
      kind: 'campaign',
      campaign_id: campaign.id,
      contact_id: contact.id,
      email: 'ann@example.com',
      status: 'sent',
      next_attempt_at: 0,
      created_at: 0,
    }),
  )
  return { campaign_id: campaign.id as number }
}

test('Members see what the project uses, and the limits.', async () => {
  await world.ok('contacts/upsert', { email: 'eve@example.com', consent_text: 'Yes.' })
  const { usage } = (await world.as('member', '/project/usage')).body
  expect(usage).toMatchObject({
    contacts: { used: 1, limit: 5_000_000 },
    messages_this_month: { used: 0, limit: null, resets_on: '2026-02-01T00:00:00.000Z' },
    members: { used: 4, limit: 1000 },
    api_keys: { used: 4, limit: 100 },
  })
  const forms = usage.stored.find(({ kind }: { kind: string }) => kind === 'form_entries')
  expect(forms).toEqual({ kind: 'form_entries', rows: 0, row_limit: 50_000, bytes: 0, byte_limit: 268_435_456 })
})

test('A hand-over needs an owner who has confirmed, and a member who can sign in.', async () => {
  const user_id = world.users.editor
  expect(await errorOf('administrator', 'hand-over', { user_id })).toBe('403 forbidden')
  expect(await errorOf('owner', 'hand-over', { user_id: world.users.owner })).toBe('409 conflict')
  expect(await errorOf('owner', 'hand-over', { user_id: world.users.outsider })).toBe('404 not_found')
  world.clock.advance(600_000)
  expect(await errorOf('owner', 'hand-over', { user_id })).toBe('403 confirmation_required')
  await confirmAll()
})

test('A hand-over makes the other one owner, and the owner an administrator. Both are told.', async () => {
  const wake = spyOn(world.service.runtime, 'wake')
  const { member } = (await world.as('owner', '/project/hand-over', { user_id: world.users.administrator })).body
  expect(wake.mock.calls).toEqual([['mail']])
  wake.mockRestore()
  expect(member).toMatchObject({ user_id: world.users.administrator, role: 'owner' })
  expect(await errorOf('owner', 'hand-over', { user_id: world.users.editor })).toBe('403 forbidden')
  for (const person of ['owner', 'administrator'])
    expect((await messagesTo(world, `${person}@example.com`)).at(-1)!.subject).toBe('Your project has another owner')
  await confirmAll()
  await world.as('administrator', '/project/hand-over', { user_id: world.users.owner })
  await confirmAll()
})

describe('A project', () => {
  let campaign_id: number
  beforeEach(async () => {
    ;({ campaign_id } = await fill())
  })

  test('A project is exported with everything but credentials.', async () => {
    const path = `/project/${world.project.public_id}/export`
    const download = async (role: 'owner' | 'administrator') =>
      world.fetch(path, { headers: { Cookie: await world.cookie(role) } })
    expect((await download('administrator')).status).toBe(403)
    const answer = await download('owner')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="harbour-news.jsonl"')
    const things = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(things.find(({ kind }) => kind === 'page')).toMatchObject({ path: '/', html: '<p>Tides</p>' })
    expect(things.find(({ email }) => email === 'ann@example.com')).toMatchObject({
      kind: 'contact',
      global_status: 'subscribed',
      lists: [{ name: 'News', status: 'subscribed' }],
      consent_at: '2026-01-15T09:00:00.000Z',
    })
    const style = things.find(({ kind }) => kind === 'site_file')
    expect([style.path, Buffer.from(style.content, 'base64').toString()]).toEqual(['/style.css', 'p { color: red }'])
    expect(new Set(things.map(({ kind }) => kind))).toEqual(
      new Set(['page', 'post', 'site_file', 'directory_item', 'list', 'tag', 'campaign', 'contact', 'suppression']),
    )
  })

  test('A project is exported in pieces, so that its large pages are not in memory together.', async () => {
    const html = 'x'.repeat(300_000)
    for (const path of ['/c', '/a', '/b']) await world.edit('/project/pages/create', { path, title: path, html })
    const pieces = await Array.fromAsync(exportedProject(store(), world.project.id))
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 * html.length)
    const things = Buffer.concat(pieces).toString().trim().split('\n')
    expect(things.flatMap((line) => JSON.parse(line).path ?? [])).toEqual(['/', '/a', '/b', '/c', '/style.css'])
  })

  test('A project is deleted by an owner who types its name, and then nobody finds it.', async () => {
    expect(await errorOf('administrator', 'delete', { name: 'Harbour News' })).toBe('403 forbidden')
    for (const name of ['Harbour', 'harbour news', ''])
      expect(await errorOf('owner', 'delete', { name })).toBe('400 invalid_request')
    await store().write((tx) => tx.update(campaigns).set({ status: 'sending' }).where(eq(campaigns.id, campaign_id)))
    expect((await world.visit('/')).status).toBe(200)
    const wake = spyOn(world.service.runtime, 'wake')
    expect(await errorOf('owner', 'delete', { name: 'Harbour News' })).toBe('200')
    expect(wake.mock.calls).toEqual([['mail'], ['maintenance']])
    wake.mockRestore()
    expect(await errorOf('owner', 'get', {})).toBe('403 project_not_authorized')
    expect((await world.call('contacts/list')).status).toBe(401)
    expect((await world.visit('/')).status).toBe(421)
    expect((await world.fetch('/sites/harbour-news/')).status).toBe(404)
    const form = { project_id: world.project.public_id, email: 'new@example.com', consent_text: 'Yes.' }
    const signup = await world.fetch('/general/newsletter/signup', { method: 'POST', body: new URLSearchParams(form) })
    expect(signup.status).toBe(400)
    const { projects } = (await world.as('owner', '/project/list', { project_id: undefined })).body
    expect(projects.map(({ name }: { name: string }) => name)).toEqual(['Mountain Post'])
    const again = { name: 'Harbour again', slug: 'harbour-news', project_id: undefined }
    expect((await world.as('owner', '/project/create', again)).status).toBe(200)
  })

  test('A project that is deleted leaves no rows behind, and takes none of another project.', async () => {
    const before = await rowsOf('members', world.other.id)
    expect(await errorOf('owner', 'delete', { name: 'Harbour News' })).toBe('200')
    await world.service.drain('maintenance')
    // Keys stay with their selector, and apps are told that they were disconnected.
    const staying = new Set(['app_events', 'audit_log', 'dkim_keys'])
    const at_once = ['api_keys', 'authorization_projects', 'campaigns', 'invitations', 'members']
    const erased = new Set<string>([
      ...ERASED.flatMap(({ table, dependents }) => [table, ...(dependents?.steps.map((step) => step.table) ?? [])]),
      ...SCANNED,
      ...at_once,
    ])
    const tables = await tablesWithProjects()
    expect(tables.filter((table) => !staying.has(table) && !erased.has(table))).toEqual([])
    const left = []
    for (const table of tables.filter((name) => !staying.has(name)))
      if ((await rowsOf(table, world.project.id)) > 0) left.push(table)
    expect(left).toEqual([])
    expect(await rowsOf('members', world.other.id)).toBe(before)
  })
})
