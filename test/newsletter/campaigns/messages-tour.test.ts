import { afterEach, beforeEach, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { HOUR_MS } from '../../../src/clock.ts'
import { contentChecks } from '../../../src/newsletter/campaigns/readiness-content.ts'
import { compileEmail } from '../../../src/newsletter/email/render.ts'
import { lists } from '../../../src/store/tables/audience.ts'
import { campaigns } from '../../../src/store/tables/delivery.ts'
import { cms_posts, pages } from '../../../src/store/tables/sites.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { messageLines } from '../../support/tour-messages.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type SendingTour, tourOfSending } from '../sending-tour.ts'
import { addPeople } from './support.ts'

let world: World
let tour: SendingTour
beforeEach(async () => {
  world = await createWorld()
  tour = tourOfSending(world)
})
afterEach(() => world.close())

const block = (id: string, type: string, props: object) => ({ id, type, props })
const document = (...blocks: object[]) => ({ version: 1, settings: {}, blocks })
const words = (html: string) => document(block('a', 'text', { html }))

test('Answers of templates, previews and tests, and messages that leave, are those that are recorded.', async () => {
  await prepare()
  await templates()
  await previews()
  await tests()
  await sent()
  checks()
  expectRecorded('sending/messages.txt', tour.text())
})

async function prepare(): Promise<void> {
  await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  await world.ok('settings/update', {
    from_name: 'Harbour & Söhne',
    from_email: 'news@harbour.example',
    reply_to: 'desk@harbour.example',
    company_name: 'Harbour Ltd',
    postal_address: 'Quay 1\nHamburg',
    footer_text: 'You asked for it.',
    unsubscribe_mailto: 'leave@harbour.example',
    timezone: 'Pacific/Kiritimati',
    locale: 'en-GB',
    brand_color: '#1f4e79',
  })
  await world.ok('lists/create', { name: 'Weekly' })
  await world.ok('lists/create', { name: 'Asking', double_opt_in: true })
  await world.ok('custom-fields/create', { key: 'boat', label: 'Boat', type: 'text' })
  await addPeople(world, [
    {
      email: 'ada@example.org',
      first_name: 'Ada <A>',
      custom_fields: { boat: 'Fram & Co' },
      lists: { 1: 'subscribed' },
    },
    { email: 'bob@example.org', lists: { 1: 'subscribed' } },
    { email: 'cleo@example.org', suppressed: 'complaint' },
  ])
  await addPeople(world, [{ email: 'ada@example.org', first_name: 'Theirs' }], world.other.id)
  const post = (slug: string, hours: number, more: object = {}) => ({
    project_id: world.project.id,
    ...{
      title: `About ${slug}`,
      title_key: slug,
      slug,
      status: 'published' as const,
      author: 'Ines',
      category: 'Town',
    },
    ...{ excerpt: `${slug} in short`, word_count: 1, content: '' },
    ...{ created_at: world.clock.now() - hours * HOUR_MS, updated_at: 0 },
    ...more,
  })
  await world.service.runtime.store.write(async (tx) => {
    const long = `<p>Long ${'sand '.repeat(38)}hill, and more of it</p>`
    await tx
      .insert(cms_posts)
      .values([
        post('quay', 1),
        post('tide', 30, { category: 'Sea', excerpt: ' ', content: long }),
        post('ebb', 20, { category: 'sea' }),
        post('fog', 1, { status: 'draft' }),
        post('theirs', 0, { project_id: world.other.id }),
      ])
    const page = (path: string) => ({
      project_id: world.project.id,
      ...{ path, title: '', published: true, version: 1, html: '', created_at: 0, updated_at: 0 },
      insertion_points: { head: 0, body_start: 0, body_end: 0, body_implied: true },
    })
    await tx.insert(pages).values([page('/blog/old/quay'), page('/blog/quay'), page('/x-ebb')])
  })
  await world.service.runtime.store.write((tx) => tx.update(lists).set({ letters_public: true }).where(eq(lists.id, 1)))
  // In Kiritimati the next day has begun.
  world.clock.advance(2 * HOUR_MS)
  await tour.skip()
}

