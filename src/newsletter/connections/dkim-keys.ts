import { domainOf } from '../../address.ts'
import type { ProjectId } from '../../ids.ts'
import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { createCache } from '../../cache.ts'
import { invalidState, requireRoom } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import type { Keys } from '../../secrets.ts'
import { one, oneOrNotFound } from '../../store/rows.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { seal, SEALED, unseal } from '../../store/sealed.ts'
import type { Runtime } from '../../runtime.ts'
import { dkim_keys, type DkimAlgorithm } from '../../store/tables/dkim.ts'
import type { Connection } from './connection.ts'
import { type DkimKey, signMessage } from '../../mail/dkim.ts'

/**
 * Keys that sign a project's messages, one or more for each sender domain. A new key signs only after its record was
 * found in the DNS; then it replaces the key before it. The old record stays for messages in transit until the key is
 * deleted. See docs/api/delivery.md#dkim.
 */

/** A key without its private half. */
export type DkimKeyRow = Omit<typeof dkim_keys.$inferSelect, 'private_key_sealed' | 'disabled_at'>

const MAX_KEYS_OF_DOMAIN = 6
const MAX_KEYS_OF_PROJECT = 200

export interface NewDkimKey {
  /** In ASCII and lower case. */
  domain: string
  algorithm: DkimAlgorithm
}

interface PreparedDkimKey extends NewDkimKey {
  private_key: string
  public_key: string
}

/**
 * Generates a key pair, which takes too long for a transaction. INVALID_STATE when the domain or the project has
 * too many keys.
 */
export async function prepareDkimKey(db: Reader, project_id: ProjectId, key: NewDkimKey): Promise<PreparedDkimKey> {
  await requireKeyRoom(db, project_id, key.domain)
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
  await requireKeyRoom(tx, project_id, domain)
  const selector = await nextSelector(tx, domain)
  const private_key_sealed = seal(keys, SEALED.dkim_key, private_key, { project_id, domain, selector })
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

/** Disables a key and destroys its private half. NOT_FOUND for another project's or a deleted key. */
export async function deleteDkimKey(tx: Tx, project_id: ProjectId, key_id: number, now: number): Promise<void> {
  oneOrNotFound(
    await tx
      .update(dkim_keys)
      .set({ disabled_at: now, private_key_sealed: null })
      .where(and(eq(dkim_keys.id, key_id), eq(dkim_keys.project_id, project_id), isNull(dkim_keys.disabled_at)))
      .returning({ id: dkim_keys.id }),
    'DKIM key',
    '/key_id',
  )
}

/** The keys that sign, of a domain's keys in newest-first order: the newest verified one of each algorithm. */
export function signingKeys<K extends Pick<DkimKeyRow, 'algorithm' | 'verified_at'>>(newestFirst: readonly K[]): K[] {
  const verified = newestFirst.filter(({ verified_at }) => verified_at !== null)
  return verified.filter(({ algorithm }, index) => verified.findIndex((key) => key.algorithm === algorithm) === index)
}

/** The keys that sign messages from a domain now. Throws when one was sealed with another secret key. */
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
    private_key: unsealPrivateKey(keys, row),
  }))
}

/** Signs a finished message; null when that failed. */
export type Signer = (message: Buffer) => Promise<Buffer | null>

/**
 * Signs the messages of a sender through a connection. Null when messages are not signed: the sender's domain has no
 * verified key, or the connection's provider signs by itself.
 */
export async function signerOf(
  { store, keys, clock, log }: Pick<Runtime, 'store' | 'keys' | 'clock' | 'log'>,
  { provider, project_id }: Connection,
  from_email: string,
): Promise<Signer | null> {
  if (provider !== 'smtp') return null
  const signing = await dkimKeysFor(store.db, keys, project_id, domainOf(from_email))
  if (signing.length === 0) return null
  return (message) =>
    signMessage(message, signing, clock.now()).catch((error: unknown) => {
      log.error('a message could not be signed', { project_id, ...errorFields(error) })
      return null
    })
}

/** The domain that messages through a connection come from: its own, else the project's sender's; null without both. */
export function senderDomainOf({ from_domain }: Pick<Connection, 'from_domain'>, from_email: string): string | null {
  const sender = from_domain || from_email
  return sender === '' ? null : domainOf(sender)
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

async function requireKeyRoom(db: Reader, project_id: ProjectId, domain: string): Promise<void> {
  const keys = await listDkimKeys(db, project_id)
  requireRoom(keys.length, MAX_KEYS_OF_PROJECT, 'keys')
  if (keys.filter((key) => key.domain === domain).length >= MAX_KEYS_OF_DOMAIN) {
    throw invalidState(`A domain has at most ${MAX_KEYS_OF_DOMAIN} keys: delete one that is not used any more.`, 'full')
  }
}

/**
 * Numbered for a domain over all projects and never reused: two projects may send from one domain, and one DNS name
 * holds one key.
 */
async function nextSelector(tx: Tx, domain: string): Promise<string> {
  const [last] = await tx.all<{ number: number | null }>(
    sql`SELECT max(CAST(substr(selector, 3) AS INTEGER)) AS number FROM dkim_keys WHERE domain = ${domain}`,
  )
  return `mh${(last?.number ?? 0) + 1}`
}

/** RFC 8301 recommends 2048 bits. More exceed one string of many DNS services and make signing four times as slow. */
const RSA_BITS = 2048
const newRsaPair = promisify(generateKeyPair)

/** Generates a pair in the thread pool. Both halves are Base64: PKCS #8, and the public key as in the DNS. */
async function newKeyPair(algorithm: DkimAlgorithm): Promise<{ private_key: string; public_key: string }> {
  const { privateKey, publicKey } =
    algorithm === 'rsa-sha256' ? await newRsaPair('rsa', { modulusLength: RSA_BITS }) : await newRsaPair('ed25519')
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return {
    private_key: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    // The DNS record of an Ed25519 key has only its 32 bytes (RFC 8463, section 4).
    public_key: (algorithm === 'rsa-sha256' ? spki : spki.subarray(-32)).toString('base64'),
  }
}

/** Unsealed keys by their sealed text, which is unique. */
const opened = createCache<string, KeyObject>({ max_entries: 200 })

function unsealPrivateKey(keys: Keys, row: typeof dkim_keys.$inferSelect): KeyObject {
  const sealed = row.private_key_sealed ?? ''
  return opened.getOrMake(sealed, () => {
    const private_key = unseal(keys, SEALED.dkim_key, sealed, row)
    if (private_key === null) throw new Error('A DKIM key cannot be decrypted with this secret key.')
    return createPrivateKey({ key: Buffer.from(private_key, 'base64'), format: 'der', type: 'pkcs8' })
  })
}
