import { availableParallelism } from 'node:os'
import { AppError, invalid } from '../errors.ts'
import type { PictureType } from '../store/tables/files.ts'
import { sharedTurns } from '../turns.ts'
import { rewriteGif } from './gif.ts'

/** Pictures as people upload them, decoded and encoded anew (docs/api/files.md#what-becomes-of-a-picture). */

export interface Picture {
  type: PictureType
  width: number
  height: number
  bytes: Uint8Array<ArrayBuffer>
}

export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024
/** The largest result. It is stored as one value, which a libSQL server takes up to this size. */
const MAX_RESULT_BYTES = 4_900_000
const MAX_PIXELS = 40_000_000
/** Decoding a row takes up to five times the memory of its pixels. */
const MAX_SIDE = 20_000
/** Letters and pages show no more. */
const [MAX_WIDTH, MAX_HEIGHT] = [2000, 10_000]
/** A progressive JPEG has about ten scans. Each takes the time of all pixels, however few bytes it has. */
const MAX_SCANS = 200
const QUALITY = 85
const LONGEST_MS = 10_000

type Decoded = 'png' | 'jpeg' | 'webp'
const DECODED: ReadonlySet<string> = new Set<Decoded>(['png', 'jpeg', 'webp'])

/**
 * Decodes a picture and encodes it anew, at most 2,000 pixels wide. What is no part of the picture is gone: EXIF,
 * comments, and bytes before and after it. Runs outside of this thread.
 * Throws UNSUPPORTED_MEDIA_TYPE for anything but PNG, JPEG, GIF and WebP, VALIDATION_FAILED for a picture that is
 * damaged or too large, TOO_MANY_UPLOADS while too many wait, of everybody or of this user.
 */
export async function readPicture(file: Uint8Array, user_id: string): Promise<Picture> {
  const picture = await inTurn(user_id, () => reencode(file))
  if (picture.bytes.length > MAX_RESULT_BYTES)
    throw invalid('/file', 'The picture is too large. Save a photograph as JPEG, or make it smaller.')
  return picture
}

async function reencode(file: Uint8Array): Promise<Picture> {
  const { format, width, height } = await readable(new Bun.Image(file, { maxPixels: MAX_PIXELS }).metadata())
  if (format === 'gif') return rewritten(file)
  if (!DECODED.has(format)) throw unsupported()
  if (width > MAX_SIDE || height > MAX_SIDE) throw invalid('/file', `A side has at most ${MAX_SIDE} pixels.`)
  if (format === 'jpeg' && scansOf(file) > MAX_SCANS)
    throw invalid('/file', `A JPEG has at most ${MAX_SCANS} scans. Save the picture again.`)
  const image = new Bun.Image(file, { maxPixels: MAX_PIXELS }).resize(MAX_WIDTH, MAX_HEIGHT, {
    fit: 'inside',
    withoutEnlargement: true,
  })
  const encoded = {
    png: () => image.png(),
    jpeg: () => image.jpeg({ quality: QUALITY }),
    webp: () => image.webp({ quality: QUALITY }),
  }
  const bytes = await readable(encoded[format as Decoded]().bytes())
  return { type: `image/${format as Decoded}`, width: image.width, height: image.height, bytes: new Uint8Array(bytes) }
}

/** At least as many as a JPEG has: other segments may hold the bytes of the marker SOS (ITU T.81, B.1.1.3), too. */
function scansOf(jpeg: Uint8Array): number {
  const file = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  let scans = 0
  for (let at = file.indexOf(START_OF_SCAN); at !== -1; at = file.indexOf(START_OF_SCAN, at + 2)) scans++
  return scans
}

const START_OF_SCAN = Buffer.of(0xff, 0xda)

/** A GIF keeps its frames, so it cannot be scaled. Its first frame must be readable. */
async function rewritten(file: Uint8Array): Promise<Picture> {
  const gif = rewriteGif(file)
  if (!gif) throw unreadable()
  if (gif.width > MAX_WIDTH || gif.height > MAX_HEIGHT)
    throw invalid('/file', `A GIF has at most ${MAX_WIDTH} by ${MAX_HEIGHT} pixels, because it cannot be scaled.`)
  await readable(new Bun.Image(gif.bytes, { maxPixels: MAX_PIXELS }).png().bytes())
  return { type: 'image/gif', ...gif }
}

async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ERR_IMAGE_UNKNOWN_FORMAT' || code === 'ERR_IMAGE_FORMAT_UNSUPPORTED') throw unsupported(error)
    if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') throw invalid('/file', `A picture has at most ${MAX_PIXELS} pixels.`)
    if (typeof code === 'string' && code.startsWith('ERR_IMAGE')) throw unreadable(error)
    throw error
  }
}

function unsupported(cause?: unknown): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', 'A picture is a PNG, JPEG, GIF or WebP file. SVG can hold scripts.', {
    cause,
  })
}

function unreadable(cause?: unknown): AppError {
  const message = 'The picture cannot be read. It may be damaged, or an animated WebP.'
  return new AppError('VALIDATION_FAILED', message, { cause })
}

/** Pictures that a process decodes at once. Each takes up to four bytes a pixel, and a processor of those there are. */
export const AT_ONCE = availableParallelism() > 2 ? 2 : 1
/** The last one waits for seconds: a connection that is silent for longer is cut. */
const MAX_WAITING = 20
/** Of one user, who would hold up everybody else. */
const MAX_WAITING_OF_USER = 5
const turns = sharedTurns({
  name: 'pictures',
  at_once: AT_ONCE,
  max_waiting: MAX_WAITING,
  max_waiting_of_owner: MAX_WAITING_OF_USER,
})

/** Runs `work` when it is its turn. Work that takes too long keeps its turn, and its caller is refused. */
function inTurn<T>(user_id: string, work: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const limited = async (): Promise<void> => {
    const tooLong = () => reject(invalid('/file', 'The picture takes too long to read.'))
    const timer = setTimeout(tooLong, LONGEST_MS)
    try {
      resolve(await work())
    } finally {
      clearTimeout(timer)
    }
  }
  turns.take(limited, tooMany, user_id).catch(reject)
  return promise
}

function tooMany(): AppError {
  return new AppError('TOO_MANY_UPLOADS', 'Too many pictures are being read. Try again.', {
    headers: { 'Retry-After': '5' },
  })
}