async function templates(): Promise<void> {
  tour.heading('Templates')
  const editor_json = words('<p>One</p>')
  const create = (more: object, options = {}) => tour.call('templates/create', { editor_json, ...more }, options)
  await create({ name: ' First ' })
  await create({ name: 'Second', subject: 'A subject' }, { as: 'editor' })
  await create({ name: 'Third' })
  await create({ name: 'first' }, { as: 'other' })
  await create({ name: 'FIRST' })
  await create({ name: '' })
  await create({ name: 'n'.repeat(201), subject: 's'.repeat(301) })
  await create({ name: 'x', editor_json: document(block('a', 'none', {}), block('a', 'text', {})) })
  await create({ name: 'x' }, { as: 'member' })
  await create({ name: 'x' }, { as: await world.token('owner', ['newsletter:read']) })
  await tour.pages('templates/list', { limit: 2 }, ({ id, name, subject, created_at }) => [
    id,
    name,
    subject,
    created_at,
  ])
  const { gallery } = await world.ok('templates/list', { limit: 1 })
  tour.write(
    ...gallery.map(
      (design: any) =>
        `  ${design.id} ${design.name}: ${design.description} ${design.thumbnail_url.replace(/\?.*/, '')}`,
    ),
  )
  await tour.call('templates/list', {}, { as: await world.token('member', ['newsletter:write']) })
  const { template } = await tour.call('templates/get', { template_id: 2 }, { as: 'member' })
  const update = (more: object, options = {}) => tour.call('templates/update', { template_id: 2, ...more }, options)
  await update({ name: 'Zweite ' })
  await update({ subject: '', expected_updated_at: template.updated_at })
  await update({ subject: '' })
  await update({ editor_json: words('<p>Two</p>') })
  world.clock.advance(-HOUR_MS)
  await update({})
  world.clock.advance(HOUR_MS)
  await update({ name: 'third' })
  await update({ name: 'x' }, { as: 'other' })
  await update({ name: 'x' }, { as: 'member' })
  for (const template_id of [2, 4, 99, 'builtin:none', 'letter']) await tour.call('templates/get', { template_id })
  const { template: design } = await world.ok('templates/get', { template_id: 'builtin:sale' })
  tour.write(JSON.stringify({ ...design, editor_json: design.editor_json.blocks.map(({ type }: any) => type) }))
  await tour.call('templates/delete', { template_id: 3 }, { as: 'member' })
  await tour.call('templates/delete', { template_id: 3 }, { as: 'other' })
  await tour.call('templates/delete', { template_id: 3 })
  await tour.call('templates/delete', { template_id: 3 })
  await tour.changes()
}

const POSTS = [
  block('p', 'cms_posts', { count: 2 }),
  block('q', 'cms_posts', { count: 1, category: 'SEA', layout: 'titles' }),
]
const LETTER = document(
  block('a', 'text', {
    html:
      '<p>{{ date }}: {{ contact.full_name | default: you }} of {{ contact.custom.boat | default: no boat }}, ' +
      '<a href="https://tide.example/{{ contact.email }}?a=1&amp;b={{ contact.custom.boat }}">tides</a> ' +
      'of {{ project.name }}: {{ campaign.subject }} {{ odd }}</p>',
  }),
  block('b', 'footer', { view_link: true }),
)

async function previews(): Promise<void> {
  tour.heading('Previews')
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'For {{ contact.first_name | default: all }} on {{ date }}',
    preheader: 'Before it',
    editor_json: LETTER,
    audience_spec: { include: [{ type: 'list', id: 1 }] },
  })
  const show = async (more: object, options: { as?: string } = {}) => {
    const { status, body } = await world.call('render', { ...more }, { as: world.keys.member, ...options })
    tour.write(`- render ${JSON.stringify(more)}`)
    if (status !== 200) return tour.write(`  ${status} ${JSON.stringify(body.error)}`)
    const { subject, html, text, size_bytes, warnings } = body.data
    tour.write(`  ${subject} | ${size_bytes} | ${JSON.stringify(warnings)}`, ...text.split('\n').filter(Boolean))
    const marks = [...html.matchAll(/data-block="(\w+)"/g)].map(([, id]) => id)
    const raw = Buffer.from(`\n\n${html.replaceAll('=', '=3D')}`)
    tour.write(...messageLines([{ from: '', to: [], raw }], 'short').slice(1), `  marks ${marks.join(' ')}`)
  }
  await show({ campaign_id: campaign.id, contact_id: 1 })
  await show({ campaign_id: campaign.id })
  await show({ template_id: 2, subject: 'Own', preheader: 'Own too' })
  await show({ editor_json: document(...POSTS), mark_blocks: true })
  const refused = [
    { campaign_id: campaign.id, template_id: 2 },
    {},
    { campaign_id: campaign.id, contact_id: 4 },
    { campaign_id: 99 },
    { template_id: 4 },
    { template_id: 'builtin:none' },
    { editor_json: { version: 1 } },
  ]
  for (const wrong of refused) await show(wrong)
  await show({ campaign_id: campaign.id }, { as: world.keys.other })
  await world.ok('campaigns/schedule', {
    campaign_id: campaign.id,
    scheduled_at: '2026-01-15T23:30-08:00',
    timezone: 'America/Los_Angeles',
  })
  const { subject } = await world.ok('render', { campaign_id: campaign.id })
  tour.write(`Scheduled in Los Angeles: ${subject}`)
  await world.ok('campaigns/unschedule', { campaign_id: campaign.id })
}

