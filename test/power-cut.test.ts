import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { getConnection } from '../src/newsletter/connections/connection.ts'
import { receiveReports } from '../src/newsletter/connections/bounces.ts'
import { createRecipientToken } from '../src/newsletter/tracking/tokens.ts'
import { post, signIn } from './http/signed-in.ts'
import { createOAuthWorld, type OAuthWorld } from './oauth/oauth-world.ts'
import { type DiskImage, recordDisk } from './support/disk-image.ts'
import { readyToSend, SAMPLE_DOCUMENT } from './support/campaigns.ts'

/** What is on the disk when a request is answered (docs/operations.md#durability). */

let world: OAuthWorld
let disk: DiskImage
let list_id: number
let connection_id: number
let cookie: string
let contact: { id: number; email: string }
let made = 0

beforeAll(async () => {
  world = await createOAuthWorld()
  ;({ list_id, connection_id } = await readyToSend(world))
  cookie = await signIn(world, 'owner')
  disk = recordDisk(join(world.folder, 'masthead.db'))
})
beforeEach(async () => {
  const email = `reader${++made}@example.com`
  contact = (await world.ok('contacts/upsert', { email, list_ids: [list_id], consent_text: 'Yes' })).contact
})
afterAll(async () => {
  disk.restore()
  await world.close()
})

const survived = (query: string) => disk.afterPowerCut(query)
const status = () => survived(`SELECT global_status FROM contacts WHERE id = ${contact.id}`)
const oneClick = () => {
  const recipient = { delivery_id: 1, contact_id: contact.id, campaign_id: 0 }
  const path = `/general/newsletter/unsubscribe/${createRecipientToken(world.service.runtime.keys, recipient)}`
  return world.fetch(path, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
}
const inProject = (path: string, body: object) =>
  post(world, path, { project_id: world.project.public_id, ...body }, { cookie })

test('Consent and the receipt of its request survive a power cut after the answer.', async () => {
  expect(status()).toEqual([['subscribed']])
  expect(survived("SELECT count(*) FROM receipts WHERE state = 'pending'")).toEqual([[0]])
  const signup = { project_id: world.project.public_id, email: 'signup@example.com', consent_text: 'Please' }
  expect((await post(world, '/general/newsletter/signup', signup)).status).toBe(202)
  expect(survived("SELECT text FROM consent_wordings WHERE text = 'Please'")).toEqual([['Please']])
})

test('An opt-out survives: one click, a suppression, a complaint.', async () => {
  expect((await oneClick()).status).toBe(200)
  expect(status()).toEqual([['unsubscribed']])

  await world.ok('suppressions/add', { email: 'blocked@example.com' })
  expect(survived("SELECT reason FROM suppressions WHERE email_key = 'blocked@example.com'")).toEqual([['manual']])

  const { runtime } = world.service
  const connection = await getConnection(runtime.store.db, world.project.id, connection_id)
  const report = { kind: 'complaint' as const, event_id: 'one', email: 'angry@example.com', response: 'spam' }
  await receiveReports(
    { store: runtime.store, keys: runtime.keys, connection },
    { reports: [{ ...report, message_id: null }] },
    world.clock.now(),
  )
  expect(survived("SELECT reason FROM suppressions WHERE email_key = 'angry@example.com'")).toEqual([['complaint']])
})

test('A session, a token, an API key, a credential and a role survive.', async () => {
  const sessions = () => survived('SELECT count(*) FROM sessions')[0]![0] as number
  const before = sessions()
  await signIn(world, 'editor')
  expect(sessions()).toBe(before + 1)

  const { refresh_token } = await world.tokens()
  const tokens = () => survived('SELECT count(*) FROM refresh_tokens')[0]![0] as number
  const issued = tokens()
  expect((await world.refresh(refresh_token)).status).toBe(200)
  expect(tokens()).toBe(issued + 1)

  expect((await inProject('/project/api-keys/create', { name: 'Survivor' })).status).toBe(200)
  expect(survived("SELECT count(*) FROM api_keys WHERE name = 'Survivor'")).toEqual([[1]])

  await world.ok('connections/update', { connection_id, webhook_secret: 'hook' })
  expect(survived('SELECT webhook_secret_sealed IS NOT NULL FROM connections')).toEqual([[1]])

  const user_id = world.users.member
  expect((await inProject('/project/members/update', { user_id, role: 'editor' })).status).toBe(200)
  expect(survived(`SELECT role FROM members WHERE user_id = '${user_id}'`)).toContainEqual(['editor'])
})

test('A stored answer is on the disk before it is repeated.', async () => {
  const body = { name: 'Twice' }
  const answers = await Promise.all(
    [1, 2, 3].map(async () => {
      const answer = await world.call('lists/create', body, { key: 'twice' })
      const stored = survived("SELECT count(*) FROM lists WHERE name = 'Twice'")
      return [answer.status, stored[0]![0]]
    }),
  )
  for (const [code, stored] of answers) if (code === 200) expect(stored).toBe(1)
  const syncs = disk.syncs()
  expect((await world.call('lists/create', body, { key: 'twice' })).headers.get('idempotent-replayed')).toBe('true')
  expect(disk.syncs()).toBeGreaterThan(syncs)
})

test('An open may be lost for a moment: it is answered without a sync of its own.', async () => {
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  const { keys, store } = world.service.runtime
  const [delivery] = await store.query('SELECT id, contact_id FROM deliveries WHERE campaign_id = ?', [campaign.id])
  const recipient = { delivery_id: Number(delivery!.id), contact_id: Number(delivery!.contact_id) }
  const token = createRecipientToken(keys, { ...recipient, campaign_id: campaign.id }, 'open')
  const opens = "SELECT count(*) AS opens FROM events WHERE type = 'open'"
  let is_ahead = false
  // A sync of what others wrote before may come in between, but not each time.
  for (let tries = 0; tries < 20 && !is_ahead; tries++) {
    expect((await world.fetch(`/general/newsletter/open/${token}`)).status).toBe(200)
    const [stored] = await store.query(opens)
    is_ahead = Number(survived(opens)[0]![0]) < Number(stored!['opens'])
  }
  expect(is_ahead).toBe(true)
})
