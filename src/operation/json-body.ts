import { canonicalJson } from '../canonical-json.ts'
import { AppError, invalid } from '../errors.ts'
import { sha256 } from '../secrets.ts'
import { sharedCopy, TaskTimeout } from '../threads/heavy.ts'
import type { HeavyTask, Store } from '../store/open.ts'

/** A parsed JSON body. */
export interface JsonBody {
  value: unknown
  /** Its `bodyHash`, where the thread that parsed it has made it. */
  hash?: string
}

/** Bytes that are parsed on the thread that answers. The slowest known body of this length takes 15 ms of CPU. */
export const SMALL_BYTES = 256 * 1024
/** Values of a larger body. Copying more of them between threads takes as long as parsing them. */
const MAX_VALUES = 100_000
const TIMEOUT_MS = 5000

/**
 * Parses a JSON body: a small one at once, a larger one on another thread, together with its hash.
 * Throws INVALID_JSON, and VALIDATION_FAILED for a large body of too many values (docs/api/conventions.md#size-limits).
 */
export async function parseBody(store: Pick<Store, 'heavyTask'>, bytes: Uint8Array): Promise<JsonBody> {
  if (bytes.length <= SMALL_BYTES) return { value: parseJson(bytes) }
  try {
    const parsed = await store.heavyTask(parseTask, await sharedCopy(bytes))
    if (parsed === 'invalid') throw invalidJson()
    if (parsed === 'too_many')
      throw invalid('', `A body of more than ${SMALL_BYTES} bytes has at most ${MAX_VALUES} values.`)
    return parsed
  } catch (error) {
    if (error instanceof TaskTimeout) throw invalid('', 'This body takes too long to read.')
    throw error
  }
}

/** Parses JSON. Bytes must be valid UTF-8 (RFC 8259, 8.1), because others could not be stored unchanged. */
export function parseJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalidJson()
  }
}

function invalidJson(): AppError {
  return new AppError('INVALID_JSON', 'The body is not valid JSON in UTF-8.')
}

/** The hash of a request, independent of the order of keys, without its project and idempotency key. */
export function bodyHash(body: object): string {
  return sha256(canonicalJson({ ...body, idempotency_key: undefined, project_id: undefined }))
}

export const parseTask: HeavyTask<Uint8Array, JsonBody | 'invalid' | 'too_many'> = {
  name: 'parse_body',
  timeout_ms: TIMEOUT_MS,
  async run(_, bytes) {
    if (hasTooMany(bytes)) return 'too_many'
    try {
      const value = parseJson(bytes)
      // Requests are objects.
      return value !== null && typeof value === 'object' && !Array.isArray(value)
        ? { value, hash: bodyHash(value) }
        : { value }
    } catch {
      return 'invalid'
    }
  },
}

const [QUOTE, COMMA, BACKSLASH, BRACKET, BRACE] = [...Buffer.from('",\\[{')]

/** Whether JSON has more than MAX_VALUES values: each but the first follows a comma or an opening bracket. */
function hasTooMany(bytes: Uint8Array): boolean {
  let values = 1
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++values > MAX_VALUES) return true
  }
  return false
}