async function tests(): Promise<void> {
  tour.heading('Tests')
  const campaign_id = 1
  const own = { from_name: 'Own', from_email: 'own@harbour.example', reply_to: 'own-reply@harbour.example' }
  await world.ok('campaigns/update', { campaign_id, ...own })
  const ask = (emails: string[], more: object = {}, options = {}) =>
    tour.call('campaigns/test-send', { campaign_id, emails, ...more }, options)
  await ask(['one@harbour.example', ' two@harbour.example '], { contact_id: 1 })
  await ask(['three@harbour.example', 'cleo@example.org'])
  await ask(['four@harbour.example'], { contact_id: 2 }, { as: 'editor' })
  await ask(['cleo@example.org'])
  await ask(['x@harbour.example'], { contact_id: 4 })
  await ask(['x@harbour.example', 'X@harbour.example'])
  await ask(['x@harbour.example'], {}, { as: 'member' })
  await ask(['x@harbour.example'], {}, { as: 'other' })
  await ask(['x@harbour.example'], {}, { as: await world.token('owner', ['newsletter:write']) })
  await ask([1, 2, 3, 4, 5, 6].map((n) => `x${n}@harbour.example`))
  // Somebody deletes the campaign while its test is prepared.
  const { store } = world.service.runtime
  const { write } = store
  Object.assign(store, {
    write: async (...work: Parameters<typeof write>) => {
      Object.assign(store, { write })
      await write((tx) => tx.update(campaigns).set({ deleted_at: 1 }).where(eq(campaigns.id, campaign_id)))
      return write(...work)
    },
  })
  await ask(['late@harbour.example'])
  Object.assign(store, { write })
  await write((tx) => tx.update(campaigns).set({ deleted_at: null }).where(eq(campaigns.id, campaign_id)))
  await world.ok('campaigns/update', { campaign_id, subject: 'Changed since' })
  await tour.changes()
  await world.settle()
  tour.write(...messageLines(await tour.received(), 'short'))
  await ask(['five@harbour.example'])
  await tour.changes()
  await world.settle()
  tour.write(...messageLines(await tour.received()))
}

async function sent(): Promise<void> {
  tour.heading('Messages that leave')
  await world.ok('campaigns/update', {
    campaign_id: 1,
    subject: 'For {{ contact.first_name | default: all }} on {{ date }}',
    editor_json: document(...LETTER.blocks, ...POSTS),
    track_clicks: false,
    utm_source: 'letter',
  })
  await world.ok('campaigns/send', { campaign_id: 1 })
  await world.service.drain('jobs')
  // What leaves on the next day has the date on which the campaign began.
  world.clock.advance(24 * HOUR_MS)
  await world.ok('contacts/upsert', { email: 'new@example.org', list_ids: [2], consent_text: 'Yes.' })
  await world.settle()
  tour.write(...messageLines(await tour.received(), 'short'))
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'All of the markup',
    audience_spec: { include: [{ type: 'all' }], exclude: [{ type: 'list', id: 1 }] },
    editor_json: words('<p>Plain</p>'),
    track_opens: false,
    from_name: 'Desk',
    from_email: 'desk@häfen.example',
    reply_to: '',
  })
  await addPeople(world, [{ email: 'dan@example.org' }])
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  tour.write(...messageLines(await tour.received(), 'whole'))
  tour.heading('The archive')
  const root = `/sites/${world.project.slug}`
  await tour.visit('The letters of the project.', `${root}/letters`)
}

function checks(): void {
  tour.heading('What the content says of a campaign')
  const check = (subject: string, ...blocks: object[]) => {
    const editor_json = document(...blocks)
    const brand = {
      project_name: 'P',
      company_name: 'C',
      postal_address: 'A',
      footer_text: '',
      brand_color: '',
      logo_url: '',
    }
    const email = compileEmail({ document: editor_json as never, subject, brand, posts: [], locale: 'en' })
    const found = contentChecks({ subject, editor_json }, email)
    const all = [found.subject, found.content, found.unsubscribe_link, ...found.warnings]
    tour.write(
      `- ${subject} ${JSON.stringify(blocks)
        .replaceAll(/(.)\1{60,}/g, '$1…')
        .slice(0, 200)}`,
    )
    tour.write(...all.map(({ code, ok, severity, message }) => `  ${code} ${ok ? 'ok' : 'NO'} ${severity} ${message}`))
  }
  const html = (text: string) => block('a', 'text', { html: text })
  const image = (id: string) => block(id, 'image', { src: 'https://x.example/a.png', alt: '' })
  check(' ')
  check('s', html('<p>Hello {{ odd }} {{ other }}</p>'))
  check('s', image('a'))
  check('s', image('a'), html(`<p>${'x'.repeat(49)}</p>`))
  check('s', image('a'), html(`<p>${'x'.repeat(50)}</p>`))
  check('s', image('a'), html(`<p>${'x'.repeat(99)}<img src="https://x.example/b.png"></p>`))
  check('s', html(`<p>${'word '.repeat(21_000)}</p>`))
  const hosts = ['localhost', 'box.local', 'a.internal', '10.0.0.1', '[::1]', '93.184.216.34', 'nodot', 'fine.example']
  check('s', html(`<p>${hosts.map((host, at) => `<a href="http://${host}/">link ${at}</a>`).join(' ')}</p>`))
  check('s', html('<p><a href="#">a</a> <a href="">b</a> <a href="https://x.example/"></a></p>'))
  check('s', html('<p><a href="https://bit.ly/x">a</a> <a href="https://evil.example/">https://good.example/</a></p>'))
}
