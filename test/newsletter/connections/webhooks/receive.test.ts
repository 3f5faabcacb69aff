import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { receiveWebhook, webhookKind } from '../../../../src/newsletter/connections/webhooks/receive.ts'
import { SEALED, seal } from '../../../../src/store/sealed.ts'
import { connections } from '../../../../src/store/tables/delivery.ts'
import { KEYS, newProject, NOW, sharedStore, write } from '../../../support/shared-store.ts'

test('Every provider has a kind of webhook.', () => {
  expect(
    (['smtp', 'sandbox', 'ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'brevo'] as const).map(webhookKind),
  ).toEqual(['mime', 'mime', 'ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'brevo'])
})

test('The time of the last report is kept once a minute, for requests that report something.', async () => {
  const project_id = await newProject()
  const webhook_secret_sealed = seal(KEYS, SEALED.webhook_secret, 'own', { project_id })
  const values = { project_id, name: 'Quay', name_key: 'quay', provider: 'brevo' as const, webhook_secret_sealed }
  const relay = { host: 'a.example', port: 25, secure: 'none' as const, username: '', created_at: NOW, updated_at: NOW }
  const made = await write((tx) =>
    tx
      .insert(connections)
      .values({ ...values, ...relay })
      .returning(),
  )
  const id = made[0]!.id
  const store = await sharedStore()
  const row = async () => (await store.db.select().from(connections).where(eq(connections.id, id)))[0]!
  const post = async (event: string, now: number, token = 'own') => {
    const body = Buffer.from(JSON.stringify({ event, email: 'ada@x.example', ts: now }))
    const headers = new Headers({ Authorization: `Bearer ${token}` })
    const fetchText = async () => ({ status: 404, text: '' })
    await receiveWebhook({ store, keys: KEYS }, await row(), { headers, body, now, fetchText })
    return (await row()).last_report_at
  }
  await expect(post('delivered', NOW, 'other')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await post('opened', NOW)).toBeNull()
  expect(await post('delivered', NOW + 1)).toBe(NOW + 1)
  expect(await post('delivered', NOW + 60_000)).toBe(NOW + 1)
  expect(await post('delivered', NOW + 60_001)).toBe(NOW + 60_001)
  await post('spam', NOW + 60_002)
  expect(
    await store.db.all(sql`SELECT seen_at FROM provider_events WHERE connection_id = ${id} ORDER BY seen_at`),
  ).toEqual([{ seen_at: NOW + 60_002 }])
})
