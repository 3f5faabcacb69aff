import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { shareOf } from '../../share.ts'
import { sharedTurns } from '../../turns.ts'
import {
  type Coding,
  compressLarge,
  type Effort,
  type Encoding,
  isWhole,
  LARGE_BYTES,
  LargeResponse,
  sized,
} from './large-body.ts'

/** The content codings that the service offers, in order of preference. */
export const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

const MIB = 1024 * 1024

/** Shorter bodies gain nothing. */
const LEAST_BYTES = 1024
/** Media types of text. Pictures and fonts are compressed already; `text/csv` is the export, which is streamed. */
const TEXT = /^(?:application\/(?:json|xml|atom\+xml)|image\/svg\+xml|text\/(?:css|html|javascript|plain))(?:;|$)/

const gzipped = promisify(gzip)
const brotli = promisify(brotliCompress)

const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { strong: 11, fast: 5 }
const GZIP_LEVEL = { strong: 9, fast: 5 } as const satisfies Record<Effort, number>

/**
 * Shorter bodies are compressed with gzip on the thread that answers: 58 µs for 20 kB of contacts, where handing them
 * to another thread takes longer by itself (`contacts/list` takes 17 % less CPU time). None of them waits in memory.
 */
const ZIPPED_AT_ONCE_BYTES = LARGE_BYTES

/** More at once take no less time in all, and each holds a window and a part of its result. */
const compressing = sharedTurns({ name: 'compressing', at_once: Math.min(4, availableParallelism()) })

/** While so many bytes wait for their compression, further large bodies are sent as they are. Threads share them. */
const WAITING_BYTES = 8 * MIB
let waiting_bytes = 0

/** Compresses a body when it is its turn. */
async function compressInTurn(bytes: number, compress: () => Promise<Uint8Array<ArrayBuffer>>) {
  waiting_bytes += bytes
  try {
    return await compressing.take(compress)
  } finally {
    waiting_bytes -= bytes
  }
}

/**
 * Whether a body of a route may be compressed for its request. Beyond some MiB nobody waits for the compression of what
 * others asked for, and the memory holds no more of it.
 * @param body bytes whose compressed form may be there already, or a text
 */
export function hasRoomToCompress(body: Uint8Array | string, encoding: Encoding): boolean {
  return waiting_bytes < shareOf(WAITING_BYTES) || (typeof body !== 'string' && made.get(body)?.has(encoding) === true)
}

/** Both run on other threads, except for short bodies. */
const COMPRESSED: Readonly<Record<Encoding, (body: Uint8Array, effort: Effort) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: (body, effort) =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: async (body, effort) =>
    body.length < ZIPPED_AT_ONCE_BYTES
      ? Bun.gzipSync(body as Uint8Array<ArrayBuffer>, { level: GZIP_LEVEL[effort], library: 'libdeflate' })
      : gzipped(body, { level: GZIP_LEVEL[effort], chunkSize: chunkOf(body) }),
}

/** The form is made in chunks and copied into one. The default of 16 KiB leaves twice as much garbage. */
function chunkOf(body: Uint8Array): number {
  return Math.min(MIB, body.length >> 2)
}

function isCompressible(type: string | null): boolean {
  return type !== null && TEXT.test(type)
}

/**
 * The coding of a response, by `Accept-Encoding` (RFC 9110, 12.5.3): the offered one with the highest weight, the
 * first of those with equal weight. Null for none, also where `identity` has a higher weight.
 */
export function chooseEncoding(accept: string | null, offered: readonly Encoding[]): Encoding | null {
  if (accept === null) return null
  const weights = readWeights(accept)
  let chosen: Encoding | null = null
  let most = weights.get('identity') ?? 0
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > most || (weight === most && weight > 0 && chosen === null)) {
      chosen = encoding
      most = weight
    }
  }
  return chosen
}

/** The weight of each named coding. An element with an ill-formed weight is ignored. */
function readWeights(accept: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const element of accept.toLowerCase().split(',')) {
    const [, name, q = '1'] = /^\s*([^\s;]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/.exec(element) ?? []
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(q))
  }
  return weights
}

/**
 * Compressed forms by the array of the plain bytes. Files, caches and rows hold that array, and the forms are collected
 * together with it.
 */
const made = new WeakMap<Uint8Array, Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>>()

/** The compressed form of a body that does not change. It is made once for each coding. */
export function encodedOnce(
  body: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
  effort: Effort,
): Promise<Uint8Array<ArrayBuffer>> {
  const forms = made.get(body) ?? new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>()
  made.set(body, forms)
  const form = forms.get(encoding) ?? inTurn(body, encoding, effort)
  forms.set(encoding, form)
  return form
}

