import { isUtf8 } from 'node:buffer'
import type { Encoding } from '../../store/tables/imports.ts'

/**
 * Decodes a file in pieces, by the given encoding. Without one it is UTF-8, UTF-16, or Windows-1252 from old
 * spreadsheets. Some files mix UTF-8 and Windows-1252, so each line that is not UTF-8 is read as Windows-1252.
 */
export function decodeText(bytes: AsyncIterable<Uint8Array>, encoding: Encoding | null = null): AsyncGenerator<string> {
  return encoding === null ? decodeUnknown(bytes) : decodeAs(bytes, encoding)
}

async function* decodeAs(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function* decodeUnknown(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let utf16: TextDecoder | null | undefined
  let waiting = new Uint8Array(0)
  for await (const chunk of bytes) {
    const block = waiting.byteLength === 0 ? chunk : Buffer.concat([waiting, chunk])
    if (utf16 === undefined && block.byteLength >= 2) utf16 = utf16Decoder(block)
    if (utf16) {
      yield utf16.decode(block, { stream: true })
      waiting = new Uint8Array(0)
      continue
    }
    const cut = block.lastIndexOf(NEWLINE) + 1
    // A line that never ends is cut anywhere; a character at the cut may be read as two.
    const end = cut === 0 && block.byteLength > LONGEST_LINE ? block.byteLength : cut
    if (end > 0) yield decodeLines(block.subarray(0, end))
    waiting = block.slice(end)
  }
  if (utf16) yield utf16.decode()
  else yield decodeLines(waiting)
}

const NEWLINE = 10
const LONGEST_LINE = 1024 * 1024

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const western = new TextDecoder('windows-1252')

/** Whether a part is the first and the last of its file: others may begin and end within a character. */
interface PartEnds {
  isFirst: boolean
  isLast: boolean
}

/** The encoding by which most of a part of a file is read where nobody chose one. */
export function encodingOf(bytes: Uint8Array, ends: PartEnds): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  const utf16 = ends.isFirst ? utf16Of(bytes) : null
  return utf16 ?? (isUtf8(wholeCharacters(bytes, ends)) ? 'utf-8' : 'windows-1252')
}

/** A text has no NUL, so one among the first two bytes is half of a character of UTF-16 without a byte order mark. */
function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : null
}

function utf16Decoder(start: Uint8Array): TextDecoder | null {
  const encoding = utf16Of(start)
  return encoding && new TextDecoder(encoding)
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** The bytes without what may be parts of characters of UTF-8 at both ends. */
function wholeCharacters(bytes: Uint8Array, { isFirst, isLast }: PartEnds): Uint8Array {
  let from = 0
  while (!isFirst && from < 3 && isContinuation(bytes[from])) from++
  if (isLast) return bytes.subarray(from)
  let end = bytes.byteLength
  while (end > from && bytes.byteLength - end < 3 && isContinuation(bytes[end - 1])) end--
  // The first byte of a character says how long it is; a whole one at the end stays.
  const length = lengthOf(bytes[end - 1])
  const isWhole = bytes.byteLength - end + 1 >= length
  return bytes.subarray(from, isWhole ? bytes.byteLength : end - 1)
}

/** The length of the character of UTF-8 that begins with this byte. */
function lengthOf(first: number | undefined): number {
  if (first === undefined || first < 0xc0 || first > 0xf4) return 1
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

function decodeLines(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return utf8.decode(bytes)
  const lines: string[] = []
  for (let at = 0; at < bytes.byteLength;) {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = newline === -1 ? bytes.byteLength : newline + 1
    const line = bytes.subarray(at, end)
    lines.push((isUtf8(line) ? utf8 : western).decode(line))
    at = end
  }
  return lines.join('')
}
