import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Rule, RuleGroup } from '../../../src/store/tables/segments.ts'
import { campaigns } from '../../../src/store/tables/delivery.ts'
import { EMPTY_DOCUMENT } from '../../../src/newsletter/email/document.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(() =>
  world.service.runtime.store.write(async (tx) => {
    for (const table of ['segments', 'contacts', 'tags', 'lists', 'custom_fields', 'campaigns'])
      await tx.run(sql`DELETE FROM ${sql.identifier(table)}`)
  }),
)

const anyOf = (...rules: (Rule | RuleGroup)[]): RuleGroup => ({ op: 'or', rules })
const named = (value: string): Rule => ({ field: 'first_name', operator: 'eq', value })
const inSegment = (...ids: number[]): Rule => ({ field: 'segment', operator: 'in', value: ids })
let people = 0
const person = async (first_name: string, more: Record<string, unknown> = {}): Promise<number> =>
  (await world.ok('contacts/upsert', { email: `p${++people}@example.com`, consent_text: 'Yes', first_name, ...more }))
    .contact.id
const segment = async (name: string, rules: RuleGroup): Promise<number> =>
  (await world.ok('segments/create', { name, rules })).segment.id
const flaws = async (operation: string, body: Record<string, unknown>) => {
  const {
    status,
    body: { error },
  } = await world.call(operation, body)
  return [status, error?.code, ...(error?.details ?? []).map(({ path }: { path: string }) => path)]
}

test('A segment is created, read, listed, changed and deleted.', async () => {
  const rules = anyOf(named('Ada'))
  const { segment: made } = await world.ok('segments/create', { name: '  Readers ', rules })
  expect(made).toEqual({
    id: expect.any(Number),
    name: 'Readers',
    rules,
    created_at: '2026-01-15T09:00:00.000Z',
    updated_at: '2026-01-15T09:00:00.000Z',
  })
  expect(await world.ok('segments/get', { segment_id: made.id })).toEqual({ segment: made })
  const other = await segment('Others', anyOf())
  const first = await world.ok('segments/list', { limit: 1 })
  expect(first.items).toEqual([made])
  expect(
    (await world.ok('segments/list', { limit: 1, cursor: first.next_cursor })).items.map(
      ({ id }: { id: number }) => id,
    ),
  ).toEqual([other])
  const renamed = await world.ok('segments/update', { segment_id: made.id, name: 'Writers' })
  expect(renamed.segment).toMatchObject({ name: 'Writers', rules })
  expect((await world.ok('segments/update', { segment_id: made.id, rules: anyOf() })).segment).toMatchObject({
    name: 'Writers',
    rules: anyOf(),
  })
  expect((await world.ok('segments/delete', { segment_id: made.id })).segment.id).toBe(made.id)
  expect(await flaws('segments/get', { segment_id: made.id })).toEqual([404, 'NOT_FOUND', '/segment_id'])
})

test('Two segments cannot share a name that differs only in case.', async () => {
  await segment('Zürich', anyOf())
  const other = await segment('Bern', anyOf())
  expect(await flaws('segments/create', { name: 'ZÜRICH ', rules: anyOf() })).toEqual([409, 'CONFLICT', '/name'])
  expect(await flaws('segments/update', { segment_id: other, name: 'zürich' })).toEqual([409, 'CONFLICT', '/name'])
})

test('A segment of another project is not found.', async () => {
  const mine = await segment('Mine', anyOf())
  for (const [operation, more] of [
    ['get', {}],
    ['update', { name: 'x' }],
    ['delete', {}],
    ['materialize', { tag_name: 'x' }],
  ] as const) {
    const { status } = await world.call(
      `segments/${operation}`,
      { segment_id: mine, ...more },
      { as: world.keys.other },
    )
    expect([operation, status]).toEqual([operation, 404])
  }
  expect((await world.ok('segments/preview', { rules: anyOf(inSegment(mine)) }, { as: world.keys.other })).count).toBe(
    0,
  )
})

test('A segment is not saved with invalid rules.', async () => {
  expect(
    await flaws('segments/create', {
      name: 'S',
      rules: anyOf(named('Ada'), { field: 'custom.town', operator: 'eq', value: 'x' }),
    }),
  ).toEqual([400, 'VALIDATION_FAILED', '/rules/rules/1/field'])
  expect(
    await flaws('segments/create', {
      name: 'S',
      rules: { op: 'and', rules: [{ field: 'opened', operator: null, value: {} }] },
    }),
  ).toEqual([400, 'VALIDATION_FAILED', '/rules/rules/0/operator'])
  const made = await segment('S', anyOf())
  expect(await flaws('segments/update', { segment_id: made, rules: { op: 'and' } })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/rules/rules',
  ])
})

