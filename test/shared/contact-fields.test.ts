import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { CONTACT_FIELD_NAMES, CONTACT_FIELDS, type ContactFieldName } from '../../src/shared/contact-fields.ts'
import { sharedStore } from '../support/shared-store.ts'

const chapter = (name: string) => readFileSync(join(import.meta.dir, '../../docs/api', name), 'utf8')

/** The paragraph or the row of a table that begins with a text, on one line. */
function passage(text: string, beginning: string): string {
  const [, rest = ''] = text.split(`\n${beginning}`)
  return `${beginning}${rest.split(beginning.startsWith('|') ? '\n' : '\n\n')[0]}`.replaceAll('\n', ' ')
}

/** What the chapters say of each field: the chapter, the beginning of the passage, and the words in it. */
const SAID: [string, string, (name: ContactFieldName) => string][] = [
  ['contacts.md', 'A contact: `{', (name) => ` ${name},`],
  ['contacts.md', '| `contacts/upsert` |', (name) => ` ${name}?,`],
  ['contacts.md', '| `contacts/update` |', (name) => ` ${name}?,`],
  ['contacts.md', '| text |', (name) => `\`${name}\``],
  ['imports.md', '| `first_name`', (name) => `\`${name}\``],
  ['campaigns.md', '`{{ contact.first_name }}`', (name) => `{{ contact.${name} }}`],
  ['consent.md', '`POST /general/newsletter/signup`', (name) => ` ${name}?,`],
  ['consent.md', 'The form signs up through', (name) => ` ${name}?,`],
]

test('The chapters name every standard field of a contact.', () => {
  const missing = SAID.flatMap(([name, beginning, words]) =>
    CONTACT_FIELD_NAMES.filter((field) => !passage(chapter(name), beginning).includes(words(field))).map(
      (field) => `docs/api/${name}, ${beginning}: ${field}`,
    ),
  )
  const asked = passage(chapter('consent.md'), '- `fields: [{ field')
  for (const { name, question } of CONTACT_FIELDS)
    if (question && !asked.includes(`\`${name}\``)) missing.push(`docs/api/consent.md, fields of a form: ${name}`)
  expect(missing).toEqual([])
})

test('Every standard field of a contact has its columns, and the index of rules has its key.', async () => {
  const { query } = await sharedStore()
  const names = (rows: Record<string, unknown>[]) => new Set(rows.map(({ name }) => name))
  const columns = names(await query("SELECT name FROM pragma_table_info('contacts')"))
  const compared = names(await query("SELECT name FROM pragma_index_info('contacts_for_rules')"))
  for (const name of CONTACT_FIELD_NAMES)
    expect([name, columns.has(name), columns.has(`${name}_key`), compared.has(`${name}_key`)]).toEqual([
      name,
      true,
      true,
      true,
    ])
})
