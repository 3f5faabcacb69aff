import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Everything secret: random tokens (only their SHA-256 is stored), credentials that must be used again
 * (sealed with AES-256-GCM), and signatures of tokens that the service issues and later receives (HMAC-SHA-256).
 * One ring of keys of the instance, from each key one derived key per purpose (HKDF, RFC 5869).
 */

type TokenPrefix =
  | 'svc_at_'
  | 'svc_rt_'
  | 'svc_pk_'
  | 'svc_cs_'
  | 'svc_ac_'
  | 'svc_ss_'
  | 'svc_st_'
  | 'svc_pr_'
  | 'svc_iv_'
  | 'svc_wh_'
  | 'svc_dv_'
  | 'svc_ec_'
  | 'svc_su_'

/** A bearer secret with 256 bits of randomness. */
export function newToken(prefix: TokenPrefix): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** The stored form of a bearer secret. */
export function tokenHash(token: string): string {
  return sha256(token)
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url')
}

/** Compares in a time that does not reveal where two texts differ. */
export function sameSecret(a: string, b: string): boolean {
  const left = createHash('sha256').update(a).digest()
  const right = createHash('sha256').update(b).digest()
  return timingSafeEqual(left, right)
}

export type Purpose =
  | 'credentials'
  | 'cursor'
  | 'recipient-link'
  | 'view-link'
  | 'message-id'
  | 'open'
  | 'click'
  | 'return-path'
  | 'confirmation'
  | 'session-form'
  | 'receipt'
  | 'account-message'
  | 'sign-in'
  | 'sign-out'
  | 'proof-of-work'
  | 'post-preview'
  | 'script-preview'
  | 'key-check'
  | 'key-id'
  | 'audit'
  | 'mailbox'
  | 'device'
  | 'login-prompt'
  | 'passkey'
  | 'second-factor'
  | 'totp'

/** A key id is as long in front of everything that its key sealed or signed. */
export const KEY_ID_LENGTH = 5
const KEY_ID_COUNT = 32 ** KEY_ID_LENGTH
/** Bytes of a signature in an address or a Message-ID. */
const MARK_BYTES = 10

/** One secret key. */
export class SecretKey {
  private readonly derived = new Map<Purpose, Buffer>()
  private name: string | null = null

  constructor(private readonly master: string) {
    if (Buffer.byteLength(master) < 32) throw new Error('The secret key is shorter than 32 bytes.')
  }

  /** Names the key without revealing it. Digits and lower-case letters: addresses may lose their case. */
  get id(): string {
    const number = this.derive('key-id').readUInt32BE(0) % KEY_ID_COUNT
    return (this.name ??= number.toString(32).padStart(KEY_ID_LENGTH, '0'))
  }

  derive(purpose: Purpose): Buffer {
    let key = this.derived.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.master, 'masthead', purpose, 32))
      this.derived.set(purpose, key)
    }
    return key
  }

  mac(purpose: Purpose, bytes: Buffer): Buffer {
    // Half the time of createHmac: each message of a campaign has about ten signatures.
    return new Bun.CryptoHasher('sha256', this.derive(purpose)).update(bytes).digest().subarray(0, 16)
  }

  /** Encrypts a text. `context` binds it to its row and purpose: in another context it cannot be decrypted. */
  seal(purpose: Purpose, plain: string, context: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.derive(purpose), iv)
    cipher.setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** The text, or null when it was altered, or was sealed with another key or for another context. */
  unseal(purpose: Purpose, sealed: string, context: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < 28) return null
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.derive(purpose), bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }
}

/**
 * The key ring (docs/operations.md#secret-key). The newest key seals and signs. What any key of the ring sealed or
 * signed is accepted; it begins with the id of its key.
 */
export class Keys {
  private ring: readonly SecretKey[]

  /**
   * @param masters the newest key first; at least 32 bytes of key material each, in any text encoding
   * @param reread the ring as it is now, in the place it was read from; called when a key id is unknown
   */
  constructor(
    masters: string | readonly string[],
    private readonly reread: (() => readonly string[]) | null = null,
  ) {
    this.ring = ringOf(typeof masters === 'string' ? [masters] : masters)
  }

  get newest_id(): string {
    return this.newest.id
  }