test('A preview counts all matching contacts and shows the first ten.', async () => {
  const ids: number[] = []
  for (let n = 0; n < 12; n++) ids.push(await person(n % 2 ? 'Ada' : 'ADA'))
  await person('Bo')
  const { count, sample } = await world.ok('segments/preview', { rules: anyOf(named('ada')) })
  expect(count).toBe(12)
  expect(sample.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 10))
  expect(sample[0]).toEqual((await world.ok('contacts/get', { contact_id: ids[0] })).contact)
  expect(await world.ok('segments/preview', { rules: anyOf(named('Cy')) })).toEqual({ count: 0, sample: [] })
  expect((await world.ok('segments/preview', { rules: anyOf() })).count).toBe(13)
})

test('A preview covers ids that are far apart.', async () => {
  const { store } = world.service.runtime
  const far = [1_000_001, 1_100_000, 1_100_001, 1_100_002, 1_250_000, 5_000_000, 9_000_000]
  await store.write(async (tx) => {
    for (const id of far) {
      const email = `far${id}@example.com`
      await tx.run(sql`
        INSERT INTO contacts (id, project_id, email, email_key, search_key, global_status, created_at, updated_at)
        VALUES (${id}, ${world.project.id}, ${email}, ${email}, '', 'subscribed', 0, 0)`)
    }
  })
  const { count, sample } = await world.ok('segments/preview', {
    rules: anyOf({ field: 'email', operator: 'starts_with', value: 'far' }),
  })
  expect([count, ...sample.map(({ id }: { id: number }) => id)]).toEqual([far.length, ...far])
  expect(
    (
      await world.ok('contacts/stats', {
        filter: anyOf({ field: 'email', operator: 'ends_with', value: '001@example.com' }),
      })
    ).total,
  ).toBe(2)
})

test('A preview sees the present custom values, with and without a column of their own.', async () => {
  const keys = Array.from({ length: 14 }, (_, index) => `field_${index}`)
  const field_ids: number[] = []
  for (const key of keys)
    field_ids.push((await world.ok('custom-fields/create', { key, label: key, type: 'text' })).custom_field.id)
  const everywhere = (value: string) => Object.fromEntries(keys.map((key) => [key, value]))
  const ada = await person('Ada', { custom_fields: everywhere('ÄPFEL') })
  await person('Bo', { custom_fields: { field_0: 'Birnen' } })
  const count = async (key: string, value: string): Promise<number> =>
    (await world.ok('segments/preview', { rules: anyOf({ field: `custom.${key}`, operator: 'eq', value }) })).count
  for (const key of keys) expect([key, await count(key, 'äpfel')]).toEqual([key, 1])

  await world.ok('contacts/update', {
    contact_id: ada,
    custom_fields: { field_0: 'Birnen', field_13: 'Quitten', field_5: null },
  })
  expect([
    await count('field_0', 'birnen'),
    await count('field_0', 'äpfel'),
    await count('field_13', 'quitten'),
    await count('field_13', 'äpfel'),
    await count('field_5', 'äpfel'),
    await count('field_6', 'äpfel'),
  ]).toEqual([2, 0, 1, 0, 0, 1])
  await world.ok('contacts/update', { contact_id: ada, first_name: 'ÉVA' })
  expect([
    (await world.ok('segments/preview', { rules: anyOf(named('éva')) })).count,
    await count('field_6', 'äpfel'),
  ]).toEqual([1, 1])

  // A slot that is free again holds nothing of the field that had it.
  await world.ok('custom-fields/delete', { field_id: field_ids[6] })
  await world.ok('custom-fields/delete', { field_id: field_ids[12] })
  await world.ok('custom-fields/create', { key: 'newcomer', label: 'N', type: 'text' })
  expect([
    await count('newcomer', 'äpfel'),
    await count('field_7', 'äpfel'),
    await count('field_13', 'quitten'),
  ]).toEqual([0, 1, 1])
  const saved = await segment('Lost', anyOf({ field: 'custom.field_7', operator: 'eq', value: 'äpfel' }))
  await world.ok('custom-fields/delete', { field_id: field_ids[7] })
  expect((await world.ok('segments/preview', { rules: anyOf(inSegment(saved)) })).count).toBe(0)
})

