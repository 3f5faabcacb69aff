import { eq } from 'drizzle-orm'
import { AppError } from '../../../errors.ts'
import { tokenHash } from '../../../secrets.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Reader } from '../../../store/open.ts'
import { connections, type Provider } from '../../../store/tables/delivery.ts'
import { receiveReports } from '../bounces.ts'
import { type Connection, openWebhookSecret } from '../connections.operations.ts'
import { mailgun } from './mailgun.ts'
import { mime } from './mime.ts'
import { postmark } from './postmark.ts'
import type { Delivered, ProviderReader } from './report.ts'
import { resend } from './resend.ts'
import { sendgrid } from './sendgrid.ts'
import { ses } from './ses.ts'

/** The kinds of webhooks, by the word in their address. */
export const READERS = { ses, sendgrid, mailgun, postmark, resend, mime } as const satisfies Record<
  string,
  ProviderReader
>
export type WebhookKind = keyof typeof READERS

/** A relay without webhooks of its own reports by mail (contract-details 21). */
export function webhookKind(provider: Provider): WebhookKind {
  return provider === 'smtp' || provider === 'sandbox' ? 'mime' : provider
}

/** The connection that an address of a webhook is for; null for an unknown token, and under another provider's name. */
export async function connectionBehind(db: Reader, kind: string, token: string): Promise<Connection | null> {
  const [connection] = await db
    .select()
    .from(connections)
    .where(eq(connections.webhook_token_hash, tokenHash(token)))
  return connection && webhookKind(connection.provider) === kind ? connection : null
}

/** Checks what was sent to a connection's webhook and takes it in. UNAUTHORIZED when its sender is not the provider. */
export async function receiveWebhook(
  { store, keys }: Pick<Runtime, 'store' | 'keys'>,
  connection: Connection,
  delivered: Omit<Delivered, 'secret'>,
): Promise<void> {
  const verified = await READERS[webhookKind(connection.provider)].read({
    ...delivered,
    secret: openWebhookSecret(keys, connection),
  })
  if (!verified) throw new AppError('UNAUTHORIZED', 'The signature is not right.')
  await receiveReports({ store, keys, connection }, verified, delivered.now)
}
