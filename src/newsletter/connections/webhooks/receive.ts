import { and, eq, isNull } from 'drizzle-orm'
import { MINUTE_MS } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import { parseBody as parseAside, SMALL_BYTES } from '../../../operation/json-body.ts'
import { tokenHash } from '../../../secrets.ts'
import type { ReadMail } from '../../../mail/reports.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Reader, Store } from '../../../store/open.ts'
import { connections, type Provider } from '../../../store/tables/delivery.ts'
import { receiveReports } from '../bounces.ts'
import { type Connection, unsealWebhookSecret } from '../connection.ts'
import type { Unread } from '../unread-reports.ts'
import { brevo } from './brevo.ts'
import { mailgun } from './mailgun.ts'
import { postmark } from './postmark.ts'
import { type Delivered, mime, parseBody, type ProviderReader, type Verified } from './report.ts'
import { resend } from './resend.ts'
import { sendgrid } from './sendgrid.ts'
import { ses } from './ses.ts'

/** The kinds of webhooks, by the name in their address. */
export const READERS = { ses, sendgrid, mailgun, postmark, resend, brevo, mime } as const satisfies Record<
  string,
  ProviderReader
>
export type WebhookKind = keyof typeof READERS

/** Relays without webhooks report by mail; see docs/api/delivery.md#webhooks. */
export function webhookKind(provider: Provider): WebhookKind {
  return provider === 'smtp' || provider === 'sandbox' ? 'mime' : provider
}

/** The connection of a webhook address; null for an unknown token or another provider's name. */
export async function connectionBehind(db: Reader, kind: string, token: string): Promise<Connection | null> {
  const [connection] = await db
    .select()
    .from(connections)
    .where(eq(connections.webhook_token_hash, tokenHash(token)))
  return connection && webhookKind(connection.provider) === kind ? connection : null
}

/** The outcome of a webhook request. */
interface Received {
  /** Reports that were understood. */
  reports: number
  unread: Unread[]
  /** The message of a bounce mailbox. */
  mail?: ReadMail | undefined
}

/** Verifies a webhook request and applies its reports. UNAUTHORIZED when the provider did not send it. */
export async function receiveWebhook(
  { store, keys }: Pick<Runtime, 'store' | 'keys'>,
  connection: Connection,
  delivered: Omit<Delivered, 'secret' | 'topic' | 'readJson'>,
): Promise<Received> {
  const verified = await READERS[webhookKind(connection.provider)].read({
    ...delivered,
    secret: unsealWebhookSecret(keys, connection),
    topic: connection.webhook_topic,
    readJson: () => readJson(store, delivered.body),
  })
  if (!verified) throw new AppError('UNAUTHORIZED', 'The signature is not valid, or the topic is another one.')
  const { topic, mail } = verified
  if (topic !== undefined && connection.webhook_topic === null) {
    const unpinned = and(eq(connections.id, connection.id), isNull(connections.webhook_topic))
    await store.write((tx) => tx.update(connections).set({ webhook_topic: topic }).where(unpinned))
  }
  if (verified.reports.length > 0) await noteReport(store, connection, delivered.now)
  const { understood, unknown } = await receiveReports({ store, keys, connection }, verified, delivered.now)
  const kind = webhookKind(connection.provider)
  return { reports: understood, unread: mail ? unreadMail(mail, unknown) : unreadEvents(kind, verified), mail }
}

function unreadMail({ reports, needs_none, type, subject, sender_domain }: ReadMail, unknown: number): Unread[] {
  if (needs_none || (reports.length > 0 && unknown === 0)) return []
  return [{ reason: unknown > 0 ? 'nobody' : 'no_report', about: subject, media_type: type, sender_domain }]
}

function unreadEvents(kind: WebhookKind, { names = [] }: Verified): Unread[] {
  return [...new Set(names)]
    .filter((name) => !READERS[kind].knows(name))
    .map((about) => ({ reason: 'unknown_event', about, media_type: '', sender_domain: '' }))
}

/** Keeps the time of the last report, at most once a minute, so that a burst of reports writes the row once. */
async function noteReport(store: Store, { id, last_report_at }: Connection, now: number): Promise<void> {
  if (last_report_at !== null && now - last_report_at < MINUTE_MS) return
  await store.write((tx) => tx.update(connections).set({ last_report_at: now }).where(eq(connections.id, id)))
}

/** A large body is parsed on another thread: its provider is known by what the body says. */
async function readJson(store: Store, body: Buffer): Promise<unknown> {
  return body.length <= SMALL_BYTES ? parseBody(body) : (await parseAside(store, body)).value
}
