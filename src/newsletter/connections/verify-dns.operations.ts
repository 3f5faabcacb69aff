import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { mutation, type ReadContext } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import { connections, type DnsResult } from '../../store/tables/delivery.ts'
import { DnsCheck, getConnection } from './connections.operations.ts'
import { senderDomain } from './dkim-keys.ts'
import { checkConnectionDns } from './sender-dns.ts'
import { withoutSender } from './sender.ts'
import { getSettings } from './settings.operations.ts'

/** All look-ups together take no longer. */
const TIMEOUT_MS = 4_000

export const verifyDns = mutation({
  path: '/connections/verify-dns',
  scope: 'admin',
  summary: "Looks up whether receivers will accept mail from the connection's domain as genuine. Stores the result.",
  request: obj({
    connection_id: Id,
    dkim_selector: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$',
        description:
          "The selector of the relay's DKIM key, when it is none of the usual ones. The connection keeps it.",
      }),
    ),
  }),
  response: obj({ checks: Type.Array(DnsCheck, { description: 'spf, dkim and dmarc.' }) }),
  /** The DNS may take seconds. */
  async prepare({ connection_id, dkim_selector }, context) {
    const connection = await getConnection(context.db, context.project_id, connection_id)
    const domain = await domainOf(context, connection)
    const { db, project_id } = context
    const sending = { project_id, domain, connection, selector: dkim_selector }
    const checks = await checkConnectionDns(db, sending, { timeout_ms: TIMEOUT_MS })
    return { domain, checked_at: context.now, checks } satisfies DnsResult
  },
  async run({ connection_id, dkim_selector }, { tx, project_id }, result) {
    const connection = await getConnection(tx, project_id, connection_id)
    await tx
      .update(connections)
      .set({ dns: result, ...(dkim_selector === undefined ? {} : { dkim_selector }) })
      .where(eq(connections.id, connection.id))
    return { checks: result.checks }
  },
})

/** The domain that messages through a connection come from: its own, else that of the project's sender. */
async function domainOf({ db, project_id }: ReadContext, { from_domain }: { from_domain: string }): Promise<string> {
  if (from_domain !== '') return senderDomain(from_domain)
  const { from_email } = await getSettings(db, project_id)
  if (from_email !== '') return senderDomain(from_email)
  throw withoutSender(
    'There is no domain to look up: set from_domain of the connection, or from_email in the settings.',
    'Neither the connection nor the settings say which domain messages come from.',
  )
}
