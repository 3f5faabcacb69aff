import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { readinessOf } from '../../../src/newsletter/campaigns/readiness.ts'
import { type Check, getCampaign } from '../../../src/newsletter/campaigns/resource.ts'
import type { ResolveTxt } from '../../../src/mail/dns.ts'
import { projects } from '../../../src/store/tables/accounts.ts'
import { CHECK_CODES, connections, sending_hours } from '../../../src/store/tables/delivery.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { addPeople, draft, SAMPLE_DOCUMENT, readyToSend } from './support.ts'

let world: World
let connection_id: number
beforeAll(async () => {
  world = await createWorld({ base_url: 'https://masthead.example' })
  connection_id = (await readyToSend(world)).connection_id
  await addPeople(world, [
    { email: 'ada@harbour.example' },
    { email: 'ben@harbour.example' },
    { email: 'cleo@harbour.example', status: 'pending' },
  ])
})
afterAll(() => world.close())

const HOUR_MS = 3_600_000
const hourOf = (at: number) => Math.floor(at / HOUR_MS)
const failed = (checks: Check[]) => checks.filter(({ ok }) => !ok).map(({ code }) => code)
const checksOf = async (more: Record<string, unknown> = {}) =>
  world.ok('campaigns/readiness', { campaign_id: (await draft(world, more)).id })
const settings = (change: Record<string, unknown>) => world.ok('settings/update', change)

const text = (html: string) => ({ version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html } }] })

test('campaigns/readiness lists every check, and is ready when no error is left.', async () => {
  const { ready, checks } = await checksOf()
  expect(checks.map(({ code }: Check) => code)).toEqual([...CHECK_CODES])
  expect(failed(checks)).toEqual([])
  expect(ready).toBe(true)
  expect(checks.map(({ severity }: Check) => severity)).toEqual([
    ...Array(9).fill('error'),
    ...Array(6).fill('warning'),
  ])
  expect(checks.every(({ message }: Check) => message !== '')).toBe(true)
})

test('campaigns/readiness reports every missing setting of a new project.', async () => {
  const { id } = await draft(
    world,
    { subject: ' ', editor_json: undefined, audience_spec: { include: [] } },
    world.keys.other,
  )
  const { ready, checks } = await world.ok('campaigns/readiness', { campaign_id: id }, { as: world.keys.other })
  expect(ready).toBe(false)
  expect(failed(checks)).toEqual(['subject', 'content', 'sender', 'connection_verified', 'postal_address', 'audience'])
})

test('A ready campaign has content that can be seen.', async () => {
  expect(failed((await checksOf({ editor_json: text('<p> </p>') })).checks)).toContain('content')
  expect(
    failed(
      (
        await checksOf({
          editor_json: {
            ...SAMPLE_DOCUMENT,
            blocks: [
              { id: 'a', type: 'divider', props: {} },
              { id: 'b', type: 'footer', props: {} },
            ],
          },
        })
      ).checks,
    ),
  ).toContain('content')
  const picture = await checksOf({
    editor_json: {
      ...SAMPLE_DOCUMENT,
      blocks: [{ id: 'a', type: 'image', props: { src: 'https://harbour.example/a.png', alt: '' } }],
    },
  })
  expect(failed(picture.checks)).toEqual(['text_ratio'])
  expect(picture.ready).toBe(true)
})

test("campaigns/readiness takes the campaign's own sender and connection first.", async () => {
  await settings({ from_email: '' })
  expect(failed((await checksOf()).checks)).toEqual(['sender'])
  expect(failed((await checksOf({ from_email: 'pier@harbour.example' })).checks)).toEqual([])
  await settings({ from_email: 'news@harbour.example' })
  const { connection } = await world.ok('connections/create', {
    name: 'Relay',
    provider: 'smtp',
    host: 'mail.harbour.example',
  })
  const { id } = await draft(world, { connection_id: connection.id })
  expect(failed((await world.ok('campaigns/readiness', { campaign_id: id })).checks)).toEqual(['connection_verified'])
  await world.ok('connections/delete', { connection_id: connection.id })
  expect(
    (await world.ok('campaigns/readiness', { campaign_id: id })).checks.find(
      ({ code }: Check) => code === 'connection_verified',
    ),
  ).toMatchObject({ ok: false, message: expect.stringContaining('no longer exists') })
})

test('A ready campaign has a postal address and a recipient.', async () => {
  await settings({ postal_address: ' \n ' })
  expect(failed((await checksOf()).checks)).toEqual(['postal_address'])
  await settings({ postal_address: 'Quay 1, Hamburg' })
  expect(
    failed((await checksOf({ audience_spec: { include: [{ type: 'all' }], exclude: [{ type: 'all' }] } })).checks),
  ).toEqual(['audience'])
})

