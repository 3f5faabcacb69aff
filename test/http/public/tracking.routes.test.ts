import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createClickToken, createRecipientToken, readClickToken } from '../../../src/newsletter/tracking/tokens.ts'
import { altered } from '../../support/altered.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

const PERSON = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0'
const TRACKING = '/general/newsletter'
const LINKS = `<p><a href="https://example.com/tide?x=1&amp;y=2">tide</a>
<a href="https://example.com/for/{{ contact.email }}?n={{ contact.first_name | default: you }}">you</a>
<a href="mailto:office@harbour.example">write</a> <a href="#top">top</a>
<a href="{{ view_url }}">view</a> <a href="{{ unsubscribe_url }}">leave</a>
<a href="https://example.com/tide?x=1&amp;y=2">tide again</a> <a href="https://münchen.example/straße">far</a></p>`
const DOCUMENT = { version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html: LINKS } }] }

let home: World
let world: World
let list_id: number
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  list_id = (await readyToSend(world)).list_id
  await world.ok('contacts/upsert', {
    email: 'ada@example.com',
    first_name: 'Ada & Co',
    list_ids: [list_id],
    consent_text: 'Yes',
  })
  await world.ok('contacts/upsert', { email: 'bo@example.com', list_ids: [list_id], consent_text: 'Yes' })
})
afterAll(() => home.close())

interface Received {
  hrefs: string[]
  clicks: string[]
  pixel: string | undefined
  html: string
}

async function send(more: Record<string, unknown> = {}): Promise<number> {
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
    ...more,
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  return campaign.id
}

/** The newest message to an address. */
async function received(email: string): Promise<Received> {
  const { messages } = (await (await world.fetch(`/general/sandbox/mailbox?to=${email}`)).json()) as {
    messages: { html: string }[]
  }
  const { html } = messages.at(-1)!
  const hrefs = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
  const own = (address: string) => address.slice(world.url.length)
  return {
    hrefs,
    html,
    clicks: hrefs.filter((href) => href.includes('/click/')).map(own),
    pixel: /<img src="([^"]*\/open\/[^"]*)"/.exec(html)?.[1]?.slice(world.url.length),
  }
}

const visit = (path: string, init: RequestInit & { agent?: string } = {}) =>
  world.fetch(path, { ...init, headers: { 'User-Agent': init.agent ?? PERSON, ...init.headers } })
const statsOf = (campaign_id: number) => world.ok('campaigns/stats', { campaign_id })
const eventsOf = async (campaign_id: number) =>
  (await world.ok('campaigns/events', { campaign_id, limit: 200 })).items.filter(
    ({ type }: { type: string }) => type === 'open' || type === 'click',
  )

