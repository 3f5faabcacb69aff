import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Everything secret: random tokens (only their SHA-256 is stored), credentials that must be used again
 * (sealed with AES-256-GCM), and signatures of tokens that the service issues and later receives (HMAC-SHA-256).
 * One key of the instance, one derived key per purpose (HKDF, RFC 5869).
 */

export type TokenPrefix =
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

/** A bearer secret with 256 bits of randomness. */
export function newToken(prefix: TokenPrefix): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** The stored form of a bearer secret. */
export function tokenHash(token: string): string {
  return sha256(token)
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
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
  | 'key-check'
  | 'device'
  | 'login-prompt'
  | 'passkey'
  | 'second-factor'
  | 'totp'

export class Keys {
  private readonly derived = new Map<string, Buffer>()

  /** @param master at least 32 bytes of key material, any text encoding of it */
  constructor(private readonly master: string) {
    if (Buffer.byteLength(master) < 32) throw new Error('The secret key is shorter than 32 bytes.')
  }

  private key(purpose: Purpose): Buffer {
    let key = this.derived.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.master, 'masthead', purpose, 32))
      this.derived.set(purpose, key)
    }
    return key
  }

  /** Encrypts a credential for the store. `context` binds it to its row: in another context it cannot be decrypted. */
  seal(purpose: Purpose, plain: string, context: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.key(purpose), iv)
    cipher.setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** The credential, or null when the text was altered, was sealed with another key or for another context. */
  open(purpose: Purpose, sealed: string, context: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < 28) return null
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key(purpose), bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    } catch {
      return null
    }
  }

  /** `payload` with a 128-bit signature, both in base64url, safe in a path segment. */
  sign(purpose: Purpose, payload: Uint8Array | string): string {
    const bytes = Buffer.from(payload as Uint8Array)
    return Buffer.concat([this.mac(purpose, bytes), bytes]).toString('base64url')
  }

  /** The payload that `sign` was given, or null when this service did not sign the text. */
  verify(purpose: Purpose, signed: string): Buffer | null {
    if (!/^[A-Za-z0-9_-]{22,2048}$/.test(signed)) return null
    const bytes = Buffer.from(signed, 'base64url')
    if (bytes.length < 16 || bytes.toString('base64url') !== signed) return null
    const payload = bytes.subarray(16)
    return timingSafeEqual(bytes.subarray(0, 16), this.mac(purpose, payload)) ? payload : null
  }

  /** A value that only this key has and that does not reveal it. */
  checkValue(): string {
    return this.mac('key-check', Buffer.alloc(0)).toString('base64url')
  }

  private mac(purpose: Purpose, bytes: Buffer): Buffer {
    return createHmac('sha256', this.key(purpose)).update(bytes).digest().subarray(0, 16)
  }
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
