/** A content coding (RFC 9110, 8.4) that the service makes. */
export type Encoding = 'br' | 'gzip'

/** `strong` takes seconds for a megabyte: it is for the service's own files, which others cannot replace. */
export type Effort = 'strong' | 'fast'

/** Shorter bodies go to the system in one piece, so they hold no memory while a reader is slow. */
export const LARGE_BYTES = 64 * 1024

interface Coding {
  encoding: Encoding
  effort: Effort
}

/** The body of a response that is sent in pieces (`delivery.ts`). The response itself has none. */
export interface LargeBody {
  /** Bytes that several answers may share, or a text that is encoded when it is sent. */
  content: Uint8Array<ArrayBuffer> | string
  /** How it is compressed before it is sent; null for a content that stays as it is. */
  coding: Coding | null
  /** Whether the same request may be sent again, so that it may be refused when its answer is ready. */
  repeatable: boolean
}

/** A map, because a Response is the type that handlers and the router pass on, and it has no room for this. */
const bodies = new WeakMap<Response, LargeBody>()

/** The large body of a response, or undefined for one that carries its body itself. */
export function largeBodyOf(response: Response): LargeBody | undefined {
  return bodies.get(response)
}

/** A response with a text. A long one becomes a large body. */
export function textResponse(text: string, init: ResponseInit & { headers: Record<string, string> }): Response {
  return text.length < LARGE_BYTES ? new Response(text, init) : largeResponse(text, init)
}

/** A response with bytes that other responses may have as well. */
export function bytesResponse(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  return bytes.length < LARGE_BYTES ? sharedResponse(bytes, init) : largeResponse(bytes, init)
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
  return compressLarge(largeResponse(content, init), coding)
}

/** Says that the request of a response may be sent again. */
export function repeatable(response: Response): Response {
  const body = bodies.get(response)
  if (body) body.repeatable = true
  return response
}

/** Has the body of a response compressed when it is sent. Its headers say so already. */
export function compressLarge(response: Response, coding: Coding): Response {
  bodies.get(response)!.coding = coding
  return response
}

function largeResponse(content: LargeBody['content'], init: ResponseInit): Response {
  const response = new Response(null, init)
  bodies.set(response, { content, coding: null, repeatable: false })
  return response
}