test('A message has its web links replaced by tracked links, and no other links.', async () => {
  await send()
  const { hrefs, clicks, pixel } = await received('ada@example.com')
  expect(clicks).toHaveLength(4)
  expect(hrefs.filter((href) => !href.includes('/click/')).map((href) => href.replace(world.url, ''))).toEqual([
    'mailto:office@harbour.example',
    '#top',
    expect.stringMatching(/^\/general\/newsletter\/view\//),
    expect.stringMatching(/^\/general\/newsletter\/unsubscribe\//),
    ...Array.from({ length: 2 }, () => expect.stringMatching(/^\/general\/newsletter\/(?:unsubscribe|preferences)\//)),
  ])
  expect(clicks[0]).toBe(clicks[2]!)
  expect(new Set(clicks).size).toBe(3)
  expect(pixel).toMatch(/^\/general\/newsletter\/open\/[\w-]{20,60}$/)
  expect((await received('bo@example.com')).clicks[0]).not.toBe(clicks[0])
})

test('A message keeps its links when the campaign does not track.', async () => {
  await send({ track_opens: false, track_clicks: false })
  const { hrefs, clicks, pixel } = await received('ada@example.com')
  expect([clicks, pixel]).toEqual([[], undefined])
  expect(hrefs.slice(0, 2)).toEqual([
    'https://example.com/tide?x=1&y=2',
    'https://example.com/for/ada%40example.com?n=Ada%20%26%20Co',
  ])
  await send({ track_clicks: false })
  expect(await received('ada@example.com')).toMatchObject({ clicks: [], pixel: expect.any(String) })
})

test('A test message is tracked as the real one, and a message gets UTM parameters on request.', async () => {
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Trial',
    editor_json: DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/test-send', { campaign_id: campaign.id, emails: ['me@example.com'] })
  await world.settle()
  expect(await received('me@example.com')).toMatchObject({
    clicks: Array(4).fill(expect.any(String)),
    pixel: expect.any(String),
  })
  await send({ track_clicks: false, utm_source: 'news', utm_campaign: 'may' })
  expect((await received('bo@example.com')).hrefs.slice(0, 2)).toEqual([
    'https://example.com/tide?x=1&y=2&utm_source=news&utm_campaign=may',
    'https://example.com/for/bo%40example.com?n=you&utm_source=news&utm_campaign=may',
  ])
})

describe('a click', () => {
  let campaign_id: number
  let message: Received
  beforeEach(async () => {
    campaign_id = await send()
    message = await received('ada@example.com')
    world.clock.advance(3_600_000)
  })

  test('A click redirects to the link with its merge tags filled in.', async () => {
    const targets = await Promise.all(
      message.clicks.map(async (path) => {
        const answer = await visit(path)
        expect(answer.status).toBe(302)
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
        return answer.headers.get('location')
      }),
    )
    expect(targets).toEqual([
      'https://example.com/tide?x=1&y=2',
      'https://example.com/for/ada%40example.com?n=Ada%20%26%20Co',
      'https://example.com/tide?x=1&y=2',
      'https://xn--mnchen-3ya.example/stra%C3%9Fe',
    ])
    expect((await visit((await received('bo@example.com')).clicks[1]!)).headers.get('location')).toBe(
      'https://example.com/for/bo%40example.com?n=you',
    )
  })

  test('A click is in the report at once, under the link of the campaign.', async () => {
    for (const path of [...message.clicks, (await received('bo@example.com')).clicks[1]!]) await visit(path)
    const { clicks, unique_clicks, links, unique_opens, opens } = await statsOf(campaign_id)
    expect({ clicks, unique_clicks, opens, unique_opens }).toEqual({
      clicks: 5,
      unique_clicks: 2,
      opens: 0,
      unique_opens: 0,
    })
    expect(links).toEqual([
      {
        url: 'https://example.com/for/{{ contact.email }}?n={{ contact.first_name | default: you }}',
        clicks: 2,
        unique_clicks: 2,
      },
      { url: 'https://example.com/tide?x=1&y=2', clicks: 2, unique_clicks: 1 },
      { url: 'https://münchen.example/straße', clicks: 1, unique_clicks: 1 },
    ])
    const { contact } = await world.ok('contacts/get', { email: 'ada@example.com' })
    expect((await eventsOf(campaign_id))[0]).toEqual({
      id: expect.any(Number),
      type: 'click',
      contact_id: contact.id,
      email: 'ada@example.com',
      at: new Date(world.clock.now()).toISOString(),
      url: 'https://example.com/tide?x=1&y=2',
      user_agent: PERSON,
    })
  })

  test('A click keeps its target after the contact or the campaign changed.', async () => {
    const { contact } = await world.ok('contacts/upsert', {
      email: 'cy@example.com',
      first_name: 'Cy',
      list_ids: [list_id],
      consent_text: 'Yes',
    })
    const mine = await send()
    const path = (await received('cy@example.com')).clicks[1]!
    await world.ok('contacts/update', { contact_id: contact.id, first_name: 'Renamed' })
    expect((await visit(path)).headers.get('location')).toBe('https://example.com/for/cy%40example.com?n=Cy')
    await world.ok('contacts/delete', { contact_id: contact.id })
    await world.ok('campaigns/delete', { campaign_id: mine })
    expect((await visit(path)).headers.get('location')).toBe('https://example.com/for/cy%40example.com?n=Cy')
  })

  test('A click of a machine redirects too and is counted separately.', async () => {
    const before = await statsOf(campaign_id)
    const head = await visit(message.clicks[0]!, { method: 'HEAD' })
    expect([head.status, head.headers.get('location')]).toEqual([302, 'https://example.com/tide?x=1&y=2'])
    expect((await visit(message.clicks[0]!, { agent: 'Barracuda Sentinel (EE)' })).status).toBe(302)
    const after = await statsOf(campaign_id)
    expect(after).toMatchObject({
      clicks: before.clicks,
      unique_clicks: before.unique_clicks,
      links: before.links,
      machine_clicks: before.machine_clicks + 2,
    })
    expect((await eventsOf(campaign_id)).at(-1)).toMatchObject({
      type: 'click',
      machine: true,
      user_agent: 'Barracuda Sentinel (EE)',
    })
  })

  test('A click with a foreign or tampered token is not redirected.', async () => {
    const token = message.clicks[0]!.split('/').at(-1)!
    const { keys } = world.service.runtime
    const { position, values, ...recipient } = readClickToken(keys, token)!
    const wrong = [
      altered(token),
      `${token}A`,
      'x',
      createRecipientToken(keys, recipient, 'open'),
      message.pixel!.split('/').at(-1)!,
      encodeURIComponent('https://evil.example/'),
    ]
    for (const other of wrong) {
      const answer = await visit(`${TRACKING}/click/${other}?url=https://evil.example/`)
      expect([answer.status, answer.headers.get('location'), answer.headers.get('content-type')]).toEqual([
        404,
        null,
        'text/html; charset=utf-8',
      ])
    }
    const gone = await visit(
      `${TRACKING}/click/${createClickToken(keys, { ...recipient, position: position + 1000, values })}`,
    )
    expect([gone.status, gone.headers.get('location')]).toEqual([410, null])
    expect((await visit(message.clicks[0]!, { method: 'POST' })).status).toBe(405)
  })
})

describe('an open', () => {
  let campaign_id: number
  let pixel: string
  beforeEach(async () => {
    campaign_id = await send()
    pixel = (await received('ada@example.com')).pixel!
  })

  test('An open returns an image that is never cached.', async () => {
    const answer = await visit(pixel)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-type'), new TextDecoder().decode(bytes.slice(0, 6))]).toEqual([
      200,
      'image/gif',
      'GIF89a',
    ])
    expect(bytes.slice(6, 10)).toEqual(new Uint8Array([1, 0, 1, 0]))
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('set-cookie')).toBeNull()
    await visit(pixel)
    await visit((await received('bo@example.com')).pixel!)
    expect(await statsOf(campaign_id)).toMatchObject({ opens: 3, unique_opens: 2, machine_opens: 0, clicks: 0 })
  })

  test("An open by an image proxy counts as the recipient's, by a prefetcher as a machine's.", async () => {
    for (const agent of [
      'Mozilla/5.0',
      '',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
        'Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
    ])
      await visit(pixel, { agent })
    await visit(pixel, { method: 'HEAD' })
    expect(await statsOf(campaign_id)).toMatchObject({ opens: 0, unique_opens: 0, machine_opens: 4 })
    await visit(pixel, {
      agent: 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    })
    expect(await statsOf(campaign_id)).toMatchObject({ opens: 1, unique_opens: 1, machine_opens: 4 })
  })

  test('An open with a foreign token returns no image.', async () => {
    for (const path of [`${pixel}A`, `${TRACKING}/open/x`, pixel.replace('/open/', '/click/')])
      expect((await visit(path)).status).toBe(404)
    expect((await statsOf(campaign_id)).opens).toBe(0)
  })

  test('An open is stored for each of many concurrent ones, up to a limit per message.', async () => {
    await Promise.all(Array.from({ length: 120 }, () => visit(pixel)))
    expect((await statsOf(campaign_id)).opens).toBe(120)
    await world.service.runtime.store.write((tx) =>
      tx.run(sql`
      INSERT INTO events (project_id, type, campaign_id, delivery_id, contact_id, email, at)
      SELECT e.project_id, e.type, e.campaign_id, e.delivery_id, e.contact_id, e.email, e.at
      FROM events e, json_each('[1, 2, 3, 4]') WHERE e.campaign_id = ${campaign_id} AND e.type = 'open'`),
    )
    await visit(pixel)
    expect((await statsOf(campaign_id)).opens).toBe(600)
  })
})

describe('a burst', () => {
  let campaign_id: number
  let clicks: string[]
  beforeEach(async () => {
    campaign_id = await send()
    clicks = (await received('ada@example.com')).clicks
  })
  const counted = async () => {
    const { clicks: people, machine_clicks, unique_clicks } = await statsOf(campaign_id)
    return { people, machine_clicks, unique_clicks }
  }

  test('A burst of different links right after delivery counts as a machine, from its first click.', async () => {
    await visit(clicks[0]!)
    expect(await counted()).toEqual({ people: 1, machine_clicks: 0, unique_clicks: 1 })
    world.clock.advance(1_900)
    await visit(clicks[1]!)
    expect(await counted()).toEqual({ people: 0, machine_clicks: 2, unique_clicks: 0 })
    world.clock.advance(2_000)
    await visit(clicks[3]!)
    expect(await counted()).toEqual({ people: 0, machine_clicks: 3, unique_clicks: 0 })
    world.clock.advance(30_000)
    await visit(clicks[3]!)
    expect(await counted()).toEqual({ people: 1, machine_clicks: 3, unique_clicks: 1 })
  })

  test('A burst of concurrent clicks counts as a machine too.', async () => {
    await Promise.all([0, 1, 3].map((at) => visit(clicks[at]!)))
    expect(await counted()).toEqual({ people: 0, machine_clicks: 3, unique_clicks: 0 })
  })

  test('A burst needs different links of one message, in a short time, soon after delivery.', async () => {
    await Promise.all([visit(clicks[0]!), visit(clicks[0]!), visit(clicks[2]!)])
    expect(await counted()).toMatchObject({ people: 3, machine_clicks: 0 })
    await visit((await received('bo@example.com')).clicks[1]!)
    expect(await counted()).toMatchObject({ people: 4, machine_clicks: 0 })
    world.clock.advance(2_001)
    await visit(clicks[1]!)
    expect(await counted()).toMatchObject({ people: 5, machine_clicks: 0 })
    world.clock.advance(60_000)
    await Promise.all([visit(clicks[0]!), visit(clicks[1]!), visit(clicks[3]!)])
    expect(await counted()).toMatchObject({ people: 8, machine_clicks: 0 })
  })
})

test('A busy store neither delays a redirect nor loses the click.', async () => {
  const campaign_id = await send()
  const { clicks } = await received('ada@example.com')
  const busy = Promise.withResolvers<void>()
  const other = world.service.runtime.store.write(() => busy.promise)
  expect((await visit(clicks[0]!)).status).toBe(302)
  expect(
    await world.service.runtime.store.db.all(
      sql`SELECT 1 FROM events WHERE campaign_id = ${campaign_id} AND type = 'click'`,
    ),
  ).toEqual([])
  busy.resolve()
  await other
  await visit(clicks[0]!)
  expect((await statsOf(campaign_id)).clicks).toBe(2)
})

test('A campaign rendered again keeps the positions of its links.', async () => {
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Twice',
    editor_json: DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`
    INSERT INTO campaign_links (campaign_id, position, url)
    VALUES (${campaign.id}, 0, 'https://example.com/before'), (${campaign.id}, 1, 'https://münchen.example/straße')`),
  )
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  const { clicks } = await received('ada@example.com')
  const positions = clicks.map((path) => readClickToken(world.service.runtime.keys, path.split('/').at(-1)!)!.position)
  expect(positions).toEqual([2, 3, 2, 1])
  expect((await visit(clicks[3]!)).headers.get('location')).toBe('https://xn--mnchen-3ya.example/stra%C3%9Fe')
})

