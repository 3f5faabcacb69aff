import type { ProjectId } from '../../ids.ts'
import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { createCache } from '../../cache.ts'
import { invalidState, notFound } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import type { Keys } from '../../secrets.ts'
import { one } from '../../store/rows.ts'
import type { Reader, Tx } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import { dkim_keys, type DkimAlgorithm } from '../../store/tables/dkim.ts'
import type { Connection } from './connections.operations.ts'
import { type DkimKey, signMessage } from '../../mail/dkim.ts'
import { asciiDomain } from '../../mail/mime.ts'

/**
 * Keys that sign a project's messages, one or more for each domain it sends from. A new key signs nothing until its
 * record was seen in the DNS; from then on it signs instead of the one before it, which stays where mail that is on
 * its way can find it until it is deleted.
 */

/** A key as everybody may see it. */
export type DkimKeyRow = Omit<typeof dkim_keys.$inferSelect, 'private_key_sealed' | 'disabled_at'>

const MAX_KEYS_OF_DOMAIN = 6
const MAX_KEYS_OF_PROJECT = 200

export interface NewDkimKey {
  /** In ASCII and lower case. */
  domain: string
  algorithm: DkimAlgorithm
}

export interface PreparedDkimKey extends NewDkimKey {
  private_key: string
  public_key: string
}

/**
 * Generates a key pair, which takes too long for a transaction. INVALID_STATE when the domain or the project has
 * too many keys.
 */
export async function prepareDkimKey(db: Reader, project_id: ProjectId, key: NewDkimKey): Promise<PreparedDkimKey> {
  await requireRoom(db, project_id, key.domain)
  return { ...key, ...(await newKeyPair(key.algorithm)) }
}

/** Stores a key; its private half is sealed. INVALID_STATE as `prepareDkimKey`. */
export async function insertDkimKey(
  tx: Tx,
  keys: Keys,
  project_id: ProjectId,
  { private_key, ...key }: PreparedDkimKey & { created_at: number },
): Promise<DkimKeyRow> {
  const { domain } = key
  await requireRoom(tx, project_id, domain)
  const selector = await nextSelector(tx, domain)
  const private_key_sealed = keys.seal('credentials', private_key, sealedFor({ project_id, domain, selector }))
  return one(
    await tx
      .insert(dkim_keys)
      .values({ ...key, project_id, selector, private_key_sealed })
      .returning(SHOWN),
  )
}

/** The keys of a project that were not deleted, those of one domain when it is given; the newest first. */
export function listDkimKeys(db: Reader, project_id: ProjectId, domain?: string): Promise<DkimKeyRow[]> {
  return db
    .select(SHOWN)
    .from(dkim_keys)
    .where(
      and(
        eq(dkim_keys.project_id, project_id),
        isNull(dkim_keys.disabled_at),
        domain === undefined ? undefined : eq(dkim_keys.domain, domain),
      ),
    )
    .orderBy(asc(dkim_keys.domain), desc(dkim_keys.created_at), desc(dkim_keys.id))
}

/** Ends a key; its private half is destroyed. NOT_FOUND for one that is another project's or gone. */
export async function deleteDkimKey(tx: Tx, project_id: ProjectId, key_id: number, now: number): Promise<void> {
  const ended = await tx
    .update(dkim_keys)
    .set({ disabled_at: now, private_key_sealed: null })
    .where(and(eq(dkim_keys.id, key_id), eq(dkim_keys.project_id, project_id), isNull(dkim_keys.disabled_at)))
    .returning({ id: dkim_keys.id })
  if (ended.length === 0) throw notFound('DKIM key', '/key_id')
}

/** Of a domain's keys, the newest first, those that sign: the newest verified one of each algorithm. */
export function signingKeys<K extends Pick<DkimKeyRow, 'algorithm' | 'verified_at'>>(newestFirst: readonly K[]): K[] {
  const verified = newestFirst.filter(({ verified_at }) => verified_at !== null)
  return verified.filter(({ algorithm }, index) => verified.findIndex((key) => key.algorithm === algorithm) === index)
}

/** The keys that sign messages from a domain now; none when it has none. Throws when one was sealed with another secret key. */
export async function dkimKeysFor(db: Reader, keys: Keys, project_id: ProjectId, domain: string): Promise<DkimKey[]> {
  const rows = await db
    .select()
    .from(dkim_keys)
    .where(
      and(
        eq(dkim_keys.project_id, project_id),
        eq(dkim_keys.domain, domain),
        isNull(dkim_keys.disabled_at),
        isNotNull(dkim_keys.verified_at),
      ),
    )
    .orderBy(desc(dkim_keys.created_at), desc(dkim_keys.id))
  return signingKeys(rows).map((row) => ({
    domain: row.domain,
    selector: row.selector,
    algorithm: row.algorithm,
    private_key: openPrivateKey(keys, row),
  }))
}

