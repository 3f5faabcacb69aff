import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('schema/get describes documents, merge tags and limits.', async () => {
  const schema = await world.ok('schema/get')
  expect(schema.document_version).toBe(1)
  expect(schema.block_types.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['text', 'html', 'heading', 'image', 'button', 'divider', 'footer']),
  )
  expect(schema.block_types.find(({ type }: { type: string }) => type === 'heading').props).toMatchObject({
    type: 'object',
    additionalProperties: false,
    required: ['text', 'level'],
  })
  expect(schema.merge_tags.map(({ tag }: { tag: string }) => tag)).toContain('contact.first_name')
  expect(schema).toMatchObject({ import_options: {} })
  expect(schema.limits).toMatchObject({
    page_size_default: 50,
    page_size_max: 200,
    test_send_addresses: 5,
    audience_entries: 50,
    import_csv_bytes: 5_242_880,
    bulk_contact_ids: 1000,
    rule_levels: 4,
    rules: 60,
    nested_segments: 10,
    rules_with_nested_segments: 600,
    idempotency_retention_hours: 24,
  })
})

test("schema/get lists the fields and operators of rules, including the project's custom fields.", async () => {
  await world.ok('custom-fields/create', { key: 'town', label: 'Town', type: 'select', options: ['Porthaven'] })
  const { rule_fields, operators, engagement_conditions } = await world.ok('schema/get')
  const types = Object.fromEntries(rule_fields.map(({ field, type }: { field: string; type: string }) => [field, type]))
  expect(types).toMatchObject({
    email: 'text',
    created_at: 'date',
    list: 'list',
    opened: 'engagement',
    'custom.town': 'text',
  })
  for (const { type, operators: own } of rule_fields) expect(own).toEqual(operators[type])
  expect(operators).toMatchObject({ boolean: ['eq'], list: ['in', 'not_in'] })
  expect(engagement_conditions.map(({ field }: { field: string }) => field)).toEqual([
    'opened',
    'clicked',
    'received',
    'not_opened',
    'not_clicked',
    'engaged',
    'inactive',
  ])
  expect(engagement_conditions.map(({ value }: any) => value.properties.machine?.default)).toEqual([
    'exclude',
    'exclude',
    undefined,
    'include',
    'exclude',
    'include',
    'include',
  ])
  expect(engagement_conditions[0].value.properties).toHaveProperty('in_last_days')
  expect(
    (await world.ok('schema/get', {}, { as: world.keys.other })).rule_fields.some(({ field }: { field: string }) =>
      field.startsWith('custom.'),
    ),
  ).toBe(false)
})

test('schema/get tells the limits, those of the rate from the settings.', async () => {
  const { runtime } = world.service
  const rates = { newsletter_reads_per_minute: 700, newsletter_mutations_per_minute: 300 }
  Object.assign(runtime, { config: { ...runtime.config, ...rates } })
  const { limits, import_options } = await world.ok('schema/get')
  expect(limits).toEqual({
    ...{ reads_per_minute: 700, mutations_per_minute: 300, idempotency_retention_hours: 24 },
    ...{ page_size_default: 50, page_size_max: 200, document_blocks: 200, audience_entries: 50 },
    ...{ test_send_addresses: 5, import_csv_bytes: 5_242_880, bulk_contact_ids: 1000, rule_levels: 4, rules: 60 },
    ...{ nested_segments: 10, rules_with_nested_segments: 600 },
  })
  expect(Object.keys(import_options)).toContain('on_invalid_value')
})
