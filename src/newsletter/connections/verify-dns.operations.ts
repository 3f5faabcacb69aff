import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { invalid } from '../../errors.ts'
import { systemTxt } from '../../mail/dns.ts'
import { mutation, type ReadContext } from '../../operation/declare.ts'
import { enumOf, Id, nullable, obj } from '../../schema.ts'
import { connections } from '../../store/tables/delivery.ts'
import type { DnsResult } from '../../store/tables/dns-finding.ts'
import { DKIM_ALGORITHMS } from '../../store/tables/dkim.ts'
import { type Connection, getConnection } from './connection.ts'
import { insertDkimKey, listDkimKeys, prepareDkimKey, senderDomainOf } from './dkim-keys.ts'
import { dkimRecords, FOUND, type Found, lookUpDkimKeys, storeDkimLookup } from './dkim-records.ts'
import { DkimKeyFields, dkimKeyResource, DnsCheck } from './resource.ts'
import { checkConnectionDns } from './sender-dns.ts'
import { withoutSender } from './sender.ts'
import { getSettings } from './settings.operations.ts'

/** All look-ups together take no longer. */
const TIMEOUT_MS = 4_000

const FoundKey = obj({
  ...DkimKeyFields,
  found: nullable(enumOf(FOUND, { description: 'What the DNS has now; null for a key that was just made.' })),
})

export const verifyDns = mutation({
  path: '/connections/verify-dns',
  scope: 'admin',
  audit: { target: { kind: 'connection', input: 'connection_id' } },
  errors: ['INVALID_STATE', 'NOT_READY'],
  summary:
    "Looks up whether receivers will accept mail from the connection's domain as genuine. Stores the result, " +
    'and makes a DKIM key when asked to.',
  request: obj({
    connection_id: Id,
    dkim_selector: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$',
        description:
          "The selector of the relay's DKIM key, when it is none of the usual ones. The connection keeps it.",
      }),
    ),
    create_dkim_key: Type.Optional(
      enumOf(DKIM_ALGORITHMS, {
        description: 'Makes a key of this kind for the domain. It signs once its record was found. Only for smtp.',
      }),
    ),
  }),
  response: obj({
    checks: Type.Array(DnsCheck, { description: 'spf, dkim and dmarc.' }),
    dkim_keys: Type.Array(FoundKey, { description: "The service's own keys of the domain; other providers sign." }),
  }),
  /** The DNS may take seconds. */
  async prepare({ connection_id, dkim_selector, create_dkim_key }, context) {
    const connection = await getConnection(context.db, context.project_id, connection_id)
    const domain = await domainOf(context, connection)
    const { db, project_id } = context
    const sending = { project_id, domain, connection, selector: dkim_selector }
    const signs = connection.provider === 'smtp'
    if (create_dkim_key && !signs) throw invalid('/create_dkim_key', 'The provider of this connection signs by itself.')
    const hasKeys = signs && (await listDkimKeys(db, project_id, domain)).length > 0
    const [checks, found, made] = await Promise.all([
      checkConnectionDns(db, sending, { timeout_ms: TIMEOUT_MS }),
      hasKeys ? lookUpDkimKeys(db, project_id, domain, systemTxt) : new Map<number, Found>(),
      create_dkim_key ? prepareDkimKey(db, project_id, { domain, algorithm: create_dkim_key }) : null,
    ])
    return { result: { domain, checked_at: context.now, checks } satisfies DnsResult, found, made }
  },
  async run({ connection_id, dkim_selector }, { tx, keys, project_id, now }, { result, found, made }) {
    const connection = await getConnection(tx, project_id, connection_id)
    await tx
      .update(connections)
      .set({ dns: result, ...(dkim_selector === undefined ? {} : { dkim_selector }) })
      .where(eq(connections.id, connection.id))
    if (made) await insertDkimKey(tx, keys, project_id, { ...made, created_at: now })
    const { domain, checks } = result
    await storeDkimLookup(tx, project_id, { domain, found, now })
    const records = connection.provider === 'smtp' ? dkimRecords(await listDkimKeys(tx, project_id, domain)) : []
    const dkim_keys = records.map((record) => ({
      ...dkimKeyResource(record),
      found: found.get(record.key.id) ?? null,
    }))
    return { checks, dkim_keys }
  },
})

/** The sender's domain; NOT_READY without one. */
async function domainOf({ db, project_id }: ReadContext, connection: Connection): Promise<string> {
  const domain = senderDomainOf(connection, (await getSettings(db, project_id)).from_email)
  if (domain !== null) return domain
  throw withoutSender(
    'There is no domain to look up: set from_domain of the connection, or from_email in the settings.',
    'Neither the connection nor the settings say which domain messages come from.',
  )
}
