import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { compileLeaf } from '../../../src/newsletter/segments/leaf-sql.ts'
import type { Leaf, OrderedLeaf, RuleField, TextLeaf } from '../../../src/newsletter/segments/rule-values.ts'
import type { SqlCondition } from '../../../src/newsletter/segments/sql-condition.ts'
import { newContact, newProject, NOW, sharedStore } from '../../support/shared-store.ts'
import { createWorld, type World } from '../../support/world.ts'
import { addPeople } from '../campaigns/support.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const matching = async (rule: object): Promise<number> =>
  (await world.ok('segments/preview', { rules: { op: 'and', rules: [rule] } })).count

test('A rule "ends with" counts characters as people do, also emoji.', async () => {
  for (const [email, last_name] of [
    ['ada@example.com', 'Sunny 😀😀'],
    ['bo@example.com', 'Rainy'],
  ])
    await world.ok('contacts/upsert', { email, last_name, consent_text: 'Yes' })
  for (const value of ['😀', '😀😀', 'ny 😀😀'])
    expect(await matching({ field: 'last_name', operator: 'ends_with', value })).toBe(1)
})

test('A test, a confirmation, a doubtful or a bounced message alone is no received campaign.', async () => {
  const [id] = await addPeople(world, [{ email: 'cy@example.com' }])
  const { store } = world.service.runtime
  const now = world.clock.now()
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    audience_spec: { include: [{ type: 'all' }] },
  })
  const send = (kind: string, status = 'sent') =>
    store.write((tx) =>
      tx.run(sql`
        INSERT INTO deliveries (project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, created_at,
          sent_at)
        VALUES (${world.project.id}, ${kind}, ${campaign.id}, ${id}, 'cy@example.com', ${status}, ${now}, ${now},
          ${now})`),
    )
  await send('test')
  await send('confirmation')
  await send('campaign', 'uncertain')
  for (const [status, received] of [
    ['uncertain', 0],
    ['bounced', 0],
    ['sent', 1],
  ] as const) {
    await store.write((tx) =>
      tx.run(sql`UPDATE deliveries SET status = ${status} WHERE contact_id = ${id} AND kind = 'campaign'`),
    )
    expect(await matching({ field: 'received' })).toBe(received)
  }
})

/** The ids of a project's contacts that a rule matches. */
async function matched(
  project: ProjectId,
  leaf: Leaf,
  segments?: ReadonlyMap<number, SqlCondition>,
): Promise<number[]> {
  const { sql: condition } = compileLeaf(leaf, { now: NOW, segments })
  const rows = await (
    await sharedStore()
  ).db.all<{ id: number }>(sql`
    SELECT contact.id FROM contacts contact WHERE contact.project_id = ${project} AND ${condition} ORDER BY contact.id`)
  return rows.map(({ id }) => id)
}
const TEXT: RuleField = { name: 'last_name', type: 'text' }
const CREATED: RuleField = { name: 'created_at', type: 'date' }
const field = (slot: number | null): RuleField =>
  ({ name: 'custom', type: 'text', custom: { key: 'town', type: 'text', slot } }) as never

test('A range has both its ends, and a comparison the ends that it names.', async () => {
  const project = await newProject()
  const ids: number[] = []
  for (const created_at of [9, 10, 15, 20, 21])
    ids.push(await newContact(project, `${created_at}@x.example`, { created_at }))
  const of = async (operator: OrderedLeaf['operator'], low = 10, high = 20) =>
    (await matched(project, { type: 'ordered', field: CREATED, operator, low, high })).map((id) => ids.indexOf(id))
  expect(await of('between')).toEqual([1, 2, 3])
  expect(await of('eq')).toEqual([1, 2, 3])
  expect(await of('neq')).toEqual([0, 4])
  expect(await of('eq', 15, 15)).toEqual([2])
  expect(await of('neq', 15, 15)).toEqual([0, 1, 3, 4])
  expect(await of('gt')).toEqual([4])
  expect(await of('gte')).toEqual([1, 2, 3, 4])
  expect(await of('lt')).toEqual([0])
  expect(await of('lte')).toEqual([0, 1, 2, 3])
})

test('The last days reach from the same moment of that day to now, for custom fields from day to day.', async () => {
  const project = await newProject()
  const DAY_MS = 86_400_000
  const ids: number[] = []
  for (const [created_at, slot_1] of [
    [NOW - 2 * DAY_MS - 1, '2026-01-12'],
    [NOW - 2 * DAY_MS, '2026-01-13'],
    [NOW, '2026-01-15'],
    [NOW + 1, '2026-01-16'],
  ] as const)
    ids.push(await newContact(project, `${created_at}@x.example`, { created_at, slot_1 } as never))
  const of = async (by: RuleField, negated: boolean) =>
    (await matched(project, { type: 'last_days', field: by, not: negated, days: 2 })).map((id) => ids.indexOf(id))
  for (const by of [CREATED, field(1)]) {
    expect(await of(by, false)).toEqual([1, 2])
    expect(await of(by, true)).toEqual([0, 3])
  }
})

