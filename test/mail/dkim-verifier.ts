import { generateKeyPairSync } from 'node:crypto'
import { createRequire } from 'node:module'
import type { DKIMResult } from 'mailauth'
import type { DkimKey } from '../../src/mail/dkim.ts'

/** Verifies signatures with mailauth, which shares no code with the signer, against DNS records given here. */
const { dkimVerify } = createRequire(import.meta.url)('mailauth/lib/dkim/verify') as typeof import('mailauth')

/** TXT records by name. */
export type Zone = Record<string, string>

export async function resolve(zone: Zone, name: string): Promise<string[][]> {
  const text = zone[name]
  if (text === undefined) throw Object.assign(new Error(`Nothing at ${name}.`), { code: 'ENOTFOUND' })
  // One string of a TXT record holds 255 characters.
  return [text.match(/.{1,255}/g)!]
}

/** The result for each signature, from the top of the message down, by the strict rules of the RFCs. */
export async function signaturesOf(message: Buffer, zone: Zone, now: number): Promise<DKIMResult[]> {
  const { results } = await dkimVerify(message, {
    strict: true,
    curTime: now,
    resolver: async (name, type) => (type === 'TXT' ? resolve(zone, name) : []),
  })
  return results
}

/** `pass`, `fail`, `neutral` … for each signature; `none` when there is none. */
export async function verdictsOn(message: Buffer, zone: Zone, now: number): Promise<string[]> {
  return (await signaturesOf(message, zone, now)).map(({ status }) => String(status.result))
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const spki = (key: typeof rsa.publicKey) => key.export({ type: 'spki', format: 'der' })

export const RSA_KEY: DkimKey = {
  domain: 'harbour.example',
  selector: 'mh1',
  algorithm: 'rsa-sha256',
  private_key: rsa.privateKey,
}
export const ED25519_KEY: DkimKey = {
  domain: 'harbour.example',
  selector: 'mh2',
  algorithm: 'ed25519-sha256',
  private_key: ed25519.privateKey,
}

/** The records of both keys. */
export const ZONE: Zone = {
  'mh1._domainkey.harbour.example': `v=DKIM1; k=rsa; p=${spki(rsa.publicKey).toString('base64')}`,
  'mh2._domainkey.harbour.example': `v=DKIM1; k=ed25519; p=${spki(ed25519.publicKey).subarray(-32).toString('base64')}`,
}
