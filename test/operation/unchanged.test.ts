import { eq, type SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { findEditor } from '../../src/access/editor.ts'
import { EMPTY_DOCUMENT } from '../../src/newsletter/email/document.ts'
import { requireUnchanged } from '../../src/operation/unchanged.ts'
import { api_keys, users } from '../../src/store/tables/accounts.ts'
import { signIn } from '../http/signed-in.ts'
import { draft } from '../newsletter/campaigns/support.ts'
import { START, createWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

interface Answer {
  status: number
  body: any
}

async function session(path: string, body: Record<string, unknown>): Promise<Answer> {
  const response = await world.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: world.url, Cookie: await signIn(world, 'owner') },
    body: JSON.stringify({ project_id: world.project.public_id, ...body }),
  })
  return { status: response.status, body: await response.json() }
}
const campaign = async ({ name, ...more }: Record<string, unknown>): Promise<Answer> =>
  world.call('campaigns/update', { campaign_id: (await theDraft).id, subject: name, ...more })
const template = async (more: Record<string, unknown>): Promise<Answer> =>
  world.call('templates/update', { template_id: (await theTemplate).id, ...more })

let theDraft: Promise<{ id: number; updated_at?: string }>
let theTemplate: Promise<{ id: number; updated_at: string }>
beforeAll(() => {
  theDraft = draft(world)
  theTemplate = world.ok('templates/create', { name: 'T', editor_json: EMPTY_DOCUMENT }).then((made) => made.template)
})

describe.each(['campaign', 'template', 'page', 'post'] as const)('An update of a %s', (kind) => {
  test('An update is refused when its target was changed after it was read, also within one millisecond.', async () => {
    const update = await updateOf(kind)
    const first = timeOf(await update({ name: 'One' }))
    const second = timeOf(await update({ name: 'Two', expected_updated_at: first }))
    expect(Date.parse(second)).toBeGreaterThan(Date.parse(first))
    const refused = await update({ name: 'Three', expected_updated_at: first })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining(second)])
    const never = await update({ name: 'Four', expected_updated_at: '2026-02-30T10:00:00.000Z' })
    expect([never.status, JSON.stringify(never.body)]).toEqual([400, expect.stringContaining('/expected_updated_at')])
    expect((await update({ name: 'Four', expected_updated_at: second })).status).toBe(200)
    expect((await update({ name: 'Five' })).status).toBe(200)
  })
})

/** The update of a thing that was just made; `name` is its name, title or subject. */
async function updateOf(kind: 'campaign' | 'template' | 'page' | 'post') {
  if (kind === 'campaign') return campaign
  if (kind === 'template') return template
  const path = kind === 'page' ? '/project/pages' : '/project/cms/posts'
  const made = await session(
    `${path}/create`,
    kind === 'page' ? { path: '/a', title: 'A', html: '<p>A' } : { title: 'A', content: 'A' },
  )
  const { id } = made.body[kind]
  return ({ name, ...more }: Record<string, unknown>) =>
    session(`${path}/update`, { [`${kind}_id`]: id, title: name, ...more })
}

function timeOf({ status, body }: Answer): string {
  expect([status, body.error]).toEqual([200, undefined])
  const [thing] = Object.values(body.data ?? body) as Record<string, string>[]
  return thing!.updated_at ?? thing!.last_update!
}

test('campaigns/update leaves the document out of a summary, and keeps what it changed.', async () => {
  const { id } = await draft(world)
  const { campaign: summary } = await world.ok('campaigns/update', {
    campaign_id: id,
    subject: 'New',
    return: 'summary',
  })
  expect([summary.subject, 'editor_json' in summary]).toEqual(['New', false])
  const { campaign: full } = await world.ok('campaigns/update', { campaign_id: id, subject: 'Newer', return: 'full' })
  expect([full.subject, full.editor_json]).toEqual([
    'Newer',
    (await world.ok('campaigns/get', { campaign_id: id })).campaign.editor_json,
  ])
})

test('The author of the last change is told by name, also with the refusal of a change that crosses it.', async () => {
  const { id, updated_at: read_at } = await draft(world)
  const callers = [
    [world.keys.editor, { kind: 'api_key', id: expect.stringMatching(/^key_/), name: 'editor key' }],
    [await world.token('editor'), { kind: 'app', id: expect.stringMatching(/^cli_/), name: 'Test app' }],
  ] as const
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.update(api_keys).set({ name: 'editor key' }).where(eq(api_keys.user_id, world.users.editor)),
  )
  for (const [as, updated_by] of callers) {
    const { campaign } = await world.ok('campaigns/update', { campaign_id: id, preheader: 'x' }, { as })
    expect((await world.ok('campaigns/get', { campaign_id: id })).campaign.updated_by).toEqual(updated_by)
    const { body } = await world.call('campaigns/update', { campaign_id: id, expected_updated_at: read_at })
    const message = `Changed meanwhile by ${updated_by.name}: updated_at is ${campaign.updated_at}.`
    expect(body.error.details).toEqual([
      { path: '/expected_updated_at', message, updated_at: campaign.updated_at, updated_by },
    ])
  }
  const { page } = (await session('/project/pages/create', { path: '/b', title: 'B', html: '<p>B' })).body
  const owner = { kind: 'user', id: world.users.owner, name: 'owner' }
  expect((await session('/project/pages/get', { page_id: page.id })).body.page.updated_by).toEqual(owner)
  const late = { page_id: page.id, title: 'C', expected_updated_at: '2020-01-01T00:00:00Z' }
  expect((await session('/project/pages/update', late)).body.message).toContain('by owner:')
})

test('Nobody is named for a change whose audit row is gone, or whose user was deleted.', async () => {
  const made = (await session('/project/cms/posts/create', { title: 'Low tide' })).body.post
  const editorOf = async () => (await session('/project/cms/posts/get', { post_id: made.id })).body.post.updated_by
  const { store } = world.service.runtime
  const setDeleted = (deleted_at: number | null) =>
    store.write((tx) => tx.update(users).set({ deleted_at }).where(eq(users.id, world.users.owner)))
  const row = { project_id: world.project.id, target: `post:${made.id}`, updated_at: Date.parse(made.last_update) }
  expect((await editorOf()).name).toBe('owner')
  await setDeleted(START)
  expect(await findEditor(store.db, row)).toBeNull()
  await setDeleted(null)
  expect(await findEditor(store.db, { ...row, updated_at: row.updated_at + 3_600_000 })).toBeNull()
})

test('The expected time may have any offset, and must be a day of the calendar.', async () => {
  const { db } = world.service.runtime.store
  const changed = { project_id: world.project.id, target: 'campaign:1', updated_at: START }
  const offset = new Date(START + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  await requireUnchanged(db, offset, changed)
  await expect(requireUnchanged(db, '2026-02-30T00:00:00Z', changed)).rejects.toThrow()
})

test('Looking for the last change reads the audit log through an index.', async () => {
  const { store } = world.service.runtime
  const seen: string[] = []
  const db = { all: (query: SQL) => (seen.push(new SQLiteAsyncDialect().sqlToQuery(query).sql), store.db.all(query)) }
  await findEditor(db as never, { project_id: world.project.id, target: 'campaign:1', updated_at: START })
  const plan = await store.query(`EXPLAIN QUERY PLAN ${seen[0]!.replaceAll('?', 'NULL')}`)
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH audit_log USING INDEX audit_log_in_order (project_id=? AND at>? AND at<?)',
  ])
})