describe('with limits', () => {
  const sent = (hour: number, messages: number) =>
    world.service.runtime.store.write((tx) =>
      tx.insert(sending_hours).values({ project_id: world.project.id, connection_id, hour, sent: messages }),
    )
  const forget = () => world.service.runtime.store.write((tx) => tx.delete(sending_hours))

  test('campaigns/readiness counts the month against the plan.', async () => {
    const limit = (monthly_limit: number | null) =>
      world.service.runtime.store.write((tx) =>
        tx.update(projects).set({ monthly_limit }).where(eq(projects.id, world.project.id)),
      )
    await sent(hourOf(Date.UTC(2026, 0, 1)), 8)
    await sent(hourOf(Date.UTC(2025, 11, 31, 23)), 1000)
    await limit(10)
    expect(failed((await checksOf()).checks)).toEqual([])
    await limit(9)
    const { ready, checks } = await checksOf()
    expect([ready, failed(checks)]).toEqual([false, ['plan_limit']])
    await limit(null)
    await forget()
  })

  test('campaigns/readiness counts the last 24 hours against the connection.', async () => {
    await sent(hourOf(START) - 24, 3)
    await sent(hourOf(START) - 25, 1000)
    await world.ok('connections/update', { connection_id, max_per_day: 5 })
    expect(failed((await checksOf()).checks)).toEqual([])
    await world.ok('connections/update', { connection_id, max_per_day: 4 })
    const { ready, checks } = await checksOf()
    expect([ready, failed(checks)]).toEqual([false, ['provider_limit']])
    await world.ok('connections/update', { connection_id, max_per_day: null })
    await forget()
  })

  test('A warm-up limit passes and is explained in the message.', async () => {
    await world.ok('connections/update', { connection_id, warm_up: true })
    await sent(hourOf(START) - 1, 199)
    const { ready, checks } = await checksOf()
    expect([ready, checks.find(({ code }: Check) => code === 'provider_limit').message]).toEqual([
      true,
      'The connection is warming up: 1 of 200 messages are left in 24 hours. The rest are sent on the ' +
        'following days.',
    ])
    await world.ok('connections/update', { connection_id, warm_up: false })
    await forget()
  })
})

test('campaigns/readiness warns about size, text, links and merge tags.', async () => {
  const large = await checksOf({ editor_json: text(`<p>${'tide '.repeat(25_000)}</p>`) })
  expect([large.ready, failed(large.checks)]).toEqual([true, ['size']])
  expect(
    failed(
      (
        await checksOf({
          editor_json: text('<p>See <a href="http://localhost:3000/a">here</a>, the tide is coming.</p>'),
        })
      ).checks,
    ),
  ).toEqual(['links'])
  expect(
    failed((await checksOf({ editor_json: text('<p>See <a href="#">here</a>, the tide is coming.</p>') })).checks),
  ).toEqual(['links'])
  const broken = await checksOf({
    editor_json: text('<p>Dear {{ contact.first_name , the tide is coming to {{ harbour }}.</p>'),
  })
  expect([broken.ready, failed(broken.checks)]).toEqual([true, []])
  expect(broken.checks.find(({ code }: Check) => code === 'content').message).toBe(
    'The message has content. A merge tag is incomplete and stays as it is: "{{ contact.first_name , ' +
      'the tide is coming to". There is no merge tag "harbour".',
  )
  expect(
    failed(
      (
        await checksOf({
          editor_json: text(
            '<p>See <a href="{{ contact.custom.shop }}">here</a> or <a ' +
              'href="https://harbour.example/{{ contact.email }}">there</a>.</p>',
          ),
        })
      ).checks,
    ),
  ).toEqual([])
})

describe('the DNS', () => {
  const records: Record<string, string[][]> = {}
  const resolveTxt: ResolveTxt = async (name) => {
    const found = records[name]
    if (!found) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
    return found
  }
  const about = async (
    from_email: string,
    provider: 'smtp' | 'sandbox',
    dns = true,
  ): Promise<Record<'failed' | 'skipped', string[]>> => {
    const { runtime } = world.service
    await runtime.store.write((tx) => tx.update(connections).set({ provider }).where(eq(connections.id, connection_id)))
    const campaign = await getCampaign(runtime.store.db, world.project.id, (await draft(world, { from_email })).id)
    const checks = await readinessOf(runtime, campaign, START, { dns, resolveTxt })
    await runtime.store.write((tx) =>
      tx.update(connections).set({ provider: 'sandbox' }).where(eq(connections.id, connection_id)),
    )
    return { failed: failed(checks), skipped: checks.flatMap(({ code, skipped }) => (skipped ? [code] : [])) }
  }

  test('The DNS is asked about the domain that mail comes from.', async () => {
    expect(await about('news@harbour-news.net', 'smtp')).toEqual({ failed: ['spf', 'dkim', 'dmarc'], skipped: [] })
    records['harbour-news.net'] = [['google-site-verification=x'], ['v=spf1 include:', 'relay.net ~all']]
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    records['s1._domainkey.harbour-news.net'] = [['v=DKIM1; k=rsa; p=', key]]
    records['_dmarc.harbour-news.net'] = [['v=DMARC1; p=none']]
    expect(await about('news@harbour-news.net', 'smtp')).toEqual({ failed: [], skipped: [] })
  })

  test('The DNS is not queried for reserved names, for the sandbox, and unless the caller asks for it.', async () => {
    const nothing_asked = { failed: [], skipped: ['spf', 'dkim', 'dmarc'] }
    expect(await about('news@harbour.example', 'smtp')).toEqual(nothing_asked)
    expect(await about('news@unknown.net', 'sandbox')).toEqual(nothing_asked)
    expect(await about('news@unknown.net', 'smtp', false)).toEqual(nothing_asked)
  })
})
