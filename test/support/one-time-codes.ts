import { Secret, TOTP } from 'otpauth'

/** The code that an authenticator app shows. */
export function codeAt(secret: string, at_ms: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at_ms })
}
