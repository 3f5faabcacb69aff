import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql, type SQL } from 'drizzle-orm'
import { createConfirmationToken, createRecipientToken } from '../../../src/newsletter/tracking/tokens.ts'
import type { AudienceSpec } from '../../../src/store/tables/delivery.ts'
import { createUploads } from '../../../src/http/core/uploads.ts'
import { translationsFor } from '../../../src/i18n/languages.ts'
import {
  brandingOf,
  maskedAddress,
  readForm,
  unsubscribedPage,
  type Visit,
} from '../../../src/http/public/recipient-visit.ts'
import { createWorld, type World } from '../../support/world.ts'
import { altered } from '../../support/altered.ts'

let world: World
let news: number
let sports: number
let club: number
beforeAll(async () => {
  world = await createWorld()
  news = (await world.ok('lists/create', { name: 'News & <Views>' })).list.id
  sports = (await world.ok('lists/create', { name: 'Sports', description: 'Every "Monday"' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
})
afterAll(() => world.close())

const query = <T>(statement: SQL) => world.service.runtime.store.db.all<T>(statement)
const write = (statement: SQL) => world.service.runtime.store.write((tx) => tx.run(statement))
const upsert = async (email: string, list_ids: number[]) =>
  (await world.ok('contacts/upsert', { email, consent_text: 'I agree', list_ids })).contact
const get = (contact_id: number) => world.ok('contacts/get', { contact_id })
const statusesOf = async (contact_id: number) => {
  const { contact } = await get(contact_id)
  return {
    global: contact.global_status,
    ...Object.fromEntries(contact.lists.map(({ list_id, status }: any) => [list_id, status])),
  }
}

const confirmPath = ({ id, email }: { id: number; email: string }, list_ids: number[]) => {
  const token = createConfirmationToken(world.service.runtime.keys, { contact_id: id, email, list_ids })
  return `/general/newsletter/confirm/${token}`
}

/** A message that went to a contact, from a campaign for these people or from none; answers its token. */
async function message(
  contact: { id: number; email: string },
  include: AudienceSpec['include'] | null,
  kind = 'campaign',
): Promise<{ token: string; campaign_id: number; delivery_id: number }> {
  let campaign_id = 0
  if (include) {
    const [campaign] = await world.service.runtime.store.write((tx) =>
      tx.all<{ id: number }>(sql`
      INSERT INTO campaigns (project_id, name, search_key, subject, editor_json, audience_spec, track_opens,
        track_clicks, status, created_at, updated_at)
      VALUES (${world.project.id}, '', '', 's', '{}', ${JSON.stringify({ include })}, 1, 1, 'sent', 0, 0)
      RETURNING id`),
    )
    campaign_id = campaign!.id
  }
  const [delivery] = await world.service.runtime.store.write((tx) =>
    tx.all<{ id: number }>(sql`
    INSERT INTO deliveries (project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, created_at)
    VALUES (${world.project.id}, ${kind}, ${campaign_id || null}, ${contact.id}, ${contact.email}, 'sent', 0, 0)
    RETURNING id`),
  )
  const delivery_id = delivery!.id
  return {
    token: createRecipientToken(world.service.runtime.keys, { delivery_id, contact_id: contact.id, campaign_id }),
    campaign_id,
    delivery_id,
  }
}

const form = (fields: Record<string, string> | [string, string][]): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})
const ONE_CLICK = form({ 'List-Unsubscribe': 'One-Click' })
const pageOf = async (path: string, init?: RequestInit) => {
  const response = await world.fetch(path, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const unsubscribeEvents = (campaign_id: number) =>
  query<{ delivery_id: number; detail: string | null }>(
    sql`SELECT delivery_id, detail FROM events WHERE type = 'unsubscribe' AND campaign_id = ${campaign_id}`,
  )

test('Every page has no scripts, is not cached and sends no referrer.', async () => {
  const contact = await upsert('headers@example.com', [news, club])
  const { token } = await message(contact, [{ type: 'list', id: news }])
  for (const path of [
    confirmPath(contact, [club]),
    `/general/newsletter/unsubscribe/${token}`,
    `/general/newsletter/preferences/${token}`,
    '/general/newsletter/unsubscribe/nonsense',
  ]) {
    const { headers, text } = await pageOf(path)
    const policy = headers.get('content-security-policy')!
    for (const part of [
      "default-src 'self'",
      "script-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(
      Object.fromEntries(
        [
          'content-type',
          'referrer-policy',
          'cache-control',
          'x-content-type-options',
          'set-cookie',
          'x-robots-tag',
        ].map((name) => [name, headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'set-cookie': null,
      'x-robots-tag': 'noindex, nofollow',
    })
    const style = /<style>([\s\S]*)<\/style>/.exec(text)![1]!
    expect(policy).toContain(`style-src 'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`)
    expect(text).toStartWith('<!doctype html>\n<html lang="en">')
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(text).not.toMatch(/<script| style="| on\w+="|https?:\/\//)
    expect(text.match(/<h1>/g)).toHaveLength(1)
  }
})

test("Every page uses the project's language, name and a readable color, and declares its language.", async () => {
  await world.ok('contacts/upsert', { email: 'look@example.com', consent_text: 'x' }, { as: world.keys.other })
  const { contact } = await world.ok('contacts/get', { email: 'look@example.com' }, { as: world.keys.other })
  await write(
    sql`
      INSERT INTO newsletter_settings (project_id, locale, brand_color, updated_at)
      VALUES (${world.other.id}, 'de-AT', '#ff0', 0)`,
  )
  const named = { delivery_id: 0, contact_id: contact.id, campaign_id: 0 }
  const path = `/general/newsletter/preferences/${createRecipientToken(world.service.runtime.keys, named)}`
  const german = (await pageOf(path)).text
  expect(german).toContain('<html lang="de">')
  expect(german).toContain('Ihre Einstellungen')
  expect(german).toContain('<header>Mountain Post</header>')
  expect(german).toContain(':root{--brand:#ffff00;--on-brand:#1f1f23;--edge-light:#5c6066;--edge-dark:#ffff00}')
  await write(sql`UPDATE newsletter_settings SET locale = 'ar-EG' WHERE project_id = ${world.other.id}`)
  const arabic = (await pageOf(path)).text
  expect(arabic).toContain('<html lang="ar" dir="rtl">')
  expect(arabic).toContain('\u2068l…@example.com\u2069')
  await write(
    sql`UPDATE newsletter_settings SET locale = 'tlh', brand_color = 'red;}' WHERE project_id = ${world.other.id}`,
  )
  const english = (await pageOf(path)).text
  expect(english).toContain('<html lang="en">')
  expect(english).not.toContain('red;}')
})

test('Every page answers 404 for an unknown or tampered token and 410 for a deleted contact.', async () => {
  const contact = await upsert('deleted@example.com', [club])
  const { token } = await message(contact, [{ type: 'all' }])
  const confirm = confirmPath(contact, [club])
  const paths = [`/general/newsletter/unsubscribe/${token}`, `/general/newsletter/preferences/${token}`, confirm]
  for (const path of [
    ...paths.map(altered),
    ...paths.map((path) => `${path}A`),
    '/general/newsletter/confirm/%00',
    `/general/newsletter/confirm/${token}`,
    confirm.replace('confirm', 'unsubscribe'),
    confirm.replace('confirm', 'preferences'),
  ]) {
    for (const init of [{}, ONE_CLICK])
      expect({ path, status: (await pageOf(path, init)).status }).toEqual({ path, status: 404 })
  }
  await world.ok('contacts/delete', { contact_id: contact.id })
  for (const path of paths) for (const init of [{}, ONE_CLICK]) expect((await pageOf(path, init)).status).toBe(410)
})

test('Every page refuses other methods and a too large form.', async () => {
  const { token } = await message(await upsert('methods@example.com', [news]), null)
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const { status, headers } = await pageOf(`/general/newsletter/unsubscribe/${token}`, { method })
    expect({ method, status, allow: headers.get('allow') }).toEqual({ method, status: 405, allow: 'GET, HEAD, POST' })
  }
  expect((await pageOf(`/general/newsletter/unsubscribe/${token}`, form({ x: 'x'.repeat(70_000) }))).status).toBe(413)
})

test('GET changes nothing and POST confirms.', async () => {
  const contact = await upsert('confirm@example.com', [club])
  const path = confirmPath(contact, [club])
  for (const method of ['GET', 'HEAD', 'GET']) {
    const { status, text } = await pageOf(path, { method })
    expect(status).toBe(200)
    if (method === 'GET') {
      expect(text).toContain('<form method="post"><button>Confirm my subscription</button></form>')
      expect(text).toContain('Messages of Club go to c…@example.com')
    } else expect(text).toBe('')
  }
  expect(await statusesOf(contact.id)).toEqual({ global: 'pending', [club]: 'pending' })

  world.clock.advance(5000)
  const at = new Date(world.clock.now()).toISOString()
  const done = await pageOf(path, { ...form({}), headers: { 'User-Agent': 'Mozilla/5.0 (test)' } })
  expect(done.status).toBe(200)
  expect(done.text).toContain('You are subscribed')
  const { contact: now, activity, consents } = await get(contact.id)
  expect(now).toMatchObject({
    global_status: 'subscribed',
    lists: [{ list_id: club, status: 'subscribed', subscribed_at: at, unsubscribed_at: null }],
    updated_at: at,
  })
  expect(activity.map(({ type }: any) => type)).toEqual(['confirmed', 'confirmation_sent'])
  expect(consents).toMatchObject([
    {
      at,
      list_id: club,
      action: 'confirmed',
      text: 'I agree',
      source: 'confirmation',
      ip: '127.0.0.1',
      user_agent: 'Mozilla/5.0 (test)',
    },
    { list_id: club, action: 'given', text: 'I agree', source: 'api', ip: null, user_agent: null },
  ])
})

test('Confirming works once, while the membership is pending.', async () => {
  const contact = await upsert('once@example.com', [club, news])
  const path = confirmPath(contact, [club])
  await pageOf(path, form({}))
  for (const init of [{}, form({})]) expect((await pageOf(path, init)).text).toContain('There is nothing to confirm')
  expect((await get(contact.id)).activity.filter(({ type }: any) => type === 'confirmed')).toHaveLength(1)

  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  expect((await pageOf(path, form({}))).text).toContain('There is nothing to confirm')
  expect(await statusesOf(contact.id)).toEqual({
    global: 'unsubscribed',
    [club]: 'unsubscribed',
    [news]: 'unsubscribed',
  })
})

test('Confirming confirms only the lists and the contact it was sent for.', async () => {
  const second = (await world.ok('lists/create', { name: 'Second', double_opt_in: true })).list.id
  const contact = await upsert('only@example.com', [club, second])
  const neighbor = await upsert('neighbor@example.com', [club])
  await pageOf(confirmPath(contact, [second]), form({}))
  expect(await statusesOf(contact.id)).toEqual({ global: 'subscribed', [club]: 'pending', [second]: 'subscribed' })
  expect(await statusesOf(neighbor.id)).toEqual({ global: 'pending', [club]: 'pending' })
})

test('Confirming confirms the latest of two wordings.', async () => {
  await world.ok('contacts/upsert', { email: 'wordings@example.com', consent_text: 'Old words', list_ids: [club] })
  const { contact } = await world.ok('contacts/upsert', {
    email: 'wordings@example.com',
    consent_text: 'New words',
    list_ids: [club],
  })
  await pageOf(confirmPath(contact, [club]), form({}))
  const { consents } = await get(contact.id)
  expect(consents.map(({ text, action }: any) => [text, action])).toEqual([
    ['New words', 'confirmed'],
    ['New words', 'given'],
    ['Old words', 'given'],
  ])
})

test('Two concurrent confirmations are recorded once.', async () => {
  const contact = await upsert('race@example.com', [club])
  await Promise.all(Array.from({ length: 10 }, () => pageOf(confirmPath(contact, [club]), form({}))))
  expect((await get(contact.id)).activity.filter(({ type }: any) => type === 'confirmed')).toHaveLength(1)
})

test('A link scanner that sends GET or HEAD changes nothing.', async () => {
  const contact = await upsert('scanner@example.com', [news])
  const { token } = await message(contact, [{ type: 'list', id: news }])
  for (const method of ['GET', 'HEAD'])
    expect((await pageOf(`/general/newsletter/unsubscribe/${token}`, { method })).status).toBe(200)
  expect(await statusesOf(contact.id)).toEqual({ global: 'subscribed', [news]: 'subscribed' })
})

test('One click unsubscribes from the lists of the message and is counted once.', async () => {
  const contact = await upsert('oneclick@example.com', [news, sports])
  const { token, campaign_id, delivery_id } = await message(contact, [
    { type: 'list', id: news },
    { type: 'list', id: club },
  ])
  for (let click = 0; click < 3; click++) {
    const { status, headers, text } = await pageOf(`/general/newsletter/unsubscribe/${token}`, ONE_CLICK)
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toBeNull()
    expect(text).toContain('Club and News &amp; &lt;Views&gt;')
  }
  expect(await statusesOf(contact.id)).toEqual({
    global: 'subscribed',
    [news]: 'unsubscribed',
    [sports]: 'subscribed',
  })
  expect(await unsubscribeEvents(campaign_id)).toEqual([{ delivery_id, detail: 'lists' }])
})

test('One click works as multipart, with another type and without a body.', async () => {
  const multipart = new FormData()
  multipart.set('List-Unsubscribe', 'One-Click')
  for (const [index, init] of (
    [
      { method: 'POST', body: multipart },
      { method: 'POST', body: 'List-Unsubscribe=One-Click', headers: { 'Content-Type': 'text/plain' } },
      { method: 'POST' },
      { method: 'POST', body: '--broken', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } },
      {
        method: 'POST',
        body: 'List-Unsubscribe=One-Click',
        headers: { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      },
    ] as RequestInit[]
  ).entries()) {
    const contact = await upsert(`body-${index}@example.com`, [news])
    const { token } = await message(contact, [{ type: 'list', id: news }])
    expect((await pageOf(`/general/newsletter/unsubscribe/${token}`, init)).status).toBe(200)
    expect(await statusesOf(contact.id)).toEqual({ global: 'unsubscribed', [news]: 'unsubscribed' })
  }
})

test('A message with other recipients than lists unsubscribes from everything.', async () => {
  for (const [name, include] of Object.entries({
    all: [{ type: 'all' }],
    mixed: [
      { type: 'list', id: news },
      { type: 'tag', id: 1 },
    ],
    nobody: null,
    gone: [{ type: 'list', id: 999_999 }],
  } as Record<string, AudienceSpec['include'] | null>)) {
    const contact = await upsert(`everything-${name}@example.com`, [news, sports, club])
    const { token, campaign_id } = await message(contact, include)
    const { text } = await pageOf(`/general/newsletter/unsubscribe/${token}`)
    expect(text).toContain(
      '<form method="post"><button name="scope" value="all">Unsubscribe from everything</button></form>',
    )
    expect(text).not.toContain('Unsubscribe from News')
    await pageOf(`/general/newsletter/unsubscribe/${token}`, ONE_CLICK)
    expect(await statusesOf(contact.id)).toEqual({
      global: 'unsubscribed',
      [news]: 'unsubscribed',
      [sports]: 'unsubscribed',
      [club]: 'unsubscribed',
    })
    expect(await unsubscribeEvents(campaign_id)).toHaveLength(campaign_id ? 1 : 0)
    expect((await get(contact.id)).suppression).toMatchObject({ reason: 'unsubscribe' })
    expect((await pageOf(`/general/newsletter/unsubscribe/${token}`)).text).toContain('You are unsubscribed')
  }
})

test('The page offers everything alone where leaving the lists of the message leaves no list.', async () => {
  const contact = await upsert('one-list@example.com', [news])
  const { token } = await message(contact, [{ type: 'list', id: news }])
  const path = `/general/newsletter/unsubscribe/${token}`
  const { text } = await pageOf(path)
  expect(text.match(/<button.*?<\/button>/g)).toEqual([
    '<button name="scope" value="all">Unsubscribe from everything</button>',
  ])
  expect((await pageOf(path, form({ scope: 'all' }))).text).toContain('You are unsubscribed')
})

test('The page offers to leave those lists of the message that the recipient has not left.', async () => {
  const other = (await world.ok('lists/create', { name: 'Other' })).list.id
  const contact = await upsert('some@example.com', [news, sports, other])
  const include = [news, sports].map((id) => ({ type: 'list' as const, id }))
  const { token } = await message(contact, include)
  const path = `/general/newsletter/unsubscribe/${token}`
  const offered = async () => /<button>Unsubscribe from ([^<]+)<\/button>/.exec((await pageOf(path)).text)?.[1]
  expect(await offered()).toBe('News &amp; &lt;Views&gt; and Sports')
  await world.ok('contacts/membership', { contact_id: contact.id, list_id: news, action: 'unsubscribe' })
  expect(await offered()).toBe('Sports')
})

test('The page offers both, and going on to everything counts the message once.', async () => {
  const contact = await upsert('both@example.com', [news, sports])
  const { token, campaign_id, delivery_id } = await message(contact, [{ type: 'list', id: news }])
  const path = `/general/newsletter/unsubscribe/${token}`
  const { text } = await pageOf(path)
  expect(text).toContain('<form method="post"><button>Unsubscribe from News &amp; &lt;Views&gt;</button></form>')
  expect(text).toContain('name="scope" value="all"')
  expect(text).toContain(`<a href="../preferences/${token}">`)
  expect((await pageOf(path, form({}))).text).toContain(
    `<form method="post" action="../preferences/${token}"><button class="quiet" name="unsubscribe_all" value="1">`,
  )
  expect((await pageOf(path, form({ scope: 'all' }))).text).toContain(
    'No further messages will be sent to b…@example.com.',
  )
  expect(await statusesOf(contact.id)).toEqual({
    global: 'unsubscribed',
    [news]: 'unsubscribed',
    [sports]: 'unsubscribed',
  })
  expect(await unsubscribeEvents(campaign_id)).toEqual([{ delivery_id, detail: 'lists' }])
  expect((await get(contact.id)).activity.map(({ type, campaign_id }: any) => [type, campaign_id])).toEqual([
    ['suppressed', null],
    ['unsubscribe', null],
    ['unsubscribe', campaign_id],
    ['left_list', null],
    ['subscribed', null],
    ['subscribed', null],
  ])
  expect((await get(contact.id)).consents).toMatchObject([
    { action: 'withdrawn', list_id: null, campaign_id, source: 'unsubscribe_link', ip: '127.0.0.1' },
    { action: 'withdrawn', list_id: news, campaign_id, source: 'unsubscribe_link', ip: '127.0.0.1' },
    { action: 'given', list_id: sports },
    { action: 'given', list_id: news },
  ])
})

test('An old message still works for an address that was deleted and added again.', async () => {
  const first = await upsert('Again@example.com', [news])
  const { token } = await message(first, [{ type: 'list', id: news }])
  await world.ok('contacts/delete', { contact_id: first.id })
  const second = await upsert('again@example.com', [news])
  expect((await pageOf(`/general/newsletter/unsubscribe/${token}`, ONE_CLICK)).status).toBe(200)
  expect(await statusesOf(second.id)).toEqual({ global: 'unsubscribed', [news]: 'unsubscribed' })
})

test('The links of a test message change nothing.', async () => {
  const contact = await upsert('sample@example.com', [news])
  const { token } = await message(contact, [{ type: 'list', id: news }], 'test')
  for (const init of [{}, ONE_CLICK])
    expect((await pageOf(`/general/newsletter/unsubscribe/${token}`, init)).text).toContain('This was a test message')
  expect((await pageOf(`/general/newsletter/preferences/${token}`, form({ unsubscribe_all: '1' }))).text).toContain(
    'This was a test message',
  )
  expect(await statusesOf(contact.id)).toEqual({ global: 'subscribed', [news]: 'subscribed' })
})

describe('preferences', () => {
  const box = (text: string, id: number) =>
    new RegExp(`<input type="checkbox" name="list_ids" value="${id}"( checked)?>`).exec(text)
  let hidden: number
  let archived: number
  beforeAll(async () => {
    hidden = (await world.ok('lists/create', { name: 'Hidden', public: false })).list.id
    archived = (await world.ok('lists/create', { name: 'Archived' })).list.id
  })
  const open = async (email: string, list_ids: number[]) => {
    const contact = await upsert(email, list_ids)
    const { token, campaign_id } = await message(contact, [{ type: 'list', id: news }])
    await world.ok('lists/update', { list_id: archived, archived: true })
    return { contact, campaign_id, path: `/general/newsletter/preferences/${token}` }
  }

  test('Preferences shows public lists, with the subscribed ones ticked.', async () => {
    const { path } = await open('prefs@example.com', [news, club, hidden, archived])
    const { text } = await pageOf(path)
    expect(box(text, news)![1]).toBe(' checked')
    expect(box(text, sports)![1]).toBeUndefined()
    expect(box(text, club)![1]).toBeUndefined()
    expect(text).toContain('Waits for your confirmation')
    expect(text).toContain('<small dir="auto">Every &quot;Monday&quot;</small>')
    for (const id of [hidden, archived]) expect(box(text, id)).toBeNull()
  })

  test('Saving subscribes to ticked lists without a confirmation message, and unsubscribes from others.', async () => {
    const { contact, path } = await open('change@example.com', [news, hidden, archived])
    const { text } = await pageOf(
      path,
      form([
        ['list_ids', String(sports)],
        ['list_ids', String(club)],
      ]),
    )
    expect(text).toContain('Your choice was saved.')
    expect([news, sports, club].map((id) => box(text, id)![1])).toEqual([undefined, ' checked', ' checked'])
    expect(await statusesOf(contact.id)).toEqual({
      global: 'subscribed',
      [news]: 'unsubscribed',
      [sports]: 'subscribed',
      [club]: 'subscribed',
      [hidden]: 'subscribed',
      [archived]: 'subscribed',
    })
    expect(
      await query(sql`SELECT 1 FROM deliveries WHERE kind = 'confirmation' AND contact_id = ${contact.id}`),
    ).toEqual([])
    const { contact: now, consents } = await get(contact.id)
    expect(now).toMatchObject({ consent_source: 'preferences' })
    expect(
      consents
        .filter(({ source }: any) => source === 'preferences')
        .map(({ action, list_id, ip }: any) => [action, list_id, ip])
        .toSorted(),
    ).toEqual(
      [
        ['given', sports, '127.0.0.1'],
        ['given', club, '127.0.0.1'],
        ['withdrawn', news, '127.0.0.1'],
      ].toSorted(),
    )
  })

  test('Preferences lists that are private, archived or of another project cannot be joined.', async () => {
    const theirs = (await world.ok('lists/create', { name: 'Theirs' }, { as: world.keys.other })).list.id
    const { contact, path } = await open('smuggle@example.com', [news])
    const ids = [news, hidden, archived, theirs, 'x', '1e3', '', '-1'].map((id): [string, string] => [
      'list_ids',
      String(id),
    ])
    expect((await pageOf(path, form(ids))).status).toBe(200)
    expect(await statusesOf(contact.id)).toEqual({ global: 'subscribed', [news]: 'subscribed' })
  })

  test('A message to an earlier address unsubscribes a contact and subscribes it to nothing.', async () => {
    const { contact, path } = await open('earlier@example.com', [news])
    await world.ok('contacts/update', { contact_id: contact.id, email: 'later@example.com' })
    const { text } = await pageOf(path, form({ list_ids: String(sports) }))
    expect(text).toContain('could not be joined')
    expect(await statusesOf(contact.id)).toEqual({ global: 'unsubscribed', [news]: 'unsubscribed' })
    expect((await pageOf(path, form({ list_ids: String(news) }))).text).toContain('could not be joined')
    expect(await statusesOf(contact.id)).toEqual({ global: 'unsubscribed', [news]: 'unsubscribed' })
    const { token } = await message({ id: contact.id, email: 'Later@example.com' }, null)
    await pageOf(`/general/newsletter/preferences/${token}`, form({ list_ids: String(news) }))
    expect(await statusesOf(contact.id)).toEqual({ global: 'subscribed', [news]: 'subscribed' })
  })

  test('A contact joins at most 50 lists in a day on its page, and can always leave.', async () => {
    const { contact, path } = await open('restless@example.com', [news])
    const save = async (list: number) => (await pageOf(path, form({ list_ids: String(list) }))).text
    for (let n = 0; n < 50; n++) expect(await save(n % 2 ? news : sports)).toContain('Your choice was saved.')
    expect(await save(sports)).toContain('could not be joined')
    expect(await statusesOf(contact.id)).toMatchObject({ global: 'unsubscribed', [news]: 'unsubscribed' })
    expect((await get(contact.id)).contact.consent_source).toBe('preferences')
    world.clock.advance(24 * 3_600_000 + 1)
    expect(await save(sports)).toContain('Your choice was saved.')
  })

  test('A pending list stays pending unless it is ticked.', async () => {
    const { contact, path } = await open('waiting@example.com', [club])
    await pageOf(path, form({ list_ids: String(news) }))
    expect(await statusesOf(contact.id)).toEqual({ global: 'subscribed', [news]: 'subscribed', [club]: 'pending' })
    const boxes = (await pageOf(path)).text.match(/<label>.*<\/label>/g)!
    const { pending } = translationsFor('en').preferences
    const shown = boxes.map((box) => [/<bdi>(\w+)/.exec(box)![1], / checked>/.test(box), box.includes(pending)])
    expect(shown).toEqual(
      expect.arrayContaining([
        ['News', true, false],
        ['Sports', false, false],
        ['Club', false, true],
      ]),
    )
    expect(boxes.find((box) => box.includes('Sports'))).toContain('Every &quot;Monday&quot;')
    await pageOf(
      path,
      form([
        ['list_ids', String(news)],
        ['list_ids', String(club)],
      ]),
    )
    expect(await statusesOf(contact.id)).toEqual({ global: 'subscribed', [news]: 'subscribed', [club]: 'subscribed' })
  })

  test('Unsubscribing from everything is undone by ticking a list.', async () => {
    const { contact, campaign_id, path } = await open('leaver@example.com', [news, hidden])
    expect((await pageOf(path, form({ unsubscribe_all: '1', list_ids: String(news) }))).text).toContain(
      'You are unsubscribed',
    )
    expect(await statusesOf(contact.id)).toEqual({
      global: 'unsubscribed',
      [news]: 'unsubscribed',
      [hidden]: 'unsubscribed',
    })
    expect(await unsubscribeEvents(campaign_id)).toHaveLength(1)
    await world.ok('suppressions/add', { email: 'leaver@example.com', reason: 'unsubscribe' })
    expect((await pageOf(path)).text).toContain('You are unsubscribed from everything.')
    await pageOf(path, form({ list_ids: String(sports) }))
    expect(await statusesOf(contact.id)).toEqual({
      global: 'subscribed',
      [news]: 'unsubscribed',
      [sports]: 'subscribed',
      [hidden]: 'unsubscribed',
    })
    expect((await get(contact.id)).suppression).toBeNull()
  })

  test('Ticking a list does not undo a complaint, a bounce or a manual suppression.', async () => {
    for (const reason of ['complaint', 'hard_bounce', 'manual']) {
      const { contact, path } = await open(`blocked-${reason}@example.com`, [news])
      await world.ok('suppressions/add', { email: contact.email, reason })
      const before = await statusesOf(contact.id)
      expect(
        (
          await pageOf(
            path,
            form([
              ['list_ids', String(news)],
              ['list_ids', String(sports)],
            ]),
          )
        ).text,
      ).toContain('Messages to this address are blocked')
      expect(await statusesOf(contact.id)).toEqual(before)
    }
  })
})

test('A link confirms nothing after the contact changed its address.', async () => {
  const { list } = await world.ok('lists/create', { name: 'By address', double_opt_in: true })
  const contact = await upsert('before@example.com', [list.id])
  const old = confirmPath(contact, [list.id])
  await world.ok('contacts/update', { contact_id: contact.id, email: 'after@example.com' })
  expect((await world.fetch(old, { method: 'POST' })).status).toBe(410)
  expect((await get(contact.id)).contact.lists[0].status).toBe('pending')
})

describe('what the pages are made of', () => {
  const visit = (email: string, locale: string) =>
    ({
      recipient: { email, locale, project_name: 'Harbour', brand_color: '#0b5a6e', logo_url: null },
      translations: translationsFor(locale),
      preferences: '../preferences/token',
    }) as unknown as Visit

  test('After leaving some lists the page offers to leave everything, and always the preferences.', async () => {
    const some = await unsubscribedPage(visit('ann@example.com', 'en'), 'News').text()
    const all = await unsubscribedPage(visit('ann@example.com', 'en'), null).text()
    for (const text of [some, all]) expect(text).toContain('<a href="../preferences/token">')
    expect(some).toMatch(
      /<form method="post" action="..\/preferences\/token"><button[^>]* name="unsubscribe_all" value="1">/,
    )
    expect([some.includes('News'), all.includes('a…@example.com')]).toEqual([true, true])
    expect(all).not.toMatch(/<form|<button/)
  })

  test('An address is shown with one letter of its name, and isolated where one reads from the right.', () => {
    const shown = (email: string, locale: string) => {
      const { translations, recipient } = visit(email, locale)
      return maskedAddress(translations, recipient)
    }
    expect(shown('ann@b@example.com', 'en')).toBe('a…@example.com')
    expect(shown('🚀x@example.com', 'de')).toBe('🚀…@example.com')
    expect(shown('ann@example.com', 'he')).toBe('\u2068a…@example.com\u2069')
    expect(brandingOf(visit('', 'pt-BR').recipient)).toEqual({
      ...{ name: 'Harbour', brand_color: '#0b5a6e', logo_url: null, lang: translationsFor('pt-BR').lang },
    })
  })

  test('A form is read in both encodings, without its files, and nothing of a broken one.', async () => {
    const read = async (body: BodyInit, type?: string) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type }
      const request = new Request('https://masthead.example/', { method: 'POST', body, headers })
      return (await readForm({ request, address: '192.0.2.1', server: null, uploads: createUploads() })).toString()
    }
    expect(await read('scope=all&a=b')).toBe('scope=all&a=b')
    expect(await read('scope=all', 'text/plain')).toBe('scope=all')
    const form = new FormData()
    form.append('scope', 'all')
    form.append('file', new Blob(['x']), 'x.txt')
    expect(await read(form)).toBe('scope=all')
    expect(await read('scope=all', 'multipart/form-data; boundary=x')).toBe('')
  })
})