test('A change to a nested segment changes the segment that names it.', async () => {
  await person('Ada')
  const inner = await segment('Inner', anyOf(named('Ada')))
  const outer = await segment('Outer', { op: 'not', rules: [inSegment(inner)] })
  const count = async () => (await world.ok('segments/preview', { rules: anyOf(inSegment(outer)) })).count
  expect(await count()).toBe(0)
  await world.ok('segments/update', { segment_id: inner, rules: anyOf(named('Bo')) })
  expect(await count()).toBe(1)
})

test('Segments cannot form a loop of any length.', async () => {
  const a = await segment('A', anyOf())
  const b = await segment('B', anyOf(inSegment(a)))
  const c = await segment('C', anyOf(named('x'), anyOf(inSegment(999, b))))
  expect(await flaws('segments/update', { segment_id: a, rules: anyOf(inSegment(a)) })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/rules/rules/0/value',
  ])
  expect(
    await flaws('segments/update', {
      segment_id: a,
      rules: anyOf(named('x'), { op: 'not', rules: [inSegment(999), inSegment(c)] }),
    }),
  ).toEqual([400, 'VALIDATION_FAILED', '/rules/rules/1/rules/1/value'])
  expect((await world.ok('segments/get', { segment_id: a })).segment.rules).toEqual(anyOf())
  await world.ok('segments/update', { segment_id: c, rules: anyOf(inSegment(a), inSegment(b)) })
})

test('At most ten segments nest.', async () => {
  const chain = [await segment('0', anyOf(named('x')))]
  for (let n = 1; n <= 10; n++) chain.push(await segment(String(n), anyOf(inSegment(chain.at(-1)!))))
  expect(await flaws('segments/create', { name: '11', rules: anyOf(inSegment(chain.at(-1)!)) })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/rules',
  ])
  expect(await flaws('segments/preview', { rules: anyOf(inSegment(chain.at(-1)!)) })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/rules',
  ])
  const another = await segment('another', anyOf(named('y')))
  expect(await flaws('segments/update', { segment_id: chain[0], rules: anyOf(inSegment(another)) })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/rules',
  ])
  await world.ok('segments/update', { segment_id: chain[0], rules: anyOf(named('z')) })
})

test('The number of rules with all nested segments expanded is limited.', async () => {
  const sixty = (rule: Rule) => anyOf(...Array.from({ length: 60 }, () => rule))
  const small = await segment('small', anyOf(named('x'), named('y')))
  const large = await segment('large', sixty(inSegment(small)))
  expect(await flaws('segments/create', { name: 'too large', rules: sixty(inSegment(large)) })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/rules',
  ])
  await segment('four of them', anyOf(...Array.from({ length: 3 }, () => inSegment(large))))
  expect(
    await flaws('segments/update', {
      segment_id: small,
      rules: anyOf(named('a'), named('b'), named('c'), named('d')),
    }),
  ).toEqual([400, 'VALIDATION_FAILED', '/rules'])
})

test('Six hundred rules still compile into one condition.', async () => {
  await person('Ada')
  const groups = Array.from({ length: 20 }, (_, index) => ({
    op: index % 2 ? ('and' as const) : ('not' as const),
    rules: [
      named('x'),
      { field: 'tag', operator: 'in', value: 1 },
      { op: 'or' as const, rules: [{ field: 'opened' }] },
    ],
  }))
  const base = await segment('base', anyOf(...groups))
  const { count } = await world.ok('segments/preview', {
    rules: { op: 'and', rules: Array.from({ length: 9 }, () => inSegment(base)) },
  })
  expect(count).toBe(1)
})

test('A segment that another segment names cannot be deleted.', async () => {
  const inner = await segment('Inner', anyOf())
  const outer = await segment('Outer', anyOf(inSegment(inner)))
  const { status, body } = await world.call('segments/delete', { segment_id: inner })
  expect([status, body.error.code, body.error.details]).toEqual([
    409,
    'CONFLICT',
    { segment_ids: [outer], campaign_ids: [] },
  ])
  await world.ok('segments/delete', { segment_id: outer })
  await world.ok('segments/delete', { segment_id: inner })
})

test('A segment that is the second of two that another one names cannot be deleted either.', async () => {
  const [first, second] = [await segment('First', anyOf(named('A'))), await segment('Second', anyOf(named('B')))]
  const outer = await segment('Both', anyOf(inSegment(first), anyOf(inSegment(second))))
  for (const segment_id of [first, second]) {
    const { status, body } = await world.call('segments/delete', { segment_id })
    expect([status, body.error.details.segment_ids]).toEqual([409, [outer]])
  }
})

