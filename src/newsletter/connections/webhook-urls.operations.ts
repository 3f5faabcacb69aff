import { and, eq, isNull } from 'drizzle-orm'
import { Type } from '@sinclair/typebox'
import { read } from '../../operation/declare.ts'
import { Id, nullable, obj, enumOf, Timestamp } from '../../schema.ts'
import { isoOrNull } from '../../clock.ts'
import { type Keys, newToken, tokenHash } from '../../secrets.ts'
import type { Store } from '../../store/open.ts'
import { seal, SEALED, unseal } from '../../store/sealed.ts'
import { connections } from '../../store/tables/delivery.ts'
import { type Connection, getConnection } from './connection.ts'
import { PUBLIC_ROOT } from '../tracking/links.ts'
import { READERS, type WebhookKind, webhookKind } from './webhooks/receive.ts'

const WEBHOOK_KINDS = Object.keys(READERS) as WebhookKind[]

export const webhookUrls = read({
  path: '/connections/webhook-urls',
  scope: 'admin',
  summary: "Returns the address for the provider's reports, and how they are verified.",
  request: obj({ connection_id: Id }),
  response: obj({
    urls: Type.Array(
      obj({
        provider: enumOf(WEBHOOK_KINDS),
        url: Type.String({ description: 'Keep it secret: it contains a token.' }),
        verification: Type.String(),
        events: Type.Array(Type.String(), { description: 'The events to choose at the provider.' }),
        last_event_at: nullable(Timestamp),
        topic: Type.Optional(nullable(Type.String({ description: 'For SES: the subscribed SNS topic.' }))),
      }),
    ),
  }),
  async run({ connection_id }, { db, store, keys, base_url, project_id }) {
    const connection = await getConnection(db, project_id, connection_id)
    const provider = webhookKind(connection.provider)
    const { verification, events } = READERS[provider]
    const token = await webhookToken(store, keys, connection)
    const url = `${base_url}${PUBLIC_ROOT}/webhooks/${provider}/${token}`
    const topic = provider === 'ses' ? { topic: connection.webhook_topic } : {}
    const last_event_at = isoOrNull(connection.last_report_at)
    return { urls: [{ provider, url, verification, events: [...events], last_event_at, ...topic }] }
  },
})

/** The token in the address of a connection's webhooks. It is created at the first request and does not change. */
async function webhookToken(store: Store, keys: Keys, { id, webhook_token_sealed }: Connection): Promise<string> {
  const known = unsealToken(keys, id, webhook_token_sealed)
  if (known !== null) return known
  return store.write(async (tx) => {
    const token = newToken('svc_wh_')
    const sealed = seal(keys, SEALED.webhook_token, token, { id })
    const [stored] = await tx
      .update(connections)
      .set({ webhook_token_hash: tokenHash(token), webhook_token_sealed: sealed })
      .where(
        and(
          eq(connections.id, id),
          webhook_token_sealed === null
            ? isNull(connections.webhook_token_sealed)
            : eq(connections.webhook_token_sealed, webhook_token_sealed),
        ),
      )
      .returning({ id: connections.id })
    if (stored) return token
    const [other] = await tx
      .select({ sealed: connections.webhook_token_sealed })
      .from(connections)
      .where(eq(connections.id, id))
    return unsealToken(keys, id, other?.sealed ?? null) ?? token
  })
}

/** Null also when it was sealed with another key; the caller then creates a new one. */
function unsealToken(keys: Keys, connection_id: number, sealed: string | null): string | null {
  return sealed === null ? null : unseal(keys, SEALED.webhook_token, sealed, { id: connection_id })
}
