import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { campaigns } from '../../../src/store/tables/delivery.ts'
import { createWorld, type World } from '../../support/world.ts'
import { addPeople, draft, SAMPLE_DOCUMENT } from './support.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.ok('settings/update', {
    postal_address: 'Quay 1, Hamburg',
    company_name: 'Harbour & Sons',
    locale: 'de',
    timezone: 'Europe/Berlin',
  })
})
afterAll(() => world.close())

const text = (html: string) => ({ version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html } }] })

test("A campaign is rendered with sample values and the project's footer.", async () => {
  const { id } = await draft(world, {
    subject: 'For {{ contact.first_name }} from {{ project.name }}',
    preheader: 'In short',
  })
  const drawn = await world.ok('render', { campaign_id: id })
  expect(drawn.subject).toBe('For Ada from Harbour News')
  for (const part of ['Dear Ada', 'In short', 'Harbour &amp; Sons', 'Quay 1, Hamburg'])
    expect(drawn.html).toContain(part)
  for (const part of ['Dear Ada', 'Harbour & Sons', 'Quay 1, Hamburg']) expect(drawn.text).toContain(part)
  expect(drawn.size_bytes).toBe(Buffer.byteLength(drawn.html))
  expect(drawn.warnings).toEqual([])
})

test('An unsaved document can be rendered.', async () => {
  const drawn = await world.ok('render', {
    editor_json: text('<p>{{ campaign.subject }} am {{ date }}</p>'),
    subject: 'Ebbe',
    preheader: 'Kurz',
  })
  expect(drawn).toMatchObject({ subject: 'Ebbe', text: expect.stringContaining('Ebbe am 15. Januar 2026') })
  expect(drawn.html).toContain('Kurz')
  expect((await world.ok('render', { editor_json: SAMPLE_DOCUMENT })).subject).toBe('')
})

test('The date of a scheduled campaign is of its own time zone.', async () => {
  const { id } = await draft(world, { editor_json: text('<p>Am {{ date }}</p>') })
  const drawn = async () => (await world.ok('render', { campaign_id: id })).text
  expect(await drawn()).toContain('Am 15. Januar 2026')
  await world.service.runtime.store.write((tx) =>
    tx.update(campaigns).set({ timezone: 'Pacific/Kiritimati' }).where(eq(campaigns.id, id)),
  )
  world.clock.advance(3_600_000)
  expect(await drawn()).toContain('Am 16. Januar 2026')
})

test('A given subject and preheader replace those of the campaign.', async () => {
  const { id } = await draft(world, { subject: 'Old', preheader: 'Old words' })
  const drawn = await world.ok('render', { campaign_id: id, subject: 'New', preheader: 'New words' })
  expect(drawn.subject).toBe('New')
  expect(drawn.html).toContain('New words')
  const emptied = await world.ok('render', { campaign_id: id, subject: '', preheader: '' })
  expect([emptied.subject, emptied.html.includes('Old words')]).toEqual(['', false])
  expect((await world.ok('campaigns/get', { campaign_id: id })).campaign.subject).toBe('Old')
})

test('A rendered campaign shows the values of a contact, escaped for their context.', async () => {
  const [ada] = await addPeople(world, [
    { email: 'ada@harbour.example', first_name: '<b>Ada</b>', custom_fields: { city: 'Kiel' } },
  ])
  const { html, text: plain } = await world.ok('render', {
    editor_json: text(
      '<p>Dear {{ contact.first_name }} of {{ contact.custom.city }} {{ contact.last_name | default: ' +
        '(no name) }}</p>',
    ),
    contact_id: ada,
  })
  expect(html).toContain('Dear &lt;b&gt;Ada&lt;/b&gt; of Kiel (no name)')
  expect(plain).toContain('Dear <b>Ada</b> of Kiel (no name)')
  const [foreign] = await addPeople(world, [{ email: 'bob@harbour.example' }], world.other.id)
  for (const contact_id of [foreign, 999_999]) {
    const { status, body } = await world.call('render', { editor_json: SAMPLE_DOCUMENT, contact_id })
    expect([status, body.error.details]).toEqual([404, [{ path: '/contact_id' }]])
  }
})

test('A rendered campaign contains no link that acts on a contact.', async () => {
  const [ada] = await addPeople(world, [{ email: 'linked@harbour.example' }])
  const { html, text: plain } = await world.ok('render', {
    editor_json: text('<a href="{{ unsubscribe_url }}">leave</a> <a href="{{ view_url }}">view</a>'),
    contact_id: ada,
  })
  expect(html + plain).not.toContain(world.service.runtime.base_url)
})

test('Marks of blocks are there when asked for, and do not count as size.', async () => {
  const { id } = await draft(world, { editor_json: text('<p>Tide</p>') })
  const plain = await world.ok('render', { campaign_id: id })
  const marked = await world.ok('render', { campaign_id: id, mark_blocks: true })
  expect([plain.html.includes('data-block'), marked.html.match(/<td data-block="[^"]*"/g)]).toEqual([
    false,
    ['<td data-block="a"'],
  ])
  expect(marked.size_bytes).toBe(plain.size_bytes)
})

test('Rendering returns the warnings for the author.', async () => {
  const { warnings } = await world.ok('render', {
    editor_json: text('<p>{{ contact.shoe_size }}<img src="https://harbour.example/a.png"></p>'),
  })
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(
    expect.arrayContaining(['unknown_merge_tag', 'missing_alt']),
  )
  const unknown = await world.ok('render', {
    campaign_id: (await draft(world, { editor_json: text('<p>{{ contact.custom.shoe_size }}</p>') })).id,
  })
  expect(unknown.warnings).toEqual([
    { code: 'unknown_merge_tag', message: expect.stringContaining('shoe_size'), block_id: 'a' },
  ])
})

test('Rendering requires either a campaign or a document.', async () => {
  const { id } = await draft(world)
  for (const wrong of [
    {},
    { campaign_id: id, editor_json: SAMPLE_DOCUMENT },
    { editor_json: { version: 1 } },
    { campaign_id: id, subject: 'a\nb' },
    { campaign_id: id, template_id: 1 },
  ]) {
    const { status, body } = await world.call('render', wrong)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  }
})
