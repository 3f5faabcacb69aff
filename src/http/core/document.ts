import {
  chooseEncoding,
  encodedOnce,
  encodedTag,
  ENCODINGS,
  hasRoomToCompress,
  isWorthEncoding,
  namesTag,
} from './encoding.ts'
import { bytesResponse, codedResponse, type Effort, sharedResponse } from './large-body.ts'

/** A body that does not change, and the hash of its content. */
export interface Content {
  bytes: Uint8Array<ArrayBuffer>
  /** The status; 200 unless said otherwise. Another one is never 304. */
  status?: number
  /** Compressed by Brotli, where that was made before. */
  br?: Uint8Array<ArrayBuffer> | undefined
  version: string
  /** How well it is compressed; `strong` for files of the service itself, which stay in memory. */
  effort?: Effort
}

/** A response with an ETag, compressed as the client asks; 304 without a body when `If-None-Match` names the tag. */
export async function cacheable(
  request: Request,
  { bytes, br, version, status = 200, effort = 'strong' }: Content,
  given: Record<string, string> & { 'Content-Type': string },
): Promise<Response> {
  const isEncodable = isWorthEncoding(bytes, given['Content-Type'])
  const chosen = isEncodable ? chooseEncoding(request.headers.get('accept-encoding'), ENCODINGS) : null
  const isOwn = effort === 'strong'
  const encoding = chosen !== null && (isOwn || hasRoomToCompress(bytes, chosen)) ? chosen : null
  const tag = `"${version}"`
  const headers = {
    ...given,
    ETag: encodedTag(tag, encoding),
    ...(isEncodable && { Vary: given.Vary ? `${given.Vary}, Accept-Encoding` : 'Accept-Encoding' }),
  }
  if (status === 200 && namesTag(request.headers.get('if-none-match'), tag))
    return new Response(null, { status: 304, headers })
  if (encoding === null)
    return isOwn ? sharedResponse(bytes, { status, headers }) : bytesResponse(bytes, { status, headers })
  const coded = { status, headers: { ...headers, 'Content-Encoding': encoding } }
  if (!isOwn) return codedResponse(bytes, { encoding, effort }, coded)
  return sharedResponse(encoding === 'br' && br ? br : await encodedOnce(bytes, encoding, effort), coded)
}

/** A text that is made while the process runs. */
export function contentOf(text: string): Content {
  return { bytes: new TextEncoder().encode(text), version: Bun.hash(text).toString(36) }
}

/** Serves a public JSON document. It is made with the first request and does not change after that. */
export function publicDocument(make: (base_url: string) => unknown) {
  let made: Content | undefined
  return ({ request, base_url }: { request: Request; base_url: string }): Promise<Response> => {
    made ??= contentOf(JSON.stringify(make(base_url)))
    return cacheable(request, made, {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
    })
  }
}