/** Signs a finished message; null when that failed. */
export type Signer = (message: Buffer) => Promise<Buffer | null>

/**
 * What signs the messages of a sender that go through a connection, or null when they go as they are: because the
 * sender's domain has no verified key, or because the connection leads to a provider, which signs itself.
 */
export async function signerOf(
  { store, keys, clock, log }: Pick<Runtime, 'store' | 'keys' | 'clock' | 'log'>,
  { provider, project_id }: Connection,
  from_email: string,
): Promise<Signer | null> {
  if (provider !== 'smtp') return null
  const signing = await dkimKeysFor(store.db, keys, project_id, senderDomain(from_email))
  if (signing.length === 0) return null
  return (message) =>
    signMessage(message, signing, clock.now()).catch((error: unknown) => {
      log.error('a message could not be signed', { project_id, ...errorFields(error) })
      return null
    })
}

/** The domain of an address as its keys are kept: in ASCII and lower case. */
export function senderDomain(email: string): string {
  const address = asciiDomain(email)
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

const SHOWN = {
  id: dkim_keys.id,
  project_id: dkim_keys.project_id,
  domain: dkim_keys.domain,
  selector: dkim_keys.selector,
  algorithm: dkim_keys.algorithm,
  public_key: dkim_keys.public_key,
  created_at: dkim_keys.created_at,
  verified_at: dkim_keys.verified_at,
}

async function requireRoom(db: Reader, project_id: ProjectId, domain: string): Promise<void> {
  const keys = await listDkimKeys(db, project_id)
  if (keys.length >= MAX_KEYS_OF_PROJECT)
    throw invalidState(`A project has at most ${MAX_KEYS_OF_PROJECT} keys.`, 'full')
  if (keys.filter((key) => key.domain === domain).length >= MAX_KEYS_OF_DOMAIN) {
    throw invalidState(`A domain has at most ${MAX_KEYS_OF_DOMAIN} keys: delete one that is not used any more.`, 'full')
  }
}

/**
 * Counted for a domain, whoever it belongs to, and never given twice: two projects may send from one domain, and
 * under one name in the DNS there is room for one key.
 */
async function nextSelector(tx: Tx, domain: string): Promise<string> {
  const [last] = await tx.all<{ number: number | null }>(
    sql`SELECT max(CAST(substr(selector, 3) AS INTEGER)) AS number FROM dkim_keys WHERE domain = ${domain}`,
  )
  return `mh${(last?.number ?? 0) + 1}`
}

/** RFC 8301 asks for 2048 bits; more do not fit into one string of many DNS services, and cost four times as much to sign with. */
const RSA_BITS = 2048
const newRsaPair = promisify(generateKeyPair)

/** Both halves in Base64, made off this thread: the private one as PKCS #8, the public one as it stands in the DNS. */
async function newKeyPair(algorithm: DkimAlgorithm): Promise<{ private_key: string; public_key: string }> {
  const { privateKey, publicKey } =
    algorithm === 'rsa-sha256' ? await newRsaPair('rsa', { modulusLength: RSA_BITS }) : await newRsaPair('ed25519')
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return {
    private_key: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    // Of an Ed25519 key the DNS has the 32 bytes alone (RFC 8463, section 4).
    public_key: (algorithm === 'rsa-sha256' ? spki : spki.subarray(-32)).toString('base64'),
  }
}

const sealedFor = ({
  project_id,
  domain,
  selector,
}: {
  project_id: ProjectId
  domain: string
  selector: string
}): string => `dkim:${project_id}:${domain}:${selector}`

/** Opened keys by their sealed text, which no other key has. */
const opened = createCache<string, KeyObject>({ max_entries: 200 })

function openPrivateKey(keys: Keys, row: typeof dkim_keys.$inferSelect): KeyObject {
  const sealed = row.private_key_sealed ?? ''
  const known = opened.get(sealed)
  if (known) return known
  const private_key = keys.open('credentials', sealed, sealedFor(row))
  if (private_key === null) throw new Error('A DKIM key does not open with this secret key.')
  const key = createPrivateKey({ key: Buffer.from(private_key, 'base64'), format: 'der', type: 'pkcs8' })
  opened.set(sealed, key)
  return key
}
