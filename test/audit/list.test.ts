import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { AuditItem } from '../../src/audit/list.ts'
import { auditPage } from '../../src/audit/list.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'

let world: SiteWorld
beforeAll(async () => {
  world = await createSiteWorld()
  for (const name of ['One', 'Two', 'Three']) {
    await world.ok('tags/create', { name })
    world.clock.advance(1000)
  }
  await world.ok('tags/create', { name: 'Elsewhere' }, { as: world.keys.other })
  await world.edit('/project/pages/create', { path: '/tides', title: 'Tides', html: '<p>x</p>' })
})
afterAll(() => world.close())

const list = async (query: Record<string, unknown> = {}) => {
  const { status, body } = await world.as('administrator', '/project/audit/list', query)
  expect([status, status === 200 ? null : body]).toEqual([200, null])
  return body as { items: AuditItem[]; next_cursor: string | null }
}
const actions = ({ items }: { items: AuditItem[] }) => items.map(({ action }) => action)

test('An administrator sees the rows of the project, newest first, with their documented fields.', async () => {
  const { items } = await list()
  expect(items[0]).toEqual({
    id: expect.any(Number),
    at: '2026-01-15T09:00:03.000Z',
    actor: `user:${world.users.editor}`,
    action: 'POST /project/pages/create',
    target: expect.stringMatching(/^page:\d+$/),
    ip: '127.0.0.1',
    request_id: expect.stringMatching(/^req_/),
    project_id: world.project.public_id,
    outcome: 'done',
    details: { name: 'Tides' },
  })
  expect(actions({ items })).toEqual(['POST /project/pages/create', 'tags/create', 'tags/create', 'tags/create'])
})

test('Pages follow each other without a gap, and a cursor belongs to its project and filters.', async () => {
  const first = await list({ limit: 3 })
  const second = await list({ limit: 3, cursor: first.next_cursor })
  expect([...first.items, ...second.items]).toEqual((await list()).items)
  expect(second.next_cursor).toBeNull()
  const { status, body } = await world.as('administrator', '/project/audit/list', {
    cursor: first.next_cursor,
    action: 'tags/create',
  })
  expect([status, body.error]).toEqual([400, 'invalid_request'])
})

test('Rows are filtered by actor, action and time.', async () => {
  expect(actions(await list({ actor: `user:${world.users.editor}` }))).toEqual(['POST /project/pages/create'])
  expect(actions(await list({ action: 'tags/create' }))).toHaveLength(3)
  const [page] = (await list({ action: 'POST /project/pages/create' })).items
  expect(actions(await list({ targets: [page!.target, 'tag:0'] }))).toEqual(['POST /project/pages/create'])
  const between = { from: '2026-01-15T09:00:01Z', to: '2026-01-15T10:00:02+01:00' }
  expect((await list(between)).items.map(({ at }) => at)).toEqual(['2026-01-15T09:00:01.000Z'])
  const wrong = await world.as('administrator', '/project/audit/list', { from: '2026-02-30T00:00:00Z' })
  expect(wrong.status).toBe(400)
})

test('The operator sees all projects, or one, and nobody else does.', async () => {
  const ask = async (body: Record<string, unknown> = {}) => {
    const response = await world.fetch('/user/operator/audit/list', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: await world.cookie('outsider') },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  expect((await ask()).status).toBe(403)
  await world.service.runtime.store.write((tx) =>
    tx.update(users).set({ admin: true }).where(eq(users.id, world.users.outsider)),
  )
  const all = (await ask()).body.items as AuditItem[]
  expect(new Set(all.map(({ project_id }) => project_id))).toEqual(
    new Set([world.project.public_id, world.other.public_id]),
  )
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a))
  const first = (await ask({ limit: 2 })).body
  expect((await ask({ limit: 200, cursor: first.next_cursor })).body.items).toEqual(all.slice(2))
  expect(actions((await ask({ project_id: world.other.public_id })).body)).toEqual(['tags/create'])
  expect((await ask({ project_id: 'prj_unknown' })).status).toBe(404)
})

test('A page reads an index in its order and sorts nothing.', async () => {
  const { store } = world.service.runtime
  const planOf = async (...asked: Parameters<typeof auditPage>) =>
    (await store.db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${auditPage(...asked)}`)).map(({ detail }) => detail)
  const filter = { actor: 'visitor', from: 1, to: 2 }
  const after = { created_at: 5, id: 5 }
  for (const position of [null, after]) {
    const plan = await planOf(world.project.id, filter, position, 50)
    expect(plan[0]).toStartWith('SEARCH log USING INDEX audit_log_in_order (project_id=? AND ')
    expect(plan.join()).not.toContain('TEMP B-TREE')
    expect((await planOf(null, {}, position, 50)).join()).not.toContain('TEMP B-TREE')
  }
})
