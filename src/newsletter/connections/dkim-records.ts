import type { ProjectId } from '../../ids.ts'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { domainOf } from '../../address.ts'
import { notFound } from '../../errors.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { campaigns, connections, type Provider } from '../../store/tables/delivery.ts'
import { dkim_keys } from '../../store/tables/dkim.ts'
import { type DkimKeyRow, listDkimKeys, signingKeys } from './dkim-keys.ts'
import { type ResolveTxt, tagsOf, textsOf } from '../../mail/dns.ts'
import { dmarcRecord } from '../../mail/sender-dns.ts'
import { getSettings } from './settings.operations.ts'

/** A record that the owner of a sender domain publishes, so that receivers trust its messages. */
interface DnsRecord {
  type: 'TXT'
  name: string
  value: string
}

export interface DkimRecord extends DnsRecord {
  key: DkimKeyRow
  /** Whether messages are signed with this key now. */
  signs: boolean
}

interface DomainRecords {
  domain: string
  dkim: DkimRecord[]
  /** Null while no connection sends for the domain. */
  spf: DnsRecord | null
  dmarc: DnsRecord
}

/** The records of every domain that a project sends from or has keys for; the settings' sender domain first. */
export async function domainRecords(db: Reader, project_id: ProjectId): Promise<DomainRecords[]> {
  const [keys, relays, domains] = await Promise.all([
    listDkimKeys(db, project_id),
    relaysOf(db, project_id),
    senderDomains(db, project_id),
  ])
  return [...new Set([...domains, ...keys.map(({ domain }) => domain)])].map((domain) => ({
    domain,
    dkim: dkimRecords(keys.filter((key) => key.domain === domain)),
    spf: spfRecord(domain, relays),
    dmarc: dmarcRecord(domain),
  }))
}

/** Keys of one domain, the newest first, with their records (RFC 6376, section 3.6.1; RFC 8463, section 4). */
export function dkimRecords(keys: readonly DkimKeyRow[]): DkimRecord[] {
  const signing = signingKeys(keys)
  return keys.map((key) => ({
    type: 'TXT',
    name: `${key.selector}._domainkey.${key.domain}`,
    value: `v=DKIM1; k=${KEY_TYPE[key.algorithm]}; p=${key.public_key}`,
    key,
    signs: signing.includes(key),
  }))
}

const KEY_TYPE = { 'rsa-sha256': 'rsa', 'ed25519-sha256': 'ed25519' } as const

/** The state of a key's record in the DNS. */
export const FOUND = ['published', 'missing', 'different', 'no_answer'] as const
export type Found = (typeof FOUND)[number]

/** What the DNS says about each key of a domain, by key id. */
type DkimLookup = ReadonlyMap<number, Found>

/** Looks for the record of each key of a domain. NOT_FOUND when the domain has no keys. */
export async function lookUpDkimKeys(
  db: Reader,
  project_id: ProjectId,
  domain: string,
  resolveTxt: ResolveTxt,
): Promise<DkimLookup> {
  const records = dkimRecords(await listDkimKeys(db, project_id, domain))
  if (records.length === 0) throw notFound('domain with DKIM keys', '/domain')
  return new Map(
    await Promise.all(records.map(async (record) => [record.key.id, await lookUp(record, resolveTxt)] as const)),
  )
}

/**
 * Stores what a look-up found: a published key may sign from now on, any other may not. Without an answer from the
 * DNS nothing changes.
 */
export async function storeDkimLookup(
  tx: Tx,
  project_id: ProjectId,
  { domain, found, now }: { domain: string; found: DkimLookup; now: number },
): Promise<(DkimRecord & { found: Found })[]> {
  for (const [id, state] of found) {
    if (state === 'no_answer') continue
    await tx
      .update(dkim_keys)
      .set({ verified_at: state === 'published' ? now : null })
      .where(and(eq(dkim_keys.id, id), eq(dkim_keys.project_id, project_id), isNull(dkim_keys.disabled_at)))
  }
  return dkimRecords(await listDkimKeys(tx, project_id, domain)).flatMap((record) => {
    const state = found.get(record.key.id)
    return state ? [{ ...record, found: state }] : []
  })
}

