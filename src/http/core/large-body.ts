/** A content coding (RFC 9110, 8.4) that the service makes. */
export type Encoding = 'br' | 'gzip'

/** `strong` takes seconds for a megabyte: it is for the service's own files, which others cannot replace. */
export type Effort = 'strong' | 'fast'

/** Shorter bodies go to the system in one piece, so they hold no memory while a reader is slow. */
export const LARGE_BYTES = 64 * 1024

const sizes = new WeakMap<Response, number>()

/** Notes how many bytes the body of a response has. */
export function sized(response: Response, bytes: number): Response {
  sizes.set(response, bytes)
  return response
}

/** The bytes of a body; undefined where they were not noted, as of a file or a stream. */
export const bytesOf = (response: Response): number | undefined => sizes.get(response)

export interface Coding {
  encoding: Encoding
  effort: Effort
}

/** The body of a response that `delivered` sends: a text in one piece where it is not long, anything else in pieces. */
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

/**
 * Bun 1.4.5 sends a longer body that is ready after the event of its request in some fifty system calls, one for each
 * piece of a header.
 */
const PIECEMEAL_BYTES = 15 * 1024

/** A response with a text. One that is not short is sent by `delivered`. */
export function textResponse(text: string, init: ResponseInit & { headers: Record<string, string> }): Response {
  const bytes = text.length < LARGE_BYTES ? Buffer.byteLength(text) : LARGE_BYTES
  return bytes < PIECEMEAL_BYTES ? sized(new Response(text, init), bytes) : new LargeResponse(text, init)
}

/** Whether a text is sent in one piece: it holds no memory while a reader is slow. */
export function isWhole(content: LargeBody['content']): content is string {
  return typeof content === 'string' && content.length < LARGE_BYTES
}

/** A response with a text of any length that leaves in one system call, whenever it is ready, and tells its length. */
export function wholeResponse(text: string, init: ResponseInit): Response {
  // Bun sends a stream that ends before its mark is reached as one body.
  const body: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull(controller) {
      controller.write(text)
      controller.close()
    },
  }
  // The types of browsers hide the constructor of Bun.
  const stream = new ReadableStream(body as unknown as UnderlyingDefaultSource, { highWaterMark: WHOLE_MARK_BYTES })
  return sized(new Response(stream, init), Buffer.byteLength(text))
}

/** Above the bytes of the longest text that is sent whole. */
const WHOLE_MARK_BYTES = 4 * LARGE_BYTES

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
  return sized(new Response(blob, init), bytes.length)
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
