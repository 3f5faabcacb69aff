import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  byContactField,
  CONTACT_FIELD_NAMES,
  CONTACT_FIELDS,
  type ContactTexts,
} from '../../../src/shared/contact-fields.ts'
import { exportedProject } from '../../../src/projects/export.ts'
import { createWorld, type World } from '../../support/world.ts'

/** What a source says about the standard fields of a contact arrives, whatever the source, and comes out everywhere. */

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const SAMPLES: ContactTexts = byContactField(({ sample }) => sample)
const rest = { consent_text: 'Yes' }
const contactOf = async (email: string) => (await world.ok('contacts/get', { email })).contact

test('Upsert, update, signup and imports store every field.', async () => {
  await world.ok('contacts/upsert', { email: 'upsert@example.com', ...SAMPLES, ...rest })
  const { contact } = await world.ok('contacts/upsert', { email: 'update@example.com', ...rest })
  await world.ok('contacts/update', { contact_id: contact.id, ...SAMPLES })
  const body = { project_id: world.project.public_id, email: 'signup@example.com', ...SAMPLES, ...rest }
  const headers = { 'Content-Type': 'application/json' }
  const url = '/general/newsletter/signup'
  const signup = await world.fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(signup.status).toBe(202)
  const csv = `email,${CONTACT_FIELD_NAMES.join(',')}\nimport@example.com,${Object.values(SAMPLES).join(',')}\n`
  const { import: made } = await world.ok('imports/create', { csv, filename: 'people.csv' })
  const mapping = Object.fromEntries(['email', ...CONTACT_FIELD_NAMES].map((name, index) => [index, name]))
  await world.ok('imports/dry-run', { import_id: made.id, mapping, options: {} })
  await world.ok('imports/commit', { import_id: made.id })
  await world.settle()
  for (const source of ['upsert', 'update', 'signup', 'import'])
    expect([source, await contactOf(`${source}@example.com`)]).toMatchObject([source, SAMPLES])
})

test('Answers, exports, rules, search and merge tags have every field.', async () => {
  await world.ok('contacts/upsert', { email: 'out@example.com', ...SAMPLES, ...rest })
  const { id } = await contactOf('out@example.com')
  const found = async (filters: Record<string, unknown>) =>
    (await world.ok('contacts/list', filters)).items.map((contact: { id: number }) => contact.id)
  const { tag } = await world.ok('tags/create', { name: 'Out' })
  await world.ok('contacts/tags', { contact_id: id, add: [tag.id] })
  for (const { name, sample, searched } of CONTACT_FIELDS) {
    const rules = [{ field: name, operator: 'eq', value: sample }]
    expect([name, await found({ tag_id: tag.id, filter: { op: 'and', rules } })]).toEqual([name, [id]])
    expect([name, await found({ tag_id: tag.id, search: sample })]).toEqual([name, searched ? [id] : []])
  }
  const text = CONTACT_FIELD_NAMES.map((name) => `{{ contact.${name} }}`).join('|')
  const editor_json = { version: 1, settings: {}, blocks: [{ id: 'a', type: 'heading', props: { text, level: 1 } }] }
  const { html } = await world.ok('render', { editor_json, subject: 'Fields', contact_id: id })
  expect(html).toContain(Object.values(SAMPLES).join('|'))
  const pieces = await Array.fromAsync(exportedProject(world.service.runtime.store, world.project.id))
  const lines = Buffer.concat(pieces).toString().trim().split('\n')
  expect(lines.map((line) => JSON.parse(line)).find((line) => line.email === 'out@example.com')).toMatchObject(SAMPLES)
})
