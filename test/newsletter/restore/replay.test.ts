import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { skipIds } from '../../../src/newsletter/restore/ids.ts'
import { replayFacts } from '../../../src/newsletter/restore/replay.ts'
import { setAside } from '../../../src/newsletter/restore/set-aside.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { type LibsqlServer, startLibsqlServer } from '../../support/libsql-server.ts'
import { createWorld, type World } from '../../support/world.ts'

/** What a restored database learns, in a world whose own facts are replayed in it. */

let world: World
let list_id: number

const store = () => world.service.runtime.store
const subscribe = async (email: string, more: Record<string, unknown> = {}) =>
  (await world.ok('contacts/upsert', { email, consent_text: 'I agree', list_ids: [list_id], ...more })).contact
const contact = async (contact_id: number) => (await world.ok('contacts/get', { contact_id })).contact
const lines = () => {
  const folder = join(world.folder, 'facts')
  const days = readdirSync(folder).filter((name) => name.endsWith('.log'))
  return days.flatMap((day) => readFileSync(join(folder, day), 'utf8').trim().split('\n'))
}
const replay = (since: number, facts = lines()) => replayFacts(store(), [facts], { since, is_complete: true })

describe.each(['file', 'server'] as const)('on a database of kind %s', (kind) => {
  let server: LibsqlServer | undefined
  beforeEach(async () => {
    if (kind === 'server') server = await startLibsqlServer()
    world = await createWorld(server ? { database_url: server.url } : {})
    list_id = (await readyToSend(world)).list_id
  })
  afterEach(async () => {
    await world.close()
    await server?.close()
  })

  test('A contact who left a list or everything leaves again; one who came back before the backup stays.', async () => {
    const [ada, bo, cy] = [
      await subscribe('ada@example.com'),
      await subscribe('bo@example.com'),
      await subscribe('cy@x.se'),
    ]
    world.clock.advance(1000)
    await world.ok('contacts/membership', { contact_id: ada.id, list_id, action: 'unsubscribe' })
    await world.ok('contacts/unsubscribe', { contact_id: bo.id })
    await world.ok('contacts/unsubscribe', { contact_id: cy.id })
    const facts = lines()
    const left_at = world.clock.now()
    // The database as it was before they left, but with the return of one of them.
    world.clock.advance(1000)
    for (const { email } of [ada, bo, cy]) await subscribe(email, { resubscribe: true })
    await store().write((tx) => tx.script(`DELETE FROM consents WHERE contact_id <> ${cy.id} AND at > ${left_at}`))

    expect((await replay(left_at, facts)).left).toBe(2)
    expect(await contact(ada.id)).toMatchObject({ global_status: 'subscribed', lists: [{ status: 'unsubscribed' }] })
    expect(await contact(bo.id)).toMatchObject({ global_status: 'unsubscribed' })
    expect(await contact(cy.id)).toMatchObject({ global_status: 'subscribed' })
  })

  test('A message without any word is in doubt, and a marked one waits if no fact is missing.', async () => {
    await subscribe('doubt@example.com')
    const audience_spec = { include: [{ type: 'list', id: list_id }] }
    const made = await world.ok('campaigns/create', { subject: 'Ebb', editor_json: SAMPLE_DOCUMENT, audience_spec })
    const { id: campaign_id } = made.campaign
    const before = lines().length
    await world.ok('campaigns/send', { campaign_id })
    await world.settle()
    const facts = lines().slice(before)
    const { sent } = await world.ok('campaigns/stats', { campaign_id })
    const after = async (known: string[], is_complete: boolean) => {
      await store().write((tx) =>
        tx.script(`
          UPDATE deliveries SET status = 'sending', worker_id = 'w', lease_id = 'l', sent_at = NULL
          WHERE campaign_id = ${campaign_id}`),
      )
      await replayFacts(store(), [known], { since: world.clock.now(), is_complete })
      const rows = await store().query(
        `SELECT status, count(*) AS n FROM deliveries WHERE campaign_id = ${campaign_id} GROUP BY status`,
      )
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
    }
    const doubtful = facts.map((line) => line.replace(' handed-over ', ' in-doubt '))
    expect(await after(facts, true)).toEqual({ sent })
    expect(await after(doubtful, true)).toEqual({ uncertain: sent })
    expect(await after([], false)).toEqual({ sending: sent })
    expect(await after([], true)).toEqual({ queued: sent })
  })

  test('New rows get no id that a row may have had after the backup.', async () => {
    const names = ['contacts', 'deliveries', 'campaigns', 'lists']
    await store().write((tx) => tx.script(`DELETE FROM sqlite_sequence WHERE name = 'lists'`))
    const sequences = async () => {
      const rows = await store().query('SELECT name, seq FROM sqlite_sequence')
      return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
    }
    const before = await sequences()
    await store().write(skipIds)
    const after = await sequences()
    expect(names.map((name) => after.get(name)! - (before.get(name) ?? 0))).toEqual(names.map(() => 10_000_000))
    expect((await subscribe('gus@example.com')).id).toBe(after.get('contacts')! + 1)
  })

  // Both kinds run the same statements. What follows is about the facts.
  if (kind === 'server') return

  test('A campaign whose audience the backup does not have skips those who have its message.', async () => {
    const person = await subscribe('dee@example.com')
    const audience_spec = { include: [{ type: 'list', id: list_id }] }
    const made = await world.ok('campaigns/create', { subject: 'Tides', editor_json: SAMPLE_DOCUMENT, audience_spec })
    const { id: campaign_id } = made.campaign
    await world.ok('campaigns/send', { campaign_id })
    await world.settle()
    const sent = await world.ok('campaigns/stats', { campaign_id })
    const before = await sandbox(person.email)
    await store().write((tx) =>
      tx.script(`
        DELETE FROM deliveries WHERE campaign_id = ${campaign_id};
        UPDATE campaigns SET status = 'draft', started_at = NULL WHERE id = ${campaign_id}`),
    )
    expect((await replay(world.clock.now())).handed_over).toBe(sent.sent)
    await world.ok('campaigns/send', { campaign_id })
    await world.settle()
    expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({ sent: sent.sent, uncertain: 0 })
    expect(await sandbox(person.email)).toBe(before)
  })

  test('A suppression without a contact that the backup has already stays one.', async () => {
    const email = 'eve@example.com'
    await world.ok('suppressions/add', { email, reason: 'manual' })
    const left_at = world.clock.now()
    const before = lines().length
    world.clock.advance(1000)
    await world.ok('suppressions/add', { email, reason: 'complaint' })
    const facts = lines().slice(before)
    await store().write((tx) => tx.script(`UPDATE suppressions SET reason = 'manual' WHERE email = '${email}'`))

    expect((await replay(left_at, facts)).left).toBe(1)
    expect((await world.ok('suppressions/list', { search: email })).items).toMatchObject([
      { email, reason: 'complaint' },
    ])
    expect((await subscribe(email)).global_status).toBe('complained')
  })

  test('A person counts once under all addresses that the contact had.', async () => {
    const before = lines().length
    const { id: contact_id } = await subscribe('fay@example.com')
    await world.ok('contacts/membership', { contact_id, list_id, action: 'unsubscribe' })
    await world.ok('contacts/update', { contact_id, email: 'fay@x.example' })
    await world.ok('suppressions/add', { email: 'fay@x.example', reason: 'complaint' })
    const facts = lines().slice(before)
    await store().write((tx) => tx.script(`UPDATE contacts SET email_key = email_key || 'n' WHERE id = ${contact_id}`))
    expect((await replay(world.clock.now() - 1000, facts)).left).toBe(1)
  })

  test('A campaign that a restore paused before its audience was complete is prepared when resumed.', async () => {
    await subscribe('hal@example.com')
    const audience_spec = { include: [{ type: 'list', id: list_id }] }
    const made = await world.ok('campaigns/create', { subject: 'More', editor_json: SAMPLE_DOCUMENT, audience_spec })
    const { id: campaign_id } = made.campaign
    await world.ok('campaigns/send', { campaign_id })
    expect((await world.call('campaigns/pause', { campaign_id })).status).toBe(409)
    const now = world.clock.now()
    expect(await setAside(store(), { as_of: 'noon', reach: null, now })).toEqual({ paused: 1, drafts: 0, held: 0 })
    await world.settle()
    const { campaign } = await world.ok('campaigns/get', { campaign_id })
    expect([campaign.status, campaign.failure.reason]).toEqual(['paused', expect.stringContaining('of noon')])
    const refused = await world.call('campaigns/resume', { campaign_id })
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      ...[409, 'NOT_READY', { checks: [], required: 'acknowledge_doubles' }],
    ])
    const resumed = await world.ok('campaigns/resume', { campaign_id, acknowledge_doubles: true })
    expect(resumed.campaign.status).toBe('preparing')
    await world.settle()
    expect((await world.ok('campaigns/get', { campaign_id })).campaign).toMatchObject({ status: 'sent', failure: null })
  })
})

async function sandbox(email: string): Promise<number> {
  const answer = await world.fetch(`/general/sandbox/mailbox?to=${encodeURIComponent(email)}`)
  return ((await answer.json()) as { messages: unknown[] }).messages.length
}
