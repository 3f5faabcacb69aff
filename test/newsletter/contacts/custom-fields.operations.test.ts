import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

const create = async (body: Record<string, unknown>) =>
  (await world.ok('custom-fields/create', { label: 'L', ...body })).custom_field
const upsert = (email: string, custom_fields: unknown) =>
  world.call('contacts/upsert', { email, consent_text: 'x', custom_fields: custom_fields as object })
const valuesOf = async (email: string) => (await world.ok('contacts/get', { email })).contact.custom_fields

test('A field is created, listed, changed and deleted.', async () => {
  const field = await create({ key: 'shoe_size_2', label: ' Shoe size ', type: 'number' })
  expect(field).toEqual({
    id: expect.any(Number),
    key: 'shoe_size_2',
    label: 'Shoe size',
    type: 'number',
    options: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect((await world.ok('custom-fields/list')).items).toEqual([field])
  expect((await world.ok('custom-fields/update', { field_id: field.id, label: 'Shoes' })).custom_field).toMatchObject({
    key: 'shoe_size_2',
    label: 'Shoes',
    type: 'number',
  })
  expect((await world.ok('custom-fields/delete', { field_id: field.id })).custom_field).toMatchObject({ id: field.id })
  expect((await world.ok('custom-fields/list')).items).toEqual([])
  expect((await world.call('custom-fields/delete', { field_id: field.id })).body.error).toMatchObject({
    code: 'NOT_FOUND',
    details: [{ path: '/field_id' }],
  })
})

test('A field that takes the place of a deleted one has none of its values.', async () => {
  const old = await create({ key: 'old_place', type: 'text' })
  await upsert('keeper@example.com', { old_place: 'Kiel' })
  await world.ok('custom-fields/delete', { field_id: old.id })
  await create({ key: 'new_place', type: 'text' })
  const rule = { field: 'custom.new_place', operator: 'is_set' }
  expect((await world.ok('segments/preview', { rules: { op: 'and', rules: [rule] } })).count).toBe(0)
})

test('An invalid definition is refused.', async () => {
  await create({ key: 'taken', type: 'text' })
  for (const [body, code, path] of [
    [{ key: 'taken', type: 'number' }, 'CONFLICT', '/key'],
    [{ key: 'Upper', type: 'text' }, 'VALIDATION_FAILED', '/key'],
    [{ key: 'with-dash', type: 'text' }, 'VALIDATION_FAILED', '/key'],
    [{ key: '', type: 'text' }, 'VALIDATION_FAILED', '/key'],
    [{ key: 'a'.repeat(41), type: 'text' }, 'VALIDATION_FAILED', '/key'],
    [{ key: 'a"].x', type: 'text' }, 'VALIDATION_FAILED', '/key'],
    [{ key: 'ok', type: 'json' }, 'VALIDATION_FAILED', '/type'],
    [{ key: 'ok', type: 'text', label: '  ' }, 'VALIDATION_FAILED', '/label'],
    [{ key: 'ok', type: 'text', label: 'a\nb' }, 'VALIDATION_FAILED', '/label'],
    [{ key: 'ok', type: 'select' }, 'VALIDATION_FAILED', '/options'],
    [{ key: 'ok', type: 'select', options: [] }, 'VALIDATION_FAILED', '/options'],
    [{ key: 'ok', type: 'select', options: ['a', 'a'] }, 'VALIDATION_FAILED', '/options'],
    [{ key: 'ok', type: 'text', options: ['a'] }, 'VALIDATION_FAILED', '/options'],
  ] as const) {
    const answer = await world.call('custom-fields/create', { label: 'L', ...body })
    expect({ body, code: answer.body.error?.code, path: answer.body.error?.details?.[0]?.path }).toEqual({
      body,
      code,
      path,
    })
  }
  // The same key in another project is another field.
  await world.ok('custom-fields/create', { key: 'taken', label: 'L', type: 'date' }, { as: world.keys.other })
})

test('Values must have the type of their field.', async () => {
  await create({ key: 't', type: 'text' })
  await create({ key: 'n', type: 'number' })
  await create({ key: 'b', type: 'boolean' })
  await create({ key: 'd', type: 'date' })
  await create({ key: 's', type: 'select', options: ['red', 'green'] })
  const good: Record<string, unknown[]> = {
    t: ['', 'x'.repeat(1000), '{{ x }} "quoted" \\ \u2028'],
    n: [0, -1.5, 1e300],
    b: [true, false],
    d: ['2024-02-29', '0001-01-01', '9999-12-31'],
    s: ['red', 'green'],
  }
  const bad: Record<string, unknown[]> = {
    t: ['x'.repeat(1001), 'nul\u0000', 1, true, ['a']],
    n: ['1', true, '∞'],
    b: ['true', 0, 1],
    s: ['blue', 'Red', '', 1],
    d: [
      '2023-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-1-1',
      '2024-02-29T00:00:00Z',
      ' 2024-02-29',
      '',
      20240229,
      '٢٠٢٤-٠٢-٢٩',
    ],
  }
  for (const [key, values] of Object.entries(good)) {
    for (const value of values) {
      expect((await upsert('values@example.com', { [key]: value })).status).toBe(200)
      expect((await valuesOf('values@example.com'))[key]).toBe(value)
    }
  }
  const kept = await valuesOf('values@example.com')
  for (const [key, values] of Object.entries(bad)) {
    for (const value of values) {
      const answer = await upsert('values@example.com', { [key]: value })
      expect({
        key,
        value,
        status: answer.status,
        paths: answer.body.error?.details?.map((flaw: any) => flaw.path.split('/').slice(0, 3).join('/')),
      }).toEqual({ key, value, status: 400, paths: [`/custom_fields/${key}`] })
    }
  }
  expect(await valuesOf('values@example.com')).toEqual(kept)
})

test('A number above the range of JavaScript is refused.', async () => {
  await create({ key: 'huge', type: 'number' })
  const response = await world.fetch('/general/api/v1/newsletter/contacts/upsert', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: world.keys.owner, 'Idempotency-Key': 'huge' },
    body: '{"email":"huge@example.com","consent_text":"x","custom_fields":{"huge":1e999}}',
  })
  expect(response.status).toBe(400)
})