test.each([['include'], ['exclude']])(
  'A segment in the %s part of a campaign that has not ended cannot be deleted.',
  async (part) => {
    const used = await segment('Used', anyOf())
    const { store } = world.service.runtime
    const audience_spec = {
      include: [{ type: 'all' as const }],
      ...{ [part]: [{ type: 'segment' as const, id: used }] },
    }
    const [campaign] = await store.write((tx) =>
      tx
        .insert(campaigns)
        .values({
          project_id: world.project.id,
          name: 'C',
          search_key: 'c',
          subject: 'C',
          editor_json: EMPTY_DOCUMENT,
          audience_spec,
          track_opens: true,
          track_clicks: true,
          status: 'draft',
          created_at: 0,
          updated_at: 0,
        })
        .returning(),
    )
    for (const status of [
      'draft',
      'scheduled',
      'preparing',
      'sending',
      'paused',
      'sent',
      'cancelled',
      'failed',
    ] as const) {
      await store.write((tx) => tx.update(campaigns).set({ status }))
      const hasEnded = status === 'sent' || status === 'cancelled' || status === 'failed'
      const answer = await world.call('segments/delete', { segment_id: used })
      expect([status, answer.status]).toEqual([status, hasEnded ? 200 : 409])
      if (!hasEnded) expect(answer.body.error.details).toEqual({ segment_ids: [], campaign_ids: [campaign!.id] })
      else break
    }
  },
)

