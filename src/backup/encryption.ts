import type { Bytes } from './destination.ts'

/** Encryption of backups in the format of age (https://age-encryption.org/v1), whose programs read them, too. */

/** Encrypts to public keys. The service has no key to decrypt with. */
export async function encrypted(content: Bytes, recipients: readonly string[]): Promise<Bytes> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return bytesIn(await encrypter.encrypt(streamOf(content)))
}

/** @param identities private keys; throws when none of them is one of a recipient */
export async function decrypted(content: Bytes, identities: readonly string[]): Promise<Bytes> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return bytesIn(await decrypter.decrypt(streamOf(content)))
}

/** The private keys in the text of a file of `age-keygen`. */
export function identitiesIn(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('AGE-SECRET-KEY-'))
}

function streamOf(content: Bytes): ReadableStream<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      // The library keeps what it is given, and a reader may use its memory again.
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: () => void pieces.return?.(),
  })
}

/** Pieces of a size that is worth a write: the library makes one of 64 KiB after the other. */
async function* bytesIn(stream: ReadableStream<Uint8Array>): Bytes {
  const waiting: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    waiting.push(chunk)
    size += chunk.length
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(waiting.splice(0))
    size = 0
  }
  yield Buffer.concat(waiting)
}

const PIECE_BYTES = 1 << 20
