import { AppError, invalid } from '../../errors.ts'

/** The body as text. PAYLOAD_TOO_LARGE above `max` bytes, whether its length is announced or not. */
export async function readText(request: Request, max: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, max))
}

/** As `readText`, the bytes as they came: signatures are made over bytes, and decoding may change them. */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (Number(announced) > max) throw tooLarge(max)
    return request.bytes()
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > max) throw tooLarge(max)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function requireJson(request: Request): void {
  if (!isJson(request)) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
}

export function isJson(request: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
}

/** Parses a JSON body. Bytes must be valid UTF-8 (RFC 8259, 8.1), because others could not be stored unchanged. */
export function parseJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new AppError('INVALID_JSON', 'The body is not valid JSON in UTF-8.')
  }
}

/** The most fields of a form; a form for people has far fewer. */
export const MAX_FIELDS = 1000

/** The fields of a form (urlencoded), at most MAX_FIELDS. A repeated name has an array of values. */
export async function readForm(request: Request, max = 64 * 1024): Promise<Record<string, string | string[]>> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  let count = 0
  for (const [name, value] of new URLSearchParams(await readText(request, max))) {
    if (++count > MAX_FIELDS) throw invalid('', `A form has at most ${MAX_FIELDS} fields.`)
    const before = fields[name]
    if (before === undefined) fields[name] = value
    else if (Array.isArray(before)) before.push(value)
    else fields[name] = [before, value]
  }
  return fields
}

function tooLarge(max: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${max} bytes.`)
}