describe('segments/materialize', () => {
  const members = async (tag_id: number) =>
    (await world.ok('contacts/list', { tag_id, limit: 200 })).items.map(({ id }: { id: number }) => id)
  const tags = async (): Promise<{ id: number; name: string }[]> => (await world.ok('tags/list')).items

  test('segments/materialize tags the present members with a new tag.', async () => {
    const ada = await person('Ada')
    await person('Bo')
    const segment_id = await segment('Adas', anyOf(named('Ada')))
    const answer = await world.call('segments/materialize', { segment_id, tag_name: ' Adas of today ' })
    expect([answer.status, answer.body.data.job]).toMatchObject([
      202,
      { kind: 'segment_materialize', status: 'queued', processed: 0, total: null, error: null },
    ])
    await world.settle()
    const [tag] = await tags()
    expect([tag!.name, await members(tag!.id)]).toEqual(['Adas of today', [ada]])
    await person('Ada')
    expect(await members(tag!.id)).toEqual([ada])
    const [job] = await world.service.runtime.store.db.all<{ status: string; processed: number; total: number }>(
      sql`SELECT status, processed, total FROM jobs WHERE id = ${answer.body.data.job.id}`,
    )
    expect(job).toEqual({ status: 'completed', processed: 1, total: 1 })
  })

  test('segments/materialize uses an existing tag, and counts contacts that have it already.', async () => {
    const [ada, eve] = [await person('Ada'), await person('Eve')]
    const tag_id = (await world.ok('tags/create', { name: 'Friends' })).tag.id
    await world.ok('segments/materialize', {
      segment_id: await segment('Adas', anyOf(named('Ada'))),
      tag_name: 'FRIENDS',
    })
    await world.settle()
    const all = await world.ok('segments/materialize', { segment_id: await segment('All', anyOf()), tag_id })
    await world.settle()
    expect(await members(tag_id)).toEqual([ada, eve])
    expect(await tags()).toHaveLength(1)
    const [job] = await world.service.runtime.store.db.all<{ processed: number }>(
      sql`SELECT processed FROM jobs WHERE id = ${all.job.id}`,
    )
    expect(job!.processed).toBe(2)
  })

  test('segments/materialize creates a tag whose name only another project has.', async () => {
    const ada = await person('Ada')
    const other = world.keys.other
    const theirs = (await world.ok('tags/create', { name: 'Friends' }, { as: other })).tag.id
    await world.ok('segments/materialize', { segment_id: await segment('All', anyOf()), tag_name: 'Friends' })
    await world.settle()
    const [tag] = await tags()
    expect([tag!.id === theirs, await members(tag!.id)]).toEqual([false, [ada]])
    await world.ok('tags/delete', { tag_id: theirs }, { as: other })
  })

  test('segments/materialize walks through thousands of contacts in steps.', async () => {
    const many = 4500
    await world.service.runtime.store.write((tx) =>
      tx.run(sql`
      INSERT INTO contacts (project_id, email, email_key, search_key, global_status, created_at, updated_at)
      SELECT ${world.project.id}, 'm' || value || '@example.com', 'm' || value || '@example.com', '',
        iif(value % 3, 'subscribed', 'pending'), 0, 0
      FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${many}) SELECT value
      FROM n)`),
    )
    const segment_id = await segment('Pending', anyOf({ field: 'global_status', operator: 'eq', value: 'pending' }))
    const { job } = await world.ok('segments/materialize', { segment_id, tag_name: 'Pending' })
    await world.settle()
    const [counted] = await world.service.runtime.store.db.all<{ n: number }>(
      sql`SELECT count(*) AS n FROM contact_tags WHERE tag_id = ${(await tags())[0]!.id}`,
    )
    const [done] = await world.service.runtime.store.db.all<{ processed: number; status: string }>(
      sql`SELECT processed, status FROM jobs WHERE id = ${job.id}`,
    )
    expect([counted!.n, done]).toEqual([1500, { processed: 1500, status: 'completed' }])
  })

  test('segments/materialize is cancelled when its segment or tag was deleted.', async () => {
    await person('Ada')
    const segment_id = await segment('Adas', anyOf(named('Ada')))
    const first = await world.ok('segments/materialize', { segment_id, tag_name: 'T' })
    await world.ok('tags/delete', { tag_id: (await tags())[0]!.id })
    const second = await world.ok('segments/materialize', { segment_id, tag_name: 'U' })
    await world.settle()
    const third = await world.ok('segments/materialize', { segment_id, tag_name: 'U' })
    await world.ok('segments/delete', { segment_id })
    await world.settle()
    const jobs = await world.service.runtime.store.db.all<{ id: number; status: string }>(
      sql`SELECT id, status FROM jobs WHERE id IN (${first.job.id}, ${second.job.id}, ${third.job.id}) ORDER BY id`,
    )
    expect(jobs.map(({ status }) => status)).toEqual(['cancelled', 'completed', 'cancelled'])
  })

  test('segments/materialize needs exactly one of tag_id and tag_name.', async () => {
    const segment_id = await segment('S', anyOf())
    expect(await flaws('segments/materialize', { segment_id })).toEqual([400, 'VALIDATION_FAILED', ''])
    expect(await flaws('segments/materialize', { segment_id, tag_id: 1, tag_name: 'x' })).toEqual([
      400,
      'VALIDATION_FAILED',
      '',
    ])
    expect(await flaws('segments/materialize', { segment_id, tag_id: 999_999 })).toEqual([404, 'NOT_FOUND', '/tag_id'])
    expect(await flaws('segments/materialize', { segment_id: 999_999, tag_name: 'x' })).toEqual([
      404,
      'NOT_FOUND',
      '/segment_id',
    ])
    expect(await tags()).toEqual([])
  })
})

test('contacts/list pages through the contacts that match rules and the other filters.', async () => {
  const ids: number[] = []
  for (let n = 0; n < 7; n++) {
    ids.push(await person('Ada'))
    await person('Bo')
  }
  const filter = anyOf(named('ada'))
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const page: { items: { id: number }[]; next_cursor: string | null } = await world.ok('contacts/list', {
      filter,
      limit: 3,
      ...(cursor ? { cursor } : {}),
    })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(ids)
  const { next_cursor } = await world.ok('contacts/list', { filter, limit: 3 })
  expect(await flaws('contacts/list', { filter: anyOf(named('bo')), cursor: next_cursor })).toEqual([
    400,
    'INVALID_CURSOR',
  ])
  expect((await world.ok('contacts/list', { filter, search: `p${people}@` })).items).toEqual([])
  expect(await flaws('contacts/list', { filter: anyOf({ field: 'first_name', operator: 'gt', value: 'x' }) })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/filter/rules/0/operator',
  ])
})

test('A project has at most five hundred segments.', async () => {
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 499)
      INSERT INTO segments (project_id, name, name_key, rules, created_at, updated_at)
      SELECT ${world.project.id}, 'n' || v, 'n' || v, '{"op":"and","rules":[]}', 0, 0 FROM n`),
  )
  const create = (name: string) => world.call('segments/create', { name, rules: anyOf() })
  expect([(await create('the last')).status, (await create('one more')).status]).toEqual([200, 409])
})
