import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import {
  browserView,
  campaignContent,
  campaignMessage,
  type CampaignParts,
  compileDraft,
  sendingProject,
} from '../../../src/newsletter/campaigns/content.ts'
import { addressees } from '../../../src/newsletter/campaigns/merge-values.ts'
import { getCampaign } from '../../../src/newsletter/campaigns/resource.ts'
import { senderOf } from '../../../src/newsletter/connections/sender.ts'
import { fillEmail } from '../../../src/newsletter/email/render.ts'
import type { Leased } from '../../../src/newsletter/outbox/outbox.ts'
import {
  createViewToken,
  readRecipientToken,
  readViewToken,
  type ViewToken,
} from '../../../src/newsletter/tracking/tokens.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { campaigns, deliveries } from '../../../src/store/tables/delivery.ts'
import { cms_posts } from '../../../src/store/tables/sites.ts'
import { altered } from '../../support/altered.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { addList, addPeople, draft, readyToSend } from './support.ts'

let world: World
let weekly: number
let vip: number
let ada: number
let ben: number
beforeAll(async () => {
  world = await createWorld()
  await readyToSend(world)
  weekly = await addList(world, 'weekly')
  vip = await addList(world, 'vip')
  ;[ada = 0, ben = 0] = await addPeople(world, [
    { email: 'ada@example.com', first_name: 'Ada' },
    { email: 'ben@example.com', first_name: '<Ben & $&>' },
  ])
})
afterAll(() => world.close())

const runtime = () => world.service.runtime
const HTML =
  '<p>Dear {{ contact.first_name | default: friend }}, about {{ campaign.subject }}.</p>' +
  '<p><a href="https://harbour.example/tides?for={{ contact.email }}">Tides</a></p>'
const document = { version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html: HTML } }] }
const partsOf = async (more: Record<string, unknown> = {}): Promise<CampaignParts> => {
  const { id } = await draft(world, { editor_json: document, subject: 'Hello {{ contact.first_name }}', ...more })
  const campaign = await getCampaign(runtime().store.db, world.project.id, id)
  const sending = await sendingProject(runtime().store.db, world.project.id)
  return { campaign, ...sending, sender: senderOf(sending.settings, campaign) }
}
/** The message of a campaign to a contact, as the relay gets it. */
const messageTo = async (contact_id: number, parts: CampaignParts, id = 41) => {
  const content = await campaignContent(runtime(), parts)
  const people = await addressees(runtime().store.db, [contact_id])
  const addressee = people.get(contact_id)!
  const delivery = { id, contact_id, email: addressee.email } as Leased
  const composed = content.compose(delivery, addressee, START)
  expect(composed.message_id).toBe(content.messageId(delivery))
  return { ...composed, mail: await simpleParser(composed.message) }
}
const header = (mail: { headerLines: readonly { key: string; line: string }[] }, name: string) =>
  mail.headerLines.find(({ key }) => key === name)?.line.replace(/^[^:]+: /, '')

test('A message goes from the sender to the address of the delivery, filled in for its recipient.', async () => {
  const { envelope, mail, message_id } = await messageTo(ada, await partsOf({ reply_to: 'desk@harbour.example' }))
  expect(envelope).toEqual({ from: 'news@harbour.example', to: 'ada@example.com' })
  expect([mail.from?.text, mail.replyTo?.text, mail.subject, mail.messageId]).toEqual([
    '"Harbour" <news@harbour.example>',
    'desk@harbour.example',
    'Hello Ada',
    `<${message_id}>`,
  ])
  expect(mail.html).toContain('Dear Ada, about Hello Ada.')
  expect(mail.text).toContain('Dear Ada, about Hello Ada.')
})

test('Values are escaped in HTML, and plain in the subject and the text.', async () => {
  const { mail } = await messageTo(ben, await partsOf())
  expect(mail.subject).toBe('Hello <Ben & $&>')
  expect(mail.html).toContain('Dear &lt;Ben &amp; $&amp;&gt;, about Hello &lt;Ben')
  expect(mail.text).toContain('Dear <Ben & $&>, about Hello <Ben & $&>.')
})

