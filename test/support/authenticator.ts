import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** A WebAuthn authenticator in software, with one ES256 credential at most: what a browser would answer. */
export interface Authenticator {
  /** The answer to registration options. */
  create(options: any): object
  /** The answer to authentication options. */
  get(options: any): object
  /** The count of signatures in the next answer; it grows by itself. */
  counter: number
  /** Whether the next answers say that the user was verified. */
  verifies_user: boolean
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** @param url the address of the service; the page is its name `localhost`, as passkeys need it */
export function createAuthenticator(url: string): Authenticator {
  const origin = `http://localhost:${new URL(url).port}`
  const id = randomBytes(16)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let user_handle = ''

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (self: Authenticator, attested?: Buffer) => {
    const flags = 0x01 | (self.verifies_user ? 0x04 : 0) | (attested ? 0x40 : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(self.counter++)
    return Buffer.concat([sha256('localhost'), Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)])
  }
  const answer = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    counter: 1,
    verifies_user: true,
    create({ challenge, user }) {
      user_handle = user.id
      const length = Buffer.from([0, id.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const authData = authenticatorData(this, attested)
      const attestation = new Map<string, any>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', challenge)),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ['internal'],
      })
    },
    get({ challenge }) {
      const data = clientData('webauthn.get', challenge)
      const authData = authenticatorData(this)
      return answer({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
        userHandle: user_handle,
      })
    },
  }
}

/** RFC 9053, 7.1.1: an ES256 key. */
function coseKey(key: KeyObject): Uint8Array {
  const { x, y } = key.export({ format: 'jwk' })
  const bytes = (text: string | undefined) => new Uint8Array(Buffer.from(text!, 'base64url'))
  return isoCBOR.encode(
    new Map<number, any>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
}
