import { expect, test } from 'bun:test'
import type { ProjectId } from '../../src/ids.ts'
import { exportedProject } from '../../src/projects/export.ts'
import {
  newCampaign,
  newContact,
  newList,
  newProject,
  newTag,
  NOW,
  sharedStore,
  write,
} from '../support/shared-store.ts'

/** The lines of an export, by kind. */
async function exported(project_id: ProjectId): Promise<Record<string, any[]>> {
  const pieces = await Array.fromAsync(exportedProject(await sharedStore(), project_id))
  const lines = Buffer.concat(pieces).toString().split('\n').filter(Boolean)
  return Object.groupBy(
    lines.map((line) => JSON.parse(line)),
    ({ kind }) => kind,
  ) as Record<string, any[]>
}
const run = (statement: string) => write((tx) => tx.run(statement))
const [TIME, LATER] = ['2026-01-15T09:00:00.000Z', '2026-01-15T09:00:01.000Z']

test('An export has the things of its project alone, with texts as they are and JSON as values.', async () => {
  const [id, other] = [await newProject(), await newProject()]
  for (const project of [id, other]) {
    const at = `${project}, ${NOW}, ${NOW + 1000}`
    await run(`INSERT INTO sign_up_forms (project_id, created_at, updated_at, id, name, title, text, wordings, list_ids,
      fields, button, thanks_text, redirect_url) VALUES (${at}, 'frm_export_${project}', 'Footer', 'News', '[]',
      '["Yes."]', '[1]', '[{"field":"first_name","label":"","required":true}]', 'Go', 'Thanks', '')`)
    await run(`INSERT INTO segments (project_id, created_at, updated_at, name, name_key, rules)
      VALUES (${at}, 'Friends', 'friends', '{"all":[]}')`)
    await run(`INSERT INTO custom_fields (project_id, created_at, updated_at, key, label, type, options)
      VALUES (${at}, 'town', 'Town', 'select', '["Kiel"]'), (${at}, 'age', 'Age', 'number', NULL)`)
    await run(`INSERT INTO form_settings (project_id, form, updated_at, notify, keep_days)
      VALUES (${project}, 'contact', ${NOW}, '[]', 30)`)
  }
  const things = await exported(id)
  const form = { name: 'Footer', title: 'News', text: '[]', button: 'Go', thanks_text: 'Thanks', redirect_url: '' }
  const asked = { wordings: ['Yes.'], list_ids: [1], fields: [{ field: 'first_name', label: '', required: true }] }
  expect(things.sign_up_form).toMatchObject([{ ...form, ...asked, created_at: TIME, updated_at: LATER }])
  expect(things.segment).toMatchObject([{ name: 'Friends', rules: { all: [] } }])
  expect(things.custom_field!.map(({ key, options }) => [key, options])).toEqual([
    ['town', ['Kiel']],
    ['age', null],
  ])
  expect(things.form_settings).toEqual([{ kind: 'form_settings', name: 'contact', keep_days: 30, updated_at: TIME }])
  expect(Object.keys(things).toSorted()).toEqual(['custom_field', 'form_settings', 'segment', 'sign_up_form'])
})

test('An exported campaign has its content, its senders and its times.', async () => {
  const id = await newProject()
  const texts = { name: 'June', subject: 'Tides', preheader: 'High', reply_to: 'desk@export.example' }
  const sender = { from_name: 'Desk', from_email: 'news@export.example' }
  await newCampaign(id, {
    ...{ ...texts, ...sender, status: 'sent', created_at: NOW, updated_at: NOW + 1000 },
    ...{ scheduled_at: NOW, started_at: NOW + 1000, finished_at: NOW + 2000 },
  })
  const { campaign } = await exported(id)
  const [{ editor_json, audience_spec, ...rest }] = campaign as [any]
  expect([typeof editor_json, typeof audience_spec]).toEqual(['object', 'object'])
  expect(rest).toEqual({
    ...{ kind: 'campaign', id: expect.any(Number), ...texts, ...sender, status: 'sent' },
    ...{ created_at: TIME, updated_at: LATER, scheduled_at: TIME, started_at: LATER },
    finished_at: '2026-01-15T09:00:02.000Z',
  })
})

test('An export has all contacts with their lists and tags, however many there are, each once.', async () => {
  const [id, other] = [await newProject(), await newProject()]
  const [list, tag] = [await newList(id, { name: 'Weekly' }), await newTag(id)]
  const emails = Array.from({ length: 120 }, (_, count) => `person-${count}@export.example`)
  for (const email of emails) await newContact(id, email, {}, { [list]: 'unsubscribed' })
  const tagged = await newContact(id, 'tagged@export.example')
  await run(`INSERT INTO contact_tags (contact_id, tag_id) VALUES (${tagged}, ${tag})`)
  await newContact(other, 'other@export.example')
  const { contact, list: lists } = await exported(id)
  expect(contact!.map(({ email }) => email)).toEqual([...emails, 'tagged@export.example'])
  expect(contact![0]).toMatchObject({ lists: [{ name: 'Weekly', status: 'unsubscribed' }], tags: [] })
  expect([contact!.at(-1).lists, contact!.at(-1).tags.length]).toEqual([[], 1])
  expect(lists!.map(({ name }) => name)).toEqual(['Weekly'])
})