describe('a message in doubt', () => {
  const inDoubt = async (): Promise<number> => {
    const campaign_id = await send()
    await world.service.runtime.store.write((tx) =>
      tx.run(sql`UPDATE deliveries SET status = 'uncertain', sent_at = NULL WHERE campaign_id = ${campaign_id}`),
    )
    return campaign_id
  }
  const statuses = async (campaign_id: number) => {
    const { items } = await world.ok('campaigns/recipients', { campaign_id })
    return Object.fromEntries(items.map(({ email, status }: Record<string, string>) => [email!, status]))
  }

  test('A message in doubt was sent when a person opens it or clicks, which is an event.', async () => {
    const campaign_id = await inDoubt()
    await visit((await received('ada@example.com')).pixel!)
    expect(await statuses(campaign_id)).toEqual({ 'ada@example.com': 'sent', 'bo@example.com': 'uncertain' })
    await visit((await received('bo@example.com')).clicks[0]!, { redirect: 'manual' })
    expect(await statuses(campaign_id)).toEqual({ 'ada@example.com': 'sent', 'bo@example.com': 'sent' })
    expect(await statsOf(campaign_id)).toMatchObject({ sent: 2, uncertain: 0 })
    const { items } = await world.ok('campaigns/events', { campaign_id, limit: 200 })
    // Both were sent once before the doubt.
    expect(items.filter(({ type }: { type: string }) => type === 'sent')).toHaveLength(4)
  })

  test('A message in doubt stays in doubt when only a machine opened it.', async () => {
    const campaign_id = await inDoubt()
    await visit((await received('ada@example.com')).pixel!, { method: 'HEAD' })
    expect(await statuses(campaign_id)).toEqual({ 'ada@example.com': 'uncertain', 'bo@example.com': 'uncertain' })
  })
})
