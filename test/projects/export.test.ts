import { expect, test } from 'bun:test'
import { NO_TEXTS } from '../../src/shared/contact-fields.ts'
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

const CHECKS = { required: [], addresses: [] }

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
      VALUES (${project}, 'contact', ${NOW}, '["usr_a"]', 30)`)
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
  expect(things.form_settings).toEqual([
    { kind: 'form_settings', name: 'contact', notify: ['usr_a'], ...CHECKS, keep_days: 30, updated_at: TIME },
  ])
  expect(Object.keys(things).toSorted()).toEqual(['custom_field', 'form_settings', 'segment', 'sign_up_form'])
})

/** A row of each table but those that other tests export whole, with a value in each column that is exported. */
const ROWS: [table: string, row: Record<string, string | number>][] = [
  [
    'pages',
    { path: '/tides', title: 'Tides', published: 0, html: '<p>High', version: 1, insertion_points: '{}', ...times() },
  ],
  [
    'cms_posts',
    {
      ...{ title: 'Ferry', title_key: 'ferry', slug: 'ferry-1', status: 'archived', author: 'Edith' },
      ...{
        published_at: NOW,
        tags: '["Quay","Sea"]',
        excerpt: 'It runs.',
        word_count: 2,
        content: '<p>It runs.',
        ...times(),
      },
    },
  ],
  ['directory_items', { directory: 'shops', title: 'Fish', slug: 'fish-1', fields: '{"open":[9,17]}', ...times() }],
  ['form_entries', { form: 'Contact', fields: '{"email":"a@b.example"}', created_at: NOW }],
  [
    'files',
    {
      ...{ name: 'Quay.png', alt: 'The quay', type: 'image/png', width: 1, height: 1, bytes: 1, content: "x'41'" },
      ...{ created_at: NOW },
    },
  ],
  ['site_files', { path: '/a.css', type: 'text/css', bytes: 1, hash: '00', content: "x'42'", ...times() }],
  ['site_templates', { kind: 'index', html: '<ol>', updated_at: NOW }],
  [
    'lists',
    {
      ...{ name: 'News', name_key: 'news', description: 'All', double_opt_in: 1, public: 0, letters_public: 1 },
      ...{ archived_at: NOW, ...times() },
    },
  ],
  ['tags', { name: 'Friend', name_key: 'friend', color: 'teal', ...times() }],
  ['templates', { name: 'Plain', name_key: 'plain', subject: 'Tides', editor_json: '{"version":1}', ...times() }],
  [
    'suppressions',
    { email: 'b@b.example', email_key: 'b@b.example', reason: 'manual', note: 'Asked.', created_at: NOW },
  ],
]

function times() {
  return { created_at: NOW, updated_at: NOW + 1000 }
}

test('Each kind of thing is exported whole.', async () => {
  const id = await newProject()
  for (const [table, row] of ROWS) {
    const values = { project_id: id, ...(table === 'files' && { address: `export_${id}` }), ...row }
    const texts = Object.values(values).map((value) =>
      typeof value === 'number' || value.startsWith("x'") ? String(value) : `'${value}'`,
    )
    await run(`INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${texts.join(', ')})`)
  }
  const written = { created_at: TIME, updated_at: LATER }
  const id_of = { id: expect.any(Number) }
  const things = Object.entries(await exported(id)).map(([kind, [{ kind: _, ...thing }]]) => [kind, thing])
  expect(Object.fromEntries(things)).toEqual({
    page: { ...id_of, path: '/tides', title: 'Tides', published: 0, html: '<p>High', ...written },
    post: {
      ...{ ...id_of, title: 'Ferry', slug: 'ferry-1', status: 'archived', author: 'Edith', category: 'Quay' },
      ...{ tags: ['Quay', 'Sea'], published_at: TIME, excerpt: 'It runs.', content: '<p>It runs.', ...written },
    },
    directory_item: {
      ...id_of,
      directory: 'shops',
      title: 'Fish',
      slug: 'fish-1',
      fields: { open: [9, 17] },
      ...written,
    },
    form_entry: { ...id_of, form: 'Contact', fields: { email: 'a@b.example' }, created_at: TIME },
    file: { ...id_of, name: 'Quay.png', alt: 'The quay', type: 'image/png', content: 'QQ==', created_at: TIME },
    site_file: { ...id_of, path: '/a.css', type: 'text/css', content: 'Qg==', ...written },
    site_template: { name: 'index', html: '<ol>', updated_at: TIME },
    list: {
      ...{ ...id_of, name: 'News', description: 'All', double_opt_in: 1, public: 0, letters_public: 1 },
      ...{ archived_at: TIME, ...written },
    },
    tag: { ...id_of, name: 'Friend', color: 'teal', ...written },
    template: { ...id_of, name: 'Plain', subject: 'Tides', editor_json: { version: 1 }, ...written },
    suppression: { ...id_of, email: 'b@b.example', reason: 'manual', opted_out: 0, note: 'Asked.', created_at: TIME },
  })
})

test('An exported campaign has its content, its senders and its times.', async () => {
  const id = await newProject()
  const texts = { name: 'June', subject: 'Tides', preheader: 'High', reply_to: 'desk@export.example' }
  const sender = { from_name: 'Desk', from_email: 'news@export.example', timezone: 'Europe/Oslo' }
  const tags = { utm_source: 'letter', utm_medium: 'email', utm_campaign: 'june' }
  await newCampaign(id, {
    ...{ ...texts, ...sender, ...tags, status: 'sent', created_at: NOW, updated_at: NOW + 1000 },
    ...{ track_opens: true, track_clicks: false, posts: [] },
    ...{ scheduled_at: NOW, started_at: NOW + 1000, finished_at: NOW + 2000 },
  })
  const { campaign } = await exported(id)
  const [{ editor_json, audience_spec, ...rest }] = campaign as [any]
  expect([typeof editor_json, typeof audience_spec]).toEqual(['object', 'object'])
  expect(rest).toEqual({
    ...{ kind: 'campaign', id: expect.any(Number), ...texts, ...sender, ...tags, status: 'sent' },
    ...{ track_opens: 1, track_clicks: 0, posts: [] },
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
  await run(`INSERT INTO consent_wordings (project_id, hash, text) VALUES (${id}, 'export', 'Yes, "all" of it.')`)
  await run(`UPDATE contacts SET consent_wording_id = (SELECT id FROM consent_wordings WHERE project_id = ${id})
    WHERE id = ${tagged}`)
  await newContact(other, 'other@export.example')
  const { contact, list: lists } = await exported(id)
  expect(contact!.map(({ email }) => email)).toEqual([...emails, 'tagged@export.example'])
  expect(contact![0]).toEqual({
    ...{ kind: 'contact', id: expect.any(Number), email: emails[0], ...NO_TEXTS },
    ...{
      global_status: 'subscribed',
      opted_out: 0,
      consent_source: expect.any(String),
      consent_at: null,
      custom_fields: {},
    },
    ...{
      consent_text: null,
      created_at: TIME,
      updated_at: TIME,
      lists: [{ name: 'Weekly', status: 'unsubscribed' }],
      tags: [],
    },
  })
  const { lists: joined, tags, consent_text } = contact!.at(-1)
  expect([joined, tags.length, consent_text]).toEqual([[], 1, 'Yes, "all" of it.'])
  expect(lists!.map(({ name }) => name)).toEqual(['Weekly'])
})
