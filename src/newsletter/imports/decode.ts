import { isUtf8 } from 'node:buffer'

/**
 * Decodes a file of unknown encoding in pieces: UTF-8, UTF-16 with a byte order mark, or Windows-1252 from old
 * spreadsheets. Some files mix UTF-8 and Windows-1252, so each line that is not UTF-8 is read as Windows-1252.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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

function utf16Decoder(start: Uint8Array): TextDecoder | null {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le')
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be')
  return null
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
