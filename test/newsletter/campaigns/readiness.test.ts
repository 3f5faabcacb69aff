import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { configOf } from '../../../src/config.ts'
import type { ProjectId } from '../../../src/ids.ts'
import {
  connectionProblem,
  isReady,
  readinessOf,
  requireComplete,
  requireReady,
  requireSendable,
} from '../../../src/newsletter/campaigns/readiness.ts'
import { type Check, getCampaign, verdict } from '../../../src/newsletter/campaigns/resource.ts'
import type { Connection } from '../../../src/newsletter/connections/connection.ts'
import { projects } from '../../../src/store/tables/accounts.ts'
import { campaigns, connections, newsletter_settings, sending_hours } from '../../../src/store/tables/delivery.ts'
import { SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { newCampaign, newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const config = configOf({ sandbox: true })
const strict = configOf({ sandbox: false })
const relay = { provider: 'smtp', name: 'Quay', verified_at: NOW } as Connection

test('A connection that cannot send says why, and one that can does not.', () => {
  expect(connectionProblem(relay, 1, config)).toBeNull()
  expect(connectionProblem({ ...relay, verified_at: null }, 1, config)).toBe(
    'The connection Quay is not verified: test it.',
  )
  const box = { ...relay, provider: 'sandbox', verified_at: null } as Connection
  expect(connectionProblem(box, null, config)).toBeNull()
  expect(connectionProblem(box, null, strict)).toBe('The sandbox mailbox is switched off on this service.')
  expect(connectionProblem(relay, null, strict)).toBeNull()
  expect(connectionProblem(null, null, config)).toStartWith('There is no connection to send through')
  expect(connectionProblem(null, 0, config)).toBe('The connection chosen for the campaign no longer exists.')
})

test('Only a failed check of severity error keeps a campaign from being sent.', () => {
  const warning: Check = { ...verdict('size', false, '', 'Large.'), severity: 'warning' }
  const passed = verdict('subject', true, 'It has one.', '')
  const failed = verdict('subject', false, '', 'Empty.')
  expect([isReady([]), isReady([passed, warning]), isReady([passed, failed])]).toEqual([true, true, false])
  expect(() => requireReady([passed, warning])).not.toThrow()
  expect(() => requireReady([passed, failed])).toThrow(
    expect.objectContaining({ code: 'NOT_READY', details: { checks: [passed, failed] } }),
  )
})

const runtime = async (base_url = 'https://mail.example') => ({ store: await sharedStore(), config, base_url })
const insertConnection = (project_id: ProjectId, more: Partial<Connection> = {}): Promise<number> =>
  write(async (tx) => {
    const values = { project_id, name: 'Quay', name_key: `${more.name}`, provider: 'smtp' as const, host: 'a.example' }
    const others = {
      port: 25,
      secure: 'none' as const,
      username: '',
      verified_at: NOW,
      created_at: NOW,
      updated_at: NOW,
    }
    return (
      await tx
        .insert(connections)
        .values({ ...values, ...others, ...more })
        .returning()
    )[0]!.id
  })

/** A project whose campaign to all its contacts is ready. */
async function ready(people: number): Promise<{ project_id: ProjectId; connection_id: number; campaign_id: number }> {
  const project_id = await newProject()
  const connection_id = await insertConnection(project_id)
  const sender = { from_name: 'Harbour', from_email: 'news@harbour.example', postal_address: 'Quay 1' }
  await write((tx) => tx.insert(newsletter_settings).values({ project_id, ...sender, updated_at: NOW }))
  for (let n = 0; n < people; n++) await newContact(project_id, `r${n}@x.example`)
  const campaign_id = await newCampaign(project_id, {
    ...{ audience_spec: { include: [{ type: 'all' }] }, editor_json: SAMPLE_DOCUMENT as never },
  })
  return { project_id, connection_id, campaign_id }
}

async function checksOf(project_id: ProjectId, campaign_id: number): Promise<Record<string, [boolean, string]>> {
  const at = await runtime()
  const checks = await readinessOf(at, await getCampaign(at.store.db, project_id, campaign_id), NOW, { dns: true })
  return Object.fromEntries(checks.map(({ code, ok, message }) => [code, [ok, message]]))
}

test.each([
  ['http://127.0.0.1:8787', 'Recipients cannot reach http://127.0.0.1:8787'],
  ['https://10.0.0.5', 'Recipients cannot reach https://10.0.0.5'],
  ['https://masthead', 'Recipients cannot reach https://masthead'],
  ['http://mail.example', 'One-click unsubscribe needs https'],
])(
  'A campaign through a relay is warned when links begin with %s; one for the sandbox is not.',
  async (base, words) => {
    const { project_id, connection_id, campaign_id } = await ready(1)
    const at = await runtime(base)
    const links = async () => {
      const checks = await readinessOf(at, await getCampaign(at.store.db, project_id, campaign_id), NOW, { dns: false })
      expect(isReady(checks)).toBe(true)
      return checks.find(({ code }) => code === 'links')!
    }
    const { ok, severity, message } = await links()
    expect([ok, severity]).toEqual([false, 'warning'])
    for (const part of ['MASTHEAD_BASE_URL', words]) expect(message).toContain(part)
    await write((tx) => tx.update(connections).set({ provider: 'sandbox' }).where(eq(connections.id, connection_id)))
    expect((await links()).ok).toBe(true)
  },
)

test('Each check of a campaign says what it found, with the numbers of its limits.', async () => {
  const { project_id, connection_id, campaign_id } = await ready(2)
  const limit = (monthly_limit: number | null, max_per_day: number | null, warm_up_started_at: number | null = null) =>
    write(async (tx) => {
      await tx.update(projects).set({ monthly_limit }).where(eq(projects.id, project_id))
      await tx.update(connections).set({ max_per_day, warm_up_started_at }).where(eq(connections.id, connection_id))
    })
  expect(await checksOf(project_id, campaign_id)).toMatchObject({
    sender: [true, 'The sender is news@harbour.example.'],
    connection_verified: [true, 'The connection Quay is verified.'],
    postal_address: [true, 'The footer shows the postal address.'],
    audience: [true, '2 recipients.'],
    plan_limit: [true, 'Messages have no limit this month.'],
    provider_limit: [true, 'Messages have no limit in 24 hours through this connection.'],
    spf: [true, 'SPF was not checked.'],
  })
  const hour = Math.floor(NOW / 3_600_000)
  await write((tx) => tx.insert(sending_hours).values({ project_id, connection_id, hour, sent: 198 }))
  await limit(200, 200)
  expect(await checksOf(project_id, campaign_id)).toMatchObject({
    plan_limit: [true, '2 of 200 messages are left this month.'],
    provider_limit: [true, '2 of 200 messages are left in 24 hours through this connection.'],
  })
  await limit(199, 150)
  expect(await checksOf(project_id, campaign_id)).toMatchObject({
    plan_limit: [false, '2 recipients, but only 1 of 199 messages are left this month.'],
    provider_limit: [false, '2 recipients, but only 0 of 150 messages are left in 24 hours through this connection.'],
  })
  await limit(null, null, NOW)
  expect((await checksOf(project_id, campaign_id)).provider_limit![1]).toStartWith('Messages have no limit')
  await write((tx) => tx.update(sending_hours).set({ sent: 300 }).where(eq(sending_hours.project_id, project_id)))
  expect((await checksOf(project_id, campaign_id)).provider_limit).toEqual([
    true,
    'The connection is warming up: 0 of 200 messages are left in 24 hours. The rest are sent on the following days.',
  ])
  await limit(null, 1, NOW)
  expect((await checksOf(project_id, campaign_id)).provider_limit![0]).toBeFalse()
})

test('A campaign without settings says what is missing, and one recipient is counted as one.', async () => {
  const project_id = await newProject()
  await newContact(project_id, 'ada@x.example')
  const audience_spec = { include: [{ type: 'all' as const }] }
  const campaign_id = await newCampaign(project_id, { audience_spec })
  expect(await checksOf(project_id, campaign_id)).toMatchObject({
    sender: [false, 'There is no sender address: set from_email in the campaign or in the settings.'],
    connection_verified: [
      false,
      'There is no connection to send through: create one, or choose the default in the settings.',
    ],
    postal_address: [false, 'The settings have no postal address for the footer.'],
    audience: [true, '1 recipient.'],
    provider_limit: [true, 'Messages have no limit in 24 hours through this connection.'],
    dkim: [true, 'DKIM was not checked.'],
  })
})

test('A test message needs a sender and a connection, a scheduled campaign its content and an address.', async () => {
  const { project_id, campaign_id } = await ready(0)
  const at = await runtime()
  const campaign = await getCampaign(at.store.db, project_id, campaign_id)
  const codes = (refusal: Promise<unknown>) =>
    refusal.then(
      () => [],
      ({ code, details }) => [code, ...details.checks.filter(({ ok }: Check) => !ok).map((one: Check) => one.code)],
    )
  const sendable = (more: Partial<typeof campaigns.$inferSelect> = {}) =>
    codes(requireSendable(at.store.db, config, { ...campaign, ...more }))
  const complete = (more: Partial<typeof campaigns.$inferSelect> = {}) =>
    codes(requireComplete(at, { ...campaign, ...more }))
  expect([await sendable(), await complete()]).toEqual([[], []])
  expect(await sendable({ connection_id: 999_999 })).toEqual(['NOT_READY', 'connection_verified'])
  expect(await complete({ connection_id: 999_999, audience_spec: { include: [] } })).toEqual([])
  expect(await sendable({ subject: '' })).toEqual([])
  expect(await complete({ subject: '' })).toEqual(['NOT_READY', 'subject'])
  const empty = { ...SAMPLE_DOCUMENT, blocks: [] } as never
  expect(await complete({ editor_json: empty })).toEqual(['NOT_READY', 'content'])
  await write((tx) =>
    tx
      .update(newsletter_settings)
      .set({ from_email: '', postal_address: ' ' })
      .where(eq(newsletter_settings.project_id, project_id)),
  )
  expect(await sendable()).toEqual(['NOT_READY', 'sender'])
  expect(await complete()).toEqual(['NOT_READY', 'sender', 'postal_address'])
  const own = { from_email: 'own@harbour.example' }
  expect([await sendable(own), await complete(own)]).toEqual([[], ['NOT_READY', 'postal_address']])
})