/** The compressed form of a body that belongs to one answer. */
export function encodedAlone(body: Uint8Array, { encoding, effort }: Coding): Promise<Uint8Array<ArrayBuffer>> {
  return compressInTurn(body.length, () => COMPRESSED[encoding](body, effort))
}

/** The service's own files are few, and take too long to let others wait. */
function inTurn(body: Uint8Array, encoding: Encoding, effort: Effort): Promise<Uint8Array<ArrayBuffer>> {
  const compress = () => COMPRESSED[encoding](body, effort)
  return effort === 'strong' || body.length < ZIPPED_AT_ONCE_BYTES ? compress() : compressInTurn(body.length, compress)
}

/** Whether compressed forms of a body are offered. */
export function isWorthEncoding(body: Uint8Array, type: string): boolean {
  return body.length >= LEAST_BYTES && isCompressible(type)
}

/** The tag of a compressed form. A strong tag names one sequence of bytes (RFC 9110, 8.8.3.3). */
export function encodedTag(tag: string, encoding: Encoding | null): string {
  return encoding === null ? tag : tag.replace(/"$/, `-${encoding}"`)
}

/**
 * Whether `If-None-Match` names a tag, in any of its forms. The comparison is weak (RFC 9110, 13.1.2).
 * @param tag the strong tag of the plain form
 */
export function namesTag(if_none_match: string | null, tag: string): boolean {
  if (if_none_match === null) return false
  if (if_none_match.trim() === '*') return true
  const forms = new Set([tag, ...ENCODINGS.map((encoding) => encodedTag(tag, encoding))])
  return if_none_match.split(',').some((given) => forms.has(given.trim().replace(/^W\//, '')))
}

/**
 * Compresses a response that is made for one request, where the client accepts gzip. Streams, parts of a body, bodies
 * that are compressed already and short ones stay as they are. The ETag becomes weak, because it names the plain form.
 */
export function compressed(request: Request, response: Response): Response | Promise<Response> {
  const accept = request.headers.get('accept-encoding')
  const { headers } = response
  // A response that no cache stores needs no Vary while it is plain.
  if (accept === null && headers.get('cache-control') === 'no-store') return response
  if (response.status === 206 || headers.has('content-encoding') || headers.get('vary')?.includes('Accept-Encoding'))
    return response
  if (!isCompressible(headers.get('content-type'))) return response
  const isLarge = response instanceof LargeResponse
  const hasBody = isLarge || response.body !== null
  if (isZippedFor(request)) {
    if (!isLarge) return hasBody ? response.bytes().then((body) => zipped(response, body)) : response
    if (isWhole(response.large.content)) return zipped(response, new TextEncoder().encode(response.large.content))
    if (!hasRoomToCompress(response.large.content, 'gzip')) {
      headers.append('Vary', 'Accept-Encoding')
      return response
    }
    sayZipped(headers)
    return compressLarge(response, { encoding: 'gzip', effort: 'fast' })
  }
  // A 304 has the Vary that the 200 would have (RFC 9110, 15.4.5).
  if (hasBody || response.status === 304) headers.append('Vary', 'Accept-Encoding')
  return response
}

/** Whether a response that is made for this request is compressed with gzip. */
function isZippedFor(request: Request): boolean {
  return chooseEncoding(request.headers.get('accept-encoding'), ['gzip']) !== null && !isLedByOthers(request)
}

/**
 * Whether another site sent a browser with a cookie here. It may have chosen a part of the page, such as the `state` on
 * the consent page; the length of the compressed page would then tell what else it shows of the user (BREACH).
 */
function isLedByOthers({ headers }: Request): boolean {
  return headers.has('cookie') && ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
}

async function zipped(response: Response, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const { status, headers } = response
  if (body.length < LEAST_BYTES) return sized(new Response(body, { status, headers }), body.length)
  sayZipped(headers)
  const coded = await inTurn(body, 'gzip', 'fast')
  return sized(new Response(coded, { status, headers }), coded.length)
}

function sayZipped(headers: Headers): void {
  weaken(headers)
  headers.append('Vary', 'Accept-Encoding')
  headers.set('Content-Encoding', 'gzip')
}

function weaken(headers: Headers): void {
  const tag = headers.get('etag')
  if (tag?.startsWith('"')) headers.set('ETag', `W/${tag}`)
}
