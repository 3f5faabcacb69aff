import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sendingProject } from '../../../src/newsletter/campaigns/content.ts'
import { customFieldKeys, fillSample, previewOf } from '../../../src/newsletter/campaigns/preview.ts'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail } from '../../../src/newsletter/email/render.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { addPeople, draft, SAMPLE_DOCUMENT } from './support.ts'

let world: World
let ada: number
let foreign: number
beforeAll(async () => {
  world = await createWorld()
  await world.ok('custom-fields/create', { key: 'city', label: 'City', type: 'text' })
  ;[ada = 0] = await addPeople(world, [
    { email: 'ada@harbour.example', first_name: 'Adah', custom_fields: { city: 'Kiel' } },
  ])
  ;[foreign = 0] = await addPeople(world, [{ email: 'gil@elsewhere.example' }], world.other.id)
})
afterAll(() => world.close())

const db = () => world.service.runtime.store.db
const codeOf = (error: { code: string; details?: unknown }) => [error.code, error.details]
const preview = (request: Parameters<typeof previewOf>[2]) =>
  previewOf(db(), { project_id: world.project.id, base_url: world.url }, request)
const filled = async (contact_id: number | undefined) => {
  const html =
    '<p>{{ contact.first_name }} {{ contact.custom.city | default: nowhere }} {{ project.name }} {{ date }} ' +
    '{{ view_url }}</p>'
  const document = checkDocument(
    { version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html } }] },
    '/editor_json',
  )
  const email = compileEmail({ document, subject: 'To {{ contact.email }}', brand: { project_name: 'Harbour' } })
  const sender = await sendingProject(db(), world.project.id)
  return {
    name: sender.project.name,
    ...(await fillSample(db(), email, { ...sender, contact_id, timezone: null, now: START })),
  }
}

test('A preview without a contact shows sample values.', async () => {
  const { name, subject, text } = await filled(undefined)
  expect(subject).toBe('To ada@example.com')
  expect(text).toContain(`Ada nowhere ${name} January 15, 2026 https://example.com/view`)
})

test('A preview for a contact shows its values, and sample links that unsubscribe nobody.', async () => {
  const { name, subject, text } = await filled(ada)
  expect(subject).toBe('To ada@harbour.example')
  expect(text).toContain(`Adah Kiel ${name} January 15, 2026 https://example.com/view`)
  expect(text).toContain('https://example.com/unsubscribe')
})

test("Another project's contact is not found.", async () => {
  expect(await filled(foreign).catch(codeOf)).toEqual(['NOT_FOUND', [{ path: '/contact_id' }]])
})

test('A campaign, a template or a document is the source of a preview.', async () => {
  const campaign = await draft(world, { subject: 'Tides', preheader: 'At noon' })
  const shown = { document: SAMPLE_DOCUMENT, subject: 'Tides', preheader: 'At noon' }
  expect(await preview({ campaign_id: campaign.id })).toMatchObject(shown)
  const { template } = await world.ok('templates/create', {
    name: 'Letter',
    subject: 'Suggested',
    editor_json: SAMPLE_DOCUMENT,
  })
  expect(await preview({ template_id: template.id })).toMatchObject({ ...shown, subject: 'Suggested', preheader: '' })
  expect(await preview({ editor_json: SAMPLE_DOCUMENT })).toMatchObject({ ...shown, subject: '', preheader: '' })
})

test.each([
  ['no source', {}, 'VALIDATION_FAILED'],
  ['two sources', { campaign_id: 1, template_id: 1 }, 'VALIDATION_FAILED'],
  [
    'a document with an unknown block',
    { editor_json: { version: 1, settings: {}, blocks: [{}] } },
    'VALIDATION_FAILED',
  ],
  ['an unknown campaign', { campaign_id: 9_000 }, 'NOT_FOUND'],
  ['an unknown design', { template_id: 'builtin:nothing' }, 'NOT_FOUND'],
])('A preview of %s is refused.', async (_, request, code) => {
  expect((await preview(request).catch(codeOf)) as unknown).toMatchObject([code, expect.anything()])
})

test('The keys of custom fields are those of the project.', async () => {
  expect(await customFieldKeys(db(), world.project.id)).toEqual(['city'])
  expect(await customFieldKeys(db(), world.other.id)).toEqual([])
})
