import { type Static, Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { iso, isoOrNull } from '../../clock.ts'
import { invalid } from '../../errors.ts'
import { systemTxt } from '../../mail/dns.ts'
import { mutation, type ReadContext } from '../../operation/declare.ts'
import { enumOf, Id, nullable, obj, Timestamp } from '../../schema.ts'
import { connections, type DnsResult } from '../../store/tables/delivery.ts'
import { DKIM_ALGORITHMS } from '../../store/tables/dkim.ts'
import { DnsCheck, getConnection } from './connections.operations.ts'
import { insertDkimKey, listDkimKeys, prepareDkimKey, senderDomain } from './dkim-keys.ts'
import { type DkimRecord, dkimRecords, FOUND, type Found, lookUpDkimKeys, storeDkimLookup } from './dkim-records.ts'
import { checkConnectionDns } from './sender-dns.ts'
import { withoutSender } from './sender.ts'
import { getSettings } from './settings.operations.ts'

/** All look-ups together take no longer. */
const TIMEOUT_MS = 4_000

const DkimKey = obj({
  id: Id,
  algorithm: enumOf(DKIM_ALGORITHMS),
  selector: Type.String(),
  name: Type.String({ description: 'Where its TXT record belongs.' }),
  value: Type.String({ description: 'The text of that record.' }),
  found: nullable(enumOf(FOUND, { description: 'What the DNS has now; null for a key that was just made.' })),
  signs: Type.Boolean({ description: 'Messages are signed with this key now.' }),
  verified_at: nullable(Timestamp),
  created_at: Timestamp,
})

export const verifyDns = mutation({
  path: '/connections/verify-dns',
  scope: 'admin',
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
    dkim_keys: Type.Array(DkimKey, { description: "The service's own keys of the domain; other providers sign." }),
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
    return { checks, dkim_keys: records.map((record) => dkimKey(record, found.get(record.key.id) ?? null)) }
  },
})

function dkimKey({ key, name, value, signs }: DkimRecord, found: Found | null): Static<typeof DkimKey> {
  const { id, algorithm, selector, verified_at, created_at } = key
  const times = { verified_at: isoOrNull(verified_at), created_at: iso(created_at) }
  return { id, algorithm, selector, name, value, found, signs, ...times }
}

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
