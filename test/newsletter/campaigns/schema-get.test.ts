import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => { world = await createWorld() })
afterAll(() => world.close())

test('schema/get tells what works', async () => {
  const schema = await world.ok('schema/get')
  expect(schema.document_version).toBe(1)
  expect(schema.block_types.map(({ type }: { type: string }) => type)).toEqual(expect.arrayContaining(['text', 'html', 'heading', 'image', 'button', 'divider', 'footer']))
  expect(schema.block_types.find(({ type }: { type: string }) => type === 'heading').props).toMatchObject({ type: 'object', additionalProperties: false, required: ['text', 'level'] })
  expect(schema.merge_tags.map(({ tag }: { tag: string }) => tag)).toContain('contact.first_name')
  expect(schema).toMatchObject({ rule_fields: [], engagement_conditions: [], operators: {}, import_options: {} })
  expect(schema.limits).toMatchObject({ page_size_default: 50, page_size_max: 200, test_send_addresses: 5, import_csv_bytes: 5_242_880, bulk_contact_ids: 1000, rule_levels: 4, rules: 60, idempotency_retention_hours: 24 })
})
