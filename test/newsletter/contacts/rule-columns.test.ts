import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { CONTACT_FIELD_NAMES, NO_TEXTS } from '../../../src/shared/contact-fields.ts'
import { foldText, freeSlot, keyColumn, keyColumns, keyValues } from '../../../src/newsletter/contacts/rule-columns.ts'
import { custom_fields } from '../../../src/store/tables/audience.ts'
import { newProject, NOW, write } from '../../support/shared-store.ts'

test('Texts that differ only in case or Unicode form are equal.', () => {
  const alike = [
    ['ÄRGER', 'ärger', 'a\u0308rger'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['ИВАН', 'иван'],
    ['ISTANBUL', 'istanbul'],
    ['Ǆ', 'ǆ', 'ǅ'],
  ]
  for (const words of alike) expect(new Set(words.map(foldText)).size).toBe(1)
  const apart = [
    ['ss', 'ß'],
    ['a', 'ä'],
    ['x', 'x '],
    ['i', 'ı'],
  ]
  for (const words of apart) expect(new Set(words.map(foldText)).size).toBe(words.length)
})

test('Each value is in its slot, values without a slot are in more_keys, and no value is null.', () => {
  const fields = [
    { key: 'town', type: 'text', slot: 3 },
    { key: 'age', type: 'number', slot: 1 },
    { key: 'vip', type: 'boolean', slot: 12 },
    { key: '__proto__', type: 'text', slot: null },
    { key: 'born', type: 'date', slot: null },
  ] as const
  const custom_fields = JSON.parse(
    '{"town": "KÖLN", "age": 0, "vip": false, "__proto__": "Ü", "born": "2000-01-01", "gone": "x"}',
  )
  /** The values of a contact by their columns. */
  const keysOf = (contact: Parameters<typeof keyValues>[0]) => {
    const values = keyValues(contact, fields)
    return Object.fromEntries(keyColumns(fields).map((column, at) => [column, values[at]]))
  }
  expect(keysOf({ ...NO_TEXTS, first_name: 'ÉVA', last_name: 'NÉMETH', custom_fields })).toMatchObject({
    ...{ first_name_key: 'éva', last_name_key: 'németh', slot_3: 'köln', slot_1: 0, slot_12: 0 },
    more_keys: '{"__proto__":"ü","born":"2000-01-01"}',
  })
  const empty = { first_name_key: '', last_name_key: '', slot_3: null, slot_1: null, slot_12: null, more_keys: null }
  expect(keysOf({ ...NO_TEXTS, custom_fields: { town: '' } })).toMatchObject(empty)
  expect(keyColumns([])).toEqual(CONTACT_FIELD_NAMES.map(keyColumn))
})

test('The first twelve fields of a project have a slot each, and a free slot is used again.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const add = (slot: number | null, project_id = project) =>
    write((tx) =>
      tx.insert(custom_fields).values({
        ...{ project_id, slot, key: `key_${slot}`, label: '', type: 'text' },
        ...{ created_at: NOW, updated_at: NOW },
      }),
    )
  const free = () => write((tx) => freeSlot(tx, project))
  await add(1, other)
  for (const slot of [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]) await add(slot)
  expect(await free()).toBe(3)
  await add(3)
  expect(await free()).toBeNull()
})

test('Every statement that writes standard fields or custom values also writes the rule columns.', () => {
  const folder = join(import.meta.dir, '../../../src')
  const columns = `\\b(${CONTACT_FIELD_NAMES.join('|')}|custom_fields)( =|[,)])|sql\\.raw\\((written|profileColumns)`
  const writes = new RegExp(
    `(INSERT INTO contacts \\(|UPDATE contacts SET|(insert|update)\\(contacts\\))(?=[^\`]*(${columns}))`,
  )
  const writers = [...new Bun.Glob('**/*.ts').scanSync(folder)]
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ text }) => writes.test(text))
  expect(writers.map(({ file, text }) => [file, /\b(keyColumns|dropKey)\(/.test(text)]).sort()).toEqual([
    ['newsletter/contacts/custom-fields.operations.ts', true],
    ['newsletter/contacts/save.ts', true],
    // Takes the columns of two contacts along with their values.
    ['store/migrations/join-contacts.ts', false],
  ])
})