  /**
   * The ids of the ring's keys, the newest first, each with a value that only this key has and that does not reveal it.
   */
  checks(): { key_id: string; check_value: string }[] {
    return this.ring.map((key) => ({
      key_id: key.id,
      check_value: key.mac('key-check', Buffer.alloc(0)).toString('base64url'),
    }))
  }

  /** Puts another ring in the place of this one, for everything that holds these keys. */
  replace(masters: readonly string[]): void {
    this.ring = ringOf(masters)
  }

  /** Encrypts a credential for the store. `context` binds it to its row: in another context it cannot be decrypted. */
  seal(purpose: Purpose, plain: string, context: string): string {
    return this.newest.id + this.newest.seal(purpose, plain, context)
  }

  /** The credential, or null when the text was altered, or was sealed with an unknown key or for another context. */
  unseal(purpose: Purpose, sealed: string, context: string): string | null {
    return this.keyOf(sealed)?.unseal(purpose, sealed.slice(KEY_ID_LENGTH), context) ?? null
  }

  /** `payload` with a 128-bit signature, in base64url behind the key id, safe in a path segment. */
  sign(purpose: Purpose, payload: Uint8Array | string): string {
    const bytes = Buffer.from(payload as Uint8Array)
    return this.newest.id + Buffer.concat([this.newest.mac(purpose, bytes), bytes]).toString('base64url')
  }

  /** The payload that `sign` was given, or null when this service did not sign the text. */
  verify(purpose: Purpose, signed: string): Buffer | null {
    if (!/^[A-Za-z0-9_-]{27,2048}$/.test(signed)) return null
    const key = this.keyOf(signed)
    const text = signed.slice(KEY_ID_LENGTH)
    const bytes = Buffer.from(text, 'base64url')
    if (!key || bytes.length < 16 || bytes.toString('base64url') !== text) return null
    const payload = bytes.subarray(16)
    return timingSafeEqual(bytes.subarray(0, 16), key.mac(purpose, payload)) ? payload : null
  }

  /** The key id and 80 bits of a signature, without the payload: 25 digits and lower-case letters (`MARK`). */
  mark(purpose: Purpose, payload: string): string {
    return markOf(this.newest, purpose, payload)
  }

  /** The marks of all keys of the ring, the newest first: for finding what any of them marked. */
  marks(purpose: Purpose, payload: string): string[] {
    return this.ring.map((key) => markOf(key, purpose, payload))
  }

  /** Whether a key of the ring made this mark for this payload. */
  isMark(purpose: Purpose, payload: string, mark: string): boolean {
    const key = this.keyOf(mark)
    return key !== undefined && sameSecret(markOf(key, purpose, payload), mark)
  }

  private get newest(): SecretKey {
    return this.ring[0]!
  }

  private keyOf(text: string): SecretKey | undefined {
    const id = text.slice(0, KEY_ID_LENGTH)
    const known = this.ring.find((key) => key.id === id)
    if (known || this.reread === null) return known
    // A key that another process has just made reads; it writes once `replace` puts it into the ring.
    return ringOf(this.reread()).find((key) => key.id === id)
  }
}

/** The form of a mark, for regular expressions. */
export const MARK = `[0-9a-v]{${KEY_ID_LENGTH}}[0-9a-f]{${MARK_BYTES * 2}}`

function markOf(key: SecretKey, purpose: Purpose, payload: string): string {
  return key.id + key.mac(purpose, Buffer.from(payload)).subarray(0, MARK_BYTES).toString('hex')
}

function ringOf(masters: readonly string[]): SecretKey[] {
  const ring = [...new Set(masters)].map((master) => new SecretKey(master))
  const twice = ring.find(({ id }, at) => ring.findIndex((other) => other.id === id) < at)
  if (twice) throw new Error(`Two secret keys have the id ${twice.id}. Replace one of them.`)
  return ring
}

/** A new key for an instance: 256 bits. */
export function newMasterKey(): string {
  return randomBytes(32).toString('base64url')
}

/** argon2id with OWASP's memory and time (19 MiB, 2 passes); runs off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 })
}

export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  try {
    return await Bun.password.verify(password, hash)
  } catch {
    return false
  }
}