async function lookUp({ name, key }: DkimRecord, resolveTxt: ResolveTxt): Promise<Found> {
  const texts = await textsOf(resolveTxt, name)
  if (texts === null) return 'no_answer'
  const records = texts.map(tagsOf).filter((tags) => tags.has('p'))
  if (records.length === 0) return 'missing'
  // A receiver may use any of several records (RFC 6376, section 3.6.2.2).
  return records.every((tags) => isOf(key, tags)) ? 'published' : 'different'
}

/** Whether a record lets receivers check this key's signatures. */
function isOf({ algorithm, public_key }: DkimKeyRow, tags: ReadonlyMap<string, string>): boolean {
  const allows = (tag: string, ...values: string[]) =>
    !tags.has(tag) ||
    tags
      .get(tag)!
      .split(':')
      .some((value) => values.includes(value))
  return (
    tags.get('p') === public_key &&
    (tags.get('k') ?? 'rsa') === KEY_TYPE[algorithm] &&
    (tags.get('v') ?? 'DKIM1') === 'DKIM1' &&
    allows('h', 'sha256') &&
    allows('s', '*', 'email')
  )
}

/** A domain in ASCII and lower case; null when the text is not a domain or too long to follow a selector. */
export function readDomain(text: string): string | null {
  const domain = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase()
  return domain.length <= 220 && isIP(domain) === 0 && DOMAIN.test(domain) ? domain : null
}

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** The settings' sender domain first, then those of connections and campaigns in alphabetical order. */
async function senderDomains(db: Reader, project_id: ProjectId): Promise<string[]> {
  const { from_email } = await getSettings(db, project_id)
  const ofConnections = await db
    .selectDistinct({ domain: connections.from_domain })
    .from(connections)
    .where(and(eq(connections.project_id, project_id), ne(connections.from_domain, '')))
  const ofCampaigns = await db
    .selectDistinct({ email: campaigns.from_email })
    .from(campaigns)
    .where(and(eq(campaigns.project_id, project_id), isNull(campaigns.deleted_at), ne(campaigns.from_email, '')))
  const others = [
    ...ofConnections.map(({ domain }) => domainOf(domain)),
    ...ofCampaigns.map(({ email }) => domainOf(email)),
  ].toSorted()
  return [...(from_email === '' ? [] : [domainOf(from_email)]), ...others]
}

interface Relay {
  provider: Provider
  host: string
  from_domain: string
}

function relaysOf(db: Reader, project_id: ProjectId): Promise<Relay[]> {
  return db
    .select({ provider: connections.provider, host: connections.host, from_domain: connections.from_domain })
    .from(connections)
    .where(eq(connections.project_id, project_id))
}

/** SPF (RFC 7208) for the relays that send for a domain. Only a relay's operator knows its other servers. */
function spfRecord(domain: string, relays: readonly Relay[]): DnsRecord | null {
  const own = relays.filter(({ from_domain }) => from_domain === '' || domainOf(from_domain) === domain)
  const senders = new Set(own.flatMap((relay) => spfTerm(relay) ?? []))
  return senders.size === 0
    ? null
    : { type: 'TXT', name: domain, value: `v=spf1 ${[...senders].toSorted().join(' ')} ~all` }
}

const SPF_OF_PROVIDER: Partial<Record<Provider, string>> = {
  ses: 'include:amazonses.com',
  sendgrid: 'include:sendgrid.net',
  mailgun: 'include:mailgun.org',
  postmark: 'include:spf.mtasv.net',
  resend: 'include:amazonses.com',
  brevo: 'include:spf.brevo.com',
}

/** The SPF term that allows a relay (RFC 7208, section 5); null for the sandbox. */
export function spfTerm({ provider, host }: Pick<Relay, 'provider' | 'host'>): string | null {
  if (provider !== 'smtp') return SPF_OF_PROVIDER[provider] ?? null
  const version = isIP(host)
  return version === 0 ? `a:${host}` : `ip${version}:${host}`
}
