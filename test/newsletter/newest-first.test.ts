import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { DatabaseConnection } from '../../src/store/database-connection.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  const list_id = (await world.ok('lists/create', { name: 'L' })).list.id
  // The clock moves after every second row, so that pages end between rows of one instant.
  for (let index = 0; index < 7; index += 1) {
    const { contact } = await world.ok('contacts/upsert', { email: `reader${index}@example.com`, consent_text: 'x' })
    await world.ok('campaigns/create', {
      subject: `Letter ${index}`,
      audience_spec: { include: [{ type: 'list', id: list_id }] },
    })
    await world.ok('imports/create', { csv: `email\nnew${index}@example.com\n` })
    await world.ok('contacts/bulk', { action: 'unsubscribe', contact_ids: [contact.id] })
    await world.ok('suppressions/add', { email: `gone${index}@example.com` })
    if (index % 2 === 1) world.clock.advance(1000)
  }
})
afterAll(() => world.close())

interface Listed {
  items: { id: number }[]
  next_cursor: string | null
}

async function pages(operation: string, body: Record<string, unknown>): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | null = null
  do {
    const found: Listed = await world.ok(operation, { ...body, limit: 3, ...(cursor && { cursor }) })
    ids.push(...found.items.map(({ id }) => id))
    cursor = found.next_cursor
  } while (cursor)
  return ids
}

describe.each([
  ['contacts/list', {}],
  ['contacts/list', { search: 'reader' }],
  ['campaigns/list', {}],
  ['campaigns/list', { status: 'draft' }],
  ['imports/list', {}],
  ['suppressions/list', {}],
  ['suppressions/list', { reason: 'manual', search: 'gone' }],
  ['jobs/list', {}],
  ['jobs/list', { kinds: ['bulk'] }],
] as const)('%s with %j', (operation, filters) => {
  test('An operation has the same rows from either end, over several pages.', async () => {
    const oldest = await pages(operation, filters)
    expect(oldest).toHaveLength(7)
    expect(await pages(operation, { ...filters, order: 'oldest' })).toEqual(oldest)
    expect(await pages(operation, { ...filters, order: 'newest' })).toEqual(oldest.toReversed())
  })

  test('An operation refuses the cursor of the other order.', async () => {
    for (const [order, other] of [
      ['newest', 'oldest'],
      ['oldest', 'newest'],
    ]) {
      const { next_cursor: cursor } = await world.ok(operation, { ...filters, order, limit: 3 })
      const { body } = await world.call(operation, { ...filters, order: other, cursor })
      expect(body.error.code).toBe('INVALID_CURSOR')
    }
  })
})

test.each([
  ['contacts/list', 'contacts_in_order'],
  ['campaigns/list', 'campaigns_in_order'],
  ['imports/list', 'imports_in_order'],
  ['jobs/list', 'jobs_in_order'],
  ['suppressions/list', 'suppressions_in_order'],
])(
  'The newest of %s are read backwards along the index, without sorting what the page leaves out.',
  async (operation, index) => {
    const { next_cursor: cursor } = await world.ok(operation, { order: 'newest', limit: 3 })
    const seen: string[] = []
    const spies = (['rows', 'values'] as const).map((method) => {
      const run = DatabaseConnection.prototype[method] as (sql: string, params?: readonly unknown[]) => never
      return spyOn(DatabaseConnection.prototype, method).mockImplementation(function (
        this: DatabaseConnection,
        sql: string,
        params?: readonly unknown[],
      ) {
        seen.push(sql)
        return run.call(this, sql, params)
      })
    })
    await world.ok(operation, { order: 'newest', limit: 3, cursor })
    for (const spy of spies) spy.mockRestore()
    const query = seen.find((sql) => /created_at["\s]*DESC/i.test(sql))!
    const plan = await world.service.runtime.store.query(`EXPLAIN QUERY PLAN ${query.replaceAll('?', 'NULL')}`)
    const steps = plan.map(({ detail }) => String(detail))
    expect(steps.filter((step) => step.includes(index) && /created_at[<=]/.test(step)).length).toBeGreaterThan(0)
    expect(steps.filter((step) => step.includes(index) && step.includes('created_at>'))).toEqual([])
    const place = steps.findIndex((step) => step.includes(index))
    expect(steps.slice(0, place).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  },
)