test('Unknown keys are named in the error, also those that every object inherits.', async () => {
  for (const key of ['nope', '__proto__', 'constructor', 'toString', 'a/b~c']) {
    const response = await world.fetch('/general/api/v1/newsletter/contacts/upsert', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: world.keys.owner,
        'Idempotency-Key': `unknown ${key}`,
      },
      body: `{"email":"unknown@example.com","consent_text":"x","custom_fields":{${JSON.stringify(key)}:"x"}}`,
    })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as any
    expect(error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: `/custom_fields/${key.replace('~', '~0').replace('/', '~1')}` }],
    })
  }
})

test('A field can have the key __proto__ or constructor.', async () => {
  await create({ key: '__proto__', type: 'text' })
  await create({ key: 'constructor', type: 'text' })
  const given = JSON.parse('{"__proto__":"p","constructor":"c"}') as object
  expect((await upsert('born@example.com', given)).status).toBe(200)
  const { contact } = await world.ok('contacts/get', { email: 'born@example.com' })
  expect(JSON.stringify(contact.custom_fields)).toBe('{"__proto__":"p","constructor":"c"}')
  await world.ok('contacts/update', {
    contact_id: contact.id,
    custom_fields: JSON.parse('{"__proto__":null}') as object,
  })
  expect(JSON.stringify(await valuesOf('born@example.com'))).toBe('{"constructor":"c"}')
})

test('The type can change only while there are no values, the key never.', async () => {
  const field = await create({ key: 'age', type: 'text' })
  await create({ key: 'age_group', type: 'text' })
  await upsert('age@example.com', { age_group: '"age":1' })
  expect(
    (await world.ok('custom-fields/update', { field_id: field.id, type: 'select', options: ['old', 'young'] }))
      .custom_field,
  ).toMatchObject({ type: 'select', options: ['old', 'young'] })
  expect(
    (await world.call('custom-fields/update', { field_id: field.id, type: 'number', options: ['x'] })).body.error
      .details[0].path,
  ).toBe('/options')
  await upsert('age@example.com', { age: 'old' })
  const refused = await world.call('custom-fields/update', { field_id: field.id, type: 'number' })
  expect(refused.status).toBe(409)
  expect(refused.body.error).toMatchObject({ code: 'INVALID_STATE', details: { state: 'in_use' } })
  expect((await world.call('custom-fields/update', { field_id: field.id, key: 'years' })).body.error.code).toBe(
    'VALIDATION_FAILED',
  )
  expect(
    (await world.ok('custom-fields/update', { field_id: field.id, type: 'select', options: ['young'] })).custom_field
      .options,
  ).toEqual(['young'])
  world.clock.advance(1000)
  expect((await world.ok('custom-fields/update', { field_id: field.id, label: ' Age ' })).custom_field).toEqual({
    ...{ ...field, label: 'Age', type: 'select', options: ['young'] },
    updated_at: new Date(world.clock.now()).toISOString(),
  })
  expect((await upsert('age@example.com', { age: 'old' })).status).toBe(400)
  await world.ok('contacts/update', {
    contact_id: (await world.ok('contacts/get', { email: 'age@example.com' })).contact.id,
    custom_fields: { age: null },
  })
  expect((await world.ok('custom-fields/update', { field_id: field.id, type: 'number' })).custom_field).toMatchObject({
    type: 'number',
    options: null,
  })
})

test('Deleting a field removes its values from all contacts of the project, and no others.', async () => {
  const field = await create({ key: 'pet', type: 'text' })
  await create({ key: 'petname', type: 'text' })
  await world.ok('custom-fields/create', { key: 'pet', label: 'L', type: 'text' }, { as: world.keys.other })
  await world.ok(
    'contacts/upsert',
    { email: 'pet@example.com', consent_text: 'x', custom_fields: { pet: 'dog' } },
    { as: world.keys.other },
  )
  await upsert('pet1@example.com', { pet: 'cat', petname: 'Tom' })
  await upsert('pet2@example.com', { petname: '"pet":"x"' })
  const untouched = (await world.ok('contacts/get', { email: 'pet2@example.com' })).contact
  world.clock.advance(1000)
  await world.ok('custom-fields/delete', { field_id: field.id })
  expect(await valuesOf('pet1@example.com')).toEqual({ petname: 'Tom' })
  expect((await world.ok('contacts/get', { email: 'pet2@example.com' })).contact).toEqual(untouched)
  expect(
    (await world.ok('contacts/get', { email: 'pet@example.com' }, { as: world.keys.other })).contact.custom_fields,
  ).toEqual({ pet: 'dog' })
  expect((await upsert('pet1@example.com', { pet: 'cat' })).status).toBe(400)
})

test('A project has at most a hundred fields.', async () => {
  const { items } = await world.ok('custom-fields/list', { limit: 200 })
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${100 - items.length})
    INSERT INTO custom_fields (project_id, key, label, type, created_at, updated_at)
    SELECT ${world.project.id}, 'many_' || i, 'x', 'text', 0, 0 FROM n`),
  )
  const refused = await world.call('custom-fields/create', { key: 'one_more', label: 'x', type: 'text' })
  expect(refused.status).toBe(409)
  expect(refused.body.error).toMatchObject({ code: 'INVALID_STATE', details: { limit: 100 } })
})
