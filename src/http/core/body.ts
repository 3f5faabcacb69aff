import { AppError, invalid } from '../../errors.ts'
import type { Exchange } from './exchange.ts'
import type { Sender, Upload } from './uploads.ts'

/** The part of an Exchange that reading a body needs. */
export type Sending = Pick<Exchange, 'request' | 'address' | 'server' | 'uploads'>

/** The body as text. PAYLOAD_TOO_LARGE above `max` bytes, whether its length is announced or not. */
export async function readText(sending: Sending, max: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(sending, max))
}

/**
 * As `readText`, without decoding: signatures are made over bytes, and decoding may change them. Throws
 * REQUEST_TIMEOUT for a body that arrives too slowly and TOO_MANY_UPLOADS when unfinished bodies take too much memory
 * (docs/api/limits.md#unfinished-bodies).
 * @param sender `known` when the caller's credentials were accepted
 */
export function readBytes(sending: Sending, max: number, sender: Sender = 'anonymous'): Promise<Uint8Array> {
  return readHead(sending, { max, kept: max, sender })
}

/** As `readBytes`, but keeps only the first `kept` bytes and throws the rest away as it arrives. */
export async function readHead(
  { request, address, server, uploads }: Sending,
  { max, kept, sender }: { max: number; kept: number; sender: Sender },
): Promise<Uint8Array> {
  requireLength(request, max)
  const announced = Number(request.headers.get('content-length') ?? Infinity)
  let refuse!: (reason: AppError) => void
  const refused = new Promise<never>((_, reject) => (refuse = reject))
  const upload = uploads.begin({
    address,
    sender,
    setTimeout: (seconds) => server?.timeout(request, seconds),
    refuse: (reason) => refuse(reason),
  })
  try {
    // Bun joins repeated Content-Length headers ("5, 5"), which is no number.
    if (!(announced <= WHOLE_BYTES)) return await readPieces(request, { max, kept, upload, refused })
    upload.add(announced)
    return await Promise.race([request.bytes(), refused])
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('REQUEST_TIMEOUT', 'The connection ended before the body did.', { cause: error })
  } finally {
    upload.end()
  }
}

/**
 * Largest announced body that is read in one piece, without seeing its progress: it must arrive within the time after
 * which a body counts as stalled. Reading all bodies in pieces cost a third of the rate of `contacts/get`.
 */
const WHOLE_BYTES = 64 * 1024

/** Reads a body piece by piece to its end, and counts what it keeps towards the budgets of `upload`. */
async function readPieces(
  request: Request,
  { max, kept, upload, refused }: { max: number; kept: number; upload: Upload; refused: Promise<never> },
): Promise<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  const stop = (): void => void reader.cancel().catch(() => undefined)
  // A race of each piece with `refused` would keep all pieces in memory until the upload ends.
  let refusal: unknown = null
  refused.catch((reason: unknown) => {
    refusal = reason
    stop()
  })
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (refusal !== null) throw refusal
      if (done) break
      const isKept = bytes < kept
      bytes += value.byteLength
      if (bytes > max) throw tooLarge(max)
      upload.add(isKept ? value.byteLength : 0)
      if (isKept) pieces.push(value)
      else free(value)
    }
    return Buffer.concat(pieces, Math.min(bytes, kept))
  } catch (error) {
    stop()
    throw error
  } finally {
    pieces.forEach(free)
  }
}

/** Frees memory now instead of at the next garbage collection: many large bodies may arrive at once. */
export function free(piece: Uint8Array): void {
  if (piece.buffer instanceof ArrayBuffer) piece.buffer.transfer(0)
}

/** Throws PAYLOAD_TOO_LARGE when the announced length is above `max` bytes. */
export function requireLength(request: Request, max: number): void {
  if (Number(request.headers.get('content-length') ?? 0) > max) throw tooLarge(max)
}

export function requireJson(request: Request): void {
  if (!isJson(request)) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
}

export function isJson(request: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
}

/** Largest number of fields in a form; a form that a person fills in has far fewer. */
export const MAX_FIELDS = 1000

/** The fields of a form (urlencoded), at most MAX_FIELDS. Of a repeated name the last value counts. */
export async function readForm(sending: Sending): Promise<Record<string, string>> {
  const fields = new URLSearchParams(await readText(sending, 64 * 1024))
  if (fields.size > MAX_FIELDS) throw invalid('', `A form has at most ${MAX_FIELDS} fields.`)
  return Object.fromEntries(fields)
}

function tooLarge(max: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${max} bytes.`)
}
