import { expect, spyOn, test } from 'bun:test'
import { DatabaseConnection } from '../../src/store/database-connection.ts'
import { createWorld } from '../support/world.ts'

/**
 * The steps of a query plan that read a table from end to end, under whatever alias. JSON arrays, subqueries and common
 * table expressions do not count: they hold what the request names.
 */
function tableScans(plan: readonly string[]): string[] {
  const subqueries = new Set(plan.map((step) => /^(?:MATERIALIZE|CO-ROUTINE) (\S+)/.exec(step)?.[1]))
  return plan.filter((step) => {
    const name = /^SCAN (?!CONSTANT ROW|\()(\S+)(?!.* VIRTUAL TABLE)/.exec(step)?.[1]
    return name !== undefined && name !== 'sqlite_sequence' && !subqueries.has(name)
  })
}

test('No operation on contacts scans a growing table.', async () => {
  const world = await createWorld()
  const seen = new Set<string>()
  const record = (method: 'rows' | 'values') => {
    const run = DatabaseConnection.prototype[method] as (sql: string, params?: readonly unknown[]) => never
    return spyOn(DatabaseConnection.prototype, method).mockImplementation(function (
      this: DatabaseConnection,
      sql: string,
      params?: readonly unknown[],
    ) {
      seen.add(sql)
      return run.call(this, sql, params)
    })
  }
  const spies = [record('rows'), record('values')]
  try {
    const list_id = (await world.ok('lists/create', { name: 'L', double_opt_in: true })).list.id
    const tag_id = (await world.ok('tags/create', { name: 'T' })).tag.id
    const field_id = (await world.ok('custom-fields/create', { key: 'k', label: 'K', type: 'text' })).custom_field.id
    const { contact } = await world.ok('contacts/upsert', {
      email: 'a@example.com',
      consent_text: 'x',
      list_ids: [list_id],
      tag_ids: [tag_id],
      custom_fields: { k: 'v' },
    })
    await world.ok('contacts/upsert', {
      email: 'a@example.com',
      consent_text: 'y',
      first_name: 'A',
      list_ids: [list_id],
    })
    await world.ok('contacts/upsert', { email: 'b@example.com', consent_text: 'y' })
    for (const body of [
      {},
      { status: 'subscribed' },
      { list_id },
      { tag_id, list_status: 'pending' },
      { search: 'a' },
    ]) {
      for (const order of ['oldest', 'newest']) {
        const { next_cursor } = await world.ok('contacts/list', { ...body, order, limit: 1 })
        if (next_cursor) await world.ok('contacts/list', { ...body, order, cursor: next_cursor })
      }
    }
    for (const operation of ['campaigns/list', 'imports/list', 'jobs/list'])
      for (const order of ['oldest', 'newest']) await world.ok(operation, { order })
    await world.ok('contacts/get', { contact_id: contact.id })
    await world.ok('contacts/get', { email: 'a@example.com' })
    await world.ok('contacts/update', { contact_id: contact.id, email: 'c@example.com', custom_fields: { k: null } })
    await world.ok('suppressions/add', { email: 'c@example.com', reason: 'unsubscribe' })
    for (const body of [{}, { reason: 'unsubscribe' }, { search: 'c' }]) await world.ok('suppressions/list', body)
    await world.ok('contacts/upsert', {
      email: 'c@example.com',
      consent_text: 'y',
      list_ids: [list_id],
      resubscribe: true,
    })
    await world.ok('contacts/unsubscribe', { contact_id: contact.id })
    await world.ok('contacts/delete', { contact_id: contact.id })
    await world.ok('suppressions/remove', { email: 'c@example.com' })
    await world.ok('lists/list', { include_archived: true })
    await world.ok('tags/list')
    await world.ok('custom-fields/list')
    await world.ok('custom-fields/update', { field_id, type: 'number' })
    await world.ok('custom-fields/delete', { field_id })
    await world.ok('lists/update', { list_id, archived: true })
    await world.ok('lists/delete', { list_id })
    await world.ok('tags/delete', { tag_id })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  const statements = [...seen].filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql))
  expect(statements.length).toBeGreaterThan(30)
  const scans: string[] = []
  for (const sql of statements) {
    const rows = await world.service.runtime.store.query(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', 'NULL')}`)
    for (const step of tableScans(rows.map(({ detail }) => String(detail)))) scans.push(`${step}: ${sql.trim()}`)
  }
  expect(scans).toEqual([])
  await world.close()
})