test('A text begins with a text in its whole range of characters, and contains it anywhere.', async () => {
  const project = await newProject()
  const ids: number[] = []
  for (const last_name_key of ['ti', 'tid', 'tid\u{10FFFD}', 'tie', 'a tid', ''])
    ids.push(await newContact(project, `${ids.length}@x.example`, { last_name_key } as never))
  const of = async (operator: TextLeaf['operator'], ...values: string[]) =>
    (await matched(project, { type: 'text', field: TEXT, operator, values })).map((id) => ids.indexOf(id))
  expect(await of('starts_with', 'tid')).toEqual([1, 2])
  expect(await of('contains', 'tid')).toEqual([1, 2, 4])
  expect(await of('not_contains', 'tid')).toEqual([0, 3, 5])
  expect(await of('ends_with', 'tid')).toEqual([1, 4])
  expect([await of('in', 'tid'), await of('in', 'tid', 'tie')]).toEqual([[1], [1, 3]])
  expect([await of('not_in', 'tid'), await of('not_in', 'tid', 'tie')]).toEqual([
    [0, 2, 3, 4, 5],
    [0, 2, 4, 5],
  ])
  const set = async (negated: boolean) =>
    (await matched(project, { type: 'set', field: TEXT, not: negated })).map((id) => ids.indexOf(id))
  expect([await set(false), await set(true)]).toEqual([[0, 1, 2, 3, 4], [5]])
})

test('The segments of a rule are joined, and one that is gone matches nobody.', async () => {
  const project = await newProject()
  const [ada, bo] = [await newContact(project, 'ada@x.example'), await newContact(project, 'bo@x.example')]
  const one = (id: number): SqlCondition => ({ sql: sql`contact.id = ${id}`, cost: 1, share: 0.1 })
  const segments = new Map([
    [1, one(ada)],
    [2, one(bo)],
  ])
  const of = (ids: number[], negated = false) => matched(project, { type: 'segment', ids, not: negated }, segments)
  expect([await of([1]), await of([1, 2]), await of([1, 1, 9]), await of([9])]).toEqual([[ada], [ada, bo], [ada], []])
  expect([await of([1], true), await of([1, 2], true), await of([9], true)]).toEqual([[bo], [], [ada, bo]])
  expect(await matched(project, { type: 'segment', ids: [1], not: false })).toEqual([])
})

test('A condition is estimated by what it reads, and its negation matches the others.', () => {
  const estimate = (leaf: Leaf) => {
    const { cost, share } = compileLeaf(leaf, { now: NOW })
    return [cost, Number(share.toFixed(9))]
  }
  const text = (operator: TextLeaf['operator'], count = 1, by = TEXT) =>
    estimate({ type: 'text', field: by, operator, values: Array.from({ length: count }, String) })
  expect([text('in'), text('not_in'), text('in', 2), text('in', 50)]).toEqual([
    ...[
      [1, 0.1],
      [1, 0.9],
      [1.5, 0.2],
      [1.5, 0.9],
    ],
  ])
  expect([text('contains'), text('not_contains'), text('starts_with'), text('ends_with')]).toEqual([
    ...[
      [1.5, 0.2],
      [1.5, 0.8],
      [1.5, 0.2],
      [3, 0.2],
    ],
  ])
  expect([text('in', 1, field(3)), text('in', 1, field(null))]).toEqual([
    [1, 0.1],
    [8, 0.1],
  ])
  expect(text('in', 1, { name: 'email_domain', type: 'text' })).toEqual([3, 0.1])
  expect(text('in', 1, { name: 'last_open_at', type: 'text' })).toEqual([20, 0.1])
  const members = (type: 'list' | 'tag', negated = false) => estimate({ type, not: negated, ids: [1] })
  expect([members('list'), members('tag'), members('tag', true)]).toEqual([
    [12, 0.5],
    [11, 0.2],
    [11, 0.8],
  ])
  const opened = (negated: boolean) => estimate({ type: 'engagement', event: 'open', machine: false, not: negated })
  expect([opened(false), opened(true)]).toEqual([
    [20, 0.3],
    [20, 0.7],
  ])
  const range = (low: number, operator: OrderedLeaf['operator']) =>
    estimate({ type: 'ordered', field: CREATED, operator, low, high: 2 })
  expect([range(1, 'between'), range(2, 'eq'), range(2, 'neq'), range(2, 'gt')]).toEqual([
    ...[
      [1, 0.5],
      [1, 0.1],
      [1, 0.9],
      [1, 0.5],
    ],
  ])
  expect([estimate({ type: 'constant', matches: true }), estimate({ type: 'constant', matches: false })]).toEqual([
    ...[
      [0, 1],
      [0, 0],
    ],
  ])
})