test('Each recipient gets an unsubscribe link of its own, for one click too.', async () => {
  const parts = await partsOf()
  for (const [contact_id, delivery_id] of [
    [ada, 41],
    [ben, 42],
  ] as const) {
    const { mail } = await messageTo(contact_id, parts, delivery_id)
    const [, link, token] = /^<(https?:.*\/unsubscribe\/(.+))>$/.exec(header(mail, 'list-unsubscribe')!.trim())!
    expect(readRecipientToken(runtime().keys, token!)).toEqual({
      delivery_id,
      contact_id,
      campaign_id: parts.campaign.id,
    })
    expect(mail.html).toContain(`href="${link}"`)
    expect(header(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  }
})

test('The List-ID names the only list of the audience, else the news of the project.', async () => {
  const lists = (...ids: number[]) => ({ audience_spec: { include: ids.map((id) => ({ type: 'list', id })) } })
  const labelOf = async (more: Record<string, unknown> = {}) =>
    /<(.+?)\./.exec(header((await messageTo(ada, await partsOf(more))).mail, 'list-id')!)![1]
  expect(await labelOf(lists(weekly))).toBe(`list-${weekly}`)
  expect(await labelOf(lists(weekly, vip))).toBe('news')
  expect(await labelOf()).toBe('news')
  const parts = await partsOf()
  const named = { ...parts, project: { ...parts.project, name: ' "Quay<News\\ ' } }
  expect(header((await messageTo(ada, named)).mail, 'list-id')).toMatch(/^Quay News <news\./)
})

test('The day in a message is that of the beginning of its campaign.', async () => {
  const html = '<p>{{ date }}</p>'
  const dated = { ...document, blocks: [{ id: 'a', type: 'text', props: { html } }] }
  const parts = await partsOf({ editor_json: dated })
  const begun = { ...parts, campaign: { ...parts.campaign, started_at: Date.UTC(2025, 10, 3) } }
  expect((await messageTo(ada, begun)).mail.html).toContain('November 3, 2025')
  expect((await messageTo(ada, parts)).mail.html).toContain('January 15, 2026')
})

test('The link to the page of a message carries the values of its HTML and of its tracked links.', async () => {
  const html =
    '<p>{{ contact.last_name }} <a href="https://harbour.example/{{ contact.email }}">Tides</a> ' +
    '<a href="{{ view_url }}">View</a></p>'
  const linked = { ...document, blocks: [{ id: 'a', type: 'text', props: { html } }] }
  const valuesOf = async (more: Record<string, unknown>) => {
    const { mail } = await messageTo(ada, await partsOf({ editor_json: linked, ...more }))
    const [, token = ''] = /\/view\/([^"]+)"/.exec(mail.html as string)!
    return readViewToken(runtime().keys, token)!.values
  }
  const all = { 'contact.email': 'ada@example.com', 'contact.first_name': 'Ada', 'contact.last_name': '' }
  expect(await valuesOf({ track_clicks: true })).toEqual(all)
  expect(await valuesOf({ track_clicks: false })).toEqual(all)
  expect(await valuesOf({ track_clicks: true, subject: 'Hello' })).toEqual({
    ...{ 'contact.email': 'ada@example.com', 'contact.last_name': '' },
  })
})

test('Links and opens are tracked only where the campaign asks for it.', async () => {
  const tracked = await messageTo(ada, await partsOf({ track_opens: true, track_clicks: true }))
  expect(tracked.mail.html).toMatch(/<a [^>]*href="[^"]+\/click\/[^"]+"/)
  expect(tracked.mail.html).toMatch(/<img src="[^"]+\/open\/[^"]+" width="1"/)
  expect(tracked.mail.html).not.toContain('https://harbour.example/tides')
  const plain = await messageTo(ada, await partsOf({ track_opens: false, track_clicks: false }))
  expect(plain.mail.html).toContain('href="https://harbour.example/tides?for=ada%40example.com"')
  expect(plain.mail.html).not.toMatch(/\/(?:click|open)\//)
})

test('A draft shows the newest posts, and a campaign those that were frozen with its audience.', async () => {
  const blocks = [{ id: 'a', type: 'cms_posts', props: {} }]
  const parts = await partsOf({ editor_json: { ...document, blocks } })
  const post = { title: 'Frozen', slug: 'frozen', url: null, excerpt: '', category: '', date: '' }
  expect(campaignMessage(parts).source.posts).toEqual([])
  expect(campaignMessage({ ...parts, campaign: { ...parts.campaign, posts: [post] } }).source.posts).toEqual([post])
  await runtime().store.write((tx) =>
    tx.insert(cms_posts).values({
      project_id: world.project.id,
      title: 'Newest',
      title_key: 'newest',
      slug: 'newest',
      status: 'published',
      author: '',
      tags: [],
      excerpt: '',
      word_count: 0,
      content: '',
      published_at: START,
      created_at: START,
      updated_at: START,
    }),
  )
  expect(fillEmail(await compileDraft(runtime(), parts), {}).text).toContain('Newest')
})

test('A campaign adds its UTM tags to links.', async () => {
  const { mail } = await messageTo(ada, await partsOf({ track_clicks: false, utm_source: 'news', utm_medium: 'email' }))
  expect(mail.html).toContain('utm_source=news&amp;utm_medium=email')
})

test('The sender of a project that was deleted is not found.', async () => {
  const sending = sendingProject(runtime().store.db, 9_000 as ProjectId)
  expect(await sending.catch(({ code }) => code)).toBe('NOT_FOUND')
})

test('The browser shows the message of a view token, as it was sent, while message and recipient exist.', async () => {
  const { campaign } = await partsOf()
  const [delivery] = await runtime().store.write((tx) =>
    tx
      .insert(deliveries)
      .values({
        project_id: world.project.id,
        kind: 'campaign',
        campaign_id: campaign.id,
        contact_id: ada,
        email: 'ada@example.com',
        status: 'sent',
        next_attempt_at: START,
        created_at: START,
      })
      .returning(),
  )
  const tokenOf = (changes: Partial<ViewToken> = {}) => {
    const ids = { delivery_id: delivery!.id, contact_id: ada, campaign_id: campaign.id }
    return createViewToken(runtime().keys, { ...ids, values: null, ...changes })
  }
  const token = tokenOf()
  const html = await browserView(runtime(), token)
  expect(html).toContain('Dear Ada, about Hello Ada.')
  expect(html).toContain(`/own-link/${world.project.public_id}"`)
  expect(html).toContain('https://harbour.example/tides?for=ada%40example.com')

  const sent = tokenOf({ values: { 'contact.first_name': 'Grace' } })
  expect(await browserView(runtime(), sent)).toContain('Dear Grace, about Hello Grace.')

  const dated = { ...document, blocks: [{ id: 'a', type: 'text', props: { html: '<p>{{ date }}</p>' } }] }
  await runtime().store.write((tx) =>
    tx
      .update(campaigns)
      .set({ editor_json: dated as never, started_at: Date.UTC(2026, 0, 20, 23), timezone: 'Asia/Tokyo' })
      .where(eq(campaigns.id, campaign.id)),
  )
  expect(await browserView(runtime(), token)).toContain('January 21, 2026')
  await runtime().store.write((tx) =>
    tx.update(campaigns).set({ started_at: null }).where(eq(campaigns.id, campaign.id)),
  )
  expect(await browserView(runtime(), token)).toContain('January 15, 2026')

  const other = await partsOf()
  expect(await browserView(runtime(), tokenOf({ delivery_id: 9_000 }))).toBe('gone')
  expect(await browserView(runtime(), tokenOf({ contact_id: 9_000 }))).toBe('gone')
  expect(await browserView(runtime(), tokenOf({ campaign_id: other.campaign.id }))).toBe('gone')
  expect(await browserView(runtime(), altered(token))).toBeNull()
})
