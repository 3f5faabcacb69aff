/** A content coding (RFC 9110, 8.4) that the service makes. */
export type Encoding = 'br' | 'gzip'

/** `strong` takes seconds for a megabyte: it is for the service's own files, which others cannot replace. */
export type Effort = 'strong' | 'fast'

/** Shorter bodies go to the system in one piece, so they hold no memory while a reader is slow. */
export const LARGE_BYTES = 64 * 1024

export interface Coding {
  encoding: Encoding
  effort: Effort
}

/** The body of a response that is sent in pieces (`delivery.ts`). */
interface LargeBody {
  /** Bytes that several answers may share, or a text that is encoded when it is sent. */
  content: Uint8Array<ArrayBuffer> | string
  /** How it is compressed before it is sent; null for a content that stays as it is. */
  coding: Coding | null
  /** Whether the same request may be sent again, so that it may be refused when its answer is ready. */
  repeatable: boolean
}

/** A response without a body of its own, which `delivered` gives it. */
export class LargeResponse extends Response {
  large: LargeBody

  constructor(content: LargeBody['content'], init: ResponseInit) {
    super(null, init)
    this.large = { content, coding: null, repeatable: false }
  }
}

/** A response with a text. A long one becomes a large body. */
export function textResponse(text: string, init: ResponseInit & { headers: Record<string, string> }): Response {
  return text.length < LARGE_BYTES ? new Response(text, init) : new LargeResponse(text, init)
}

/** A response with bytes that other responses may have as well. */
export function bytesResponse(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  return bytes.length < LARGE_BYTES ? sharedResponse(bytes, init) : new LargeResponse(bytes, init)
}

/**
 * Blobs by the array of their bytes, because files, caches and rows hold arrays. A Blob is collected together with its
 * array.
 */
const blobs = new WeakMap<Uint8Array, Blob>()

/** A response with bytes that stay in memory anyway. A Blob is shared, where each response would copy an array. */
export function sharedResponse(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  const blob = blobs.get(bytes) ?? new Blob([bytes])
  blobs.set(bytes, blob)
  return new Response(blob, init)
}

/** A response whose content is compressed when it is sent, whatever its size. */
export function codedResponse(content: Uint8Array<ArrayBuffer>, coding: Coding, init: ResponseInit): Response {
  return compressLarge(new LargeResponse(content, init), coding)
}

/** Says that the request of a response may be sent again. */
export function repeatable(response: Response): Response {
  if (response instanceof LargeResponse) response.large.repeatable = true
  return response
}

/** Has the body of a response compressed when it is sent. Its headers say so already. */
export function compressLarge(response: LargeResponse, coding: Coding): Response {
  response.large.coding = coding
  return response
}
