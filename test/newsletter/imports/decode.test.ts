import { expect, test } from 'bun:test'
import { decodeText, encodingOf } from '../../../src/newsletter/imports/decode.ts'
import { type Encoding, ENCODINGS } from '../../../src/store/tables/imports.ts'

/** Decodes bytes that arrive in pieces of `size`. */
async function decoded(bytes: Uint8Array, size = bytes.length, encoding: Encoding | null = null): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return (await Array.fromAsync(decodeText(pieces(), encoding))).join('')
}

const TEXT = 'name\r\nJürg 🚢\nŽofie'

test.each([1, 2, 3, 7, 100])('UTF-8 in pieces of %d bytes is decoded without a broken character.', async (size) => {
  expect(await decoded(new TextEncoder().encode(TEXT), size)).toBe(TEXT)
})

test.each([1, 2, 3, 7, 100])('UTF-16 with a byte order mark is decoded in pieces of %d bytes.', async (size) => {
  const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(TEXT, 'utf16le')])
  const big = Buffer.from(little).swap16()
  expect(await decoded(little, size)).toBe(TEXT)
  expect(await decoded(big, size)).toBe(TEXT)
})

test('Half of a byte order mark is none.', async () => {
  expect(await decoded(Buffer.from([0x41, 0xfe]))).toBe('Aþ')
  expect(await decoded(Buffer.from([0xff, 0x41]))).toBe('ÿA')
  expect(await decoded(Buffer.from([0x41, 0xff]))).toBe('Aÿ')
  expect(await decoded(Buffer.from([0xfe, 0x41]))).toBe('þA')
})

test('Each line that is not UTF-8 is read as Windows-1252, and the other lines stay UTF-8.', async () => {
  const mixed = Buffer.concat([
    Buffer.from('Jürg\n'),
    Buffer.from([0x4a, 0xfc, 0x72, 0x67, 0x20, 0x80, 0x0a]),
    Buffer.from('Žofie'),
  ])
  for (const size of [1, 5, 100]) expect(await decoded(mixed, size)).toBe('Jürg\nJürg €\nŽofie')
})

test('A byte order mark of UTF-8 stays for the reader of records, and an empty file is an empty text.', async () => {
  expect(await decoded(Buffer.from('\ufeffa;b'))).toBe('\ufeffa;b')
  expect(await decoded(new Uint8Array(0), 1)).toBe('')
})

test('A line without end is cut and not collected.', async () => {
  async function* endless() {
    for (let sent = 0; sent < 3; sent++) yield Buffer.alloc(1024 * 1024, 'a')
  }
  const pieces = await Array.fromAsync(decodeText(endless()))
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces.join('')).toBe('a'.repeat(3 * 1024 * 1024))
})

test('UTF-16 without a byte order mark is known by the NUL beside the first letter.', async () => {
  const little = Buffer.from(TEXT, 'utf16le')
  for (const size of [2, 3, 100]) expect(await decoded(little, size)).toBe(TEXT)
  expect(await decoded(Buffer.from(little).swap16())).toBe(TEXT)
})

test('A file is read by the encoding that somebody chose, whatever it looks like.', async () => {
  const bytes = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a])
  expect(await decoded(bytes, 1, 'shift_jis')).toBe('日本\n')
  expect(await decoded(Buffer.from([0xb1, 0x61]), 1, 'iso-8859-2')).toBe('ąa')
  expect(await decoded(Buffer.from([0x4a, 0xfc, 0x72]), 1, 'utf-8')).toBe('J\ufffdr')
  for (const encoding of ENCODINGS) expect(await decoded(Buffer.from('abcd'), 1, encoding)).toBeString()
})

test.each<[string, number[], 'first' | 'last' | 'middle', string]>([
  ['ASCII', [0x61, 0x62], 'first', 'utf-8'],
  ['a whole character at the end', [0x61, 0xc3, 0xbc], 'first', 'utf-8'],
  ['half a character at the end', [0x61, 0xe2, 0x82], 'first', 'utf-8'],
  ['half a character at the start of a later part', [0x82, 0xac, 0x61], 'middle', 'utf-8'],
  ['a byte of Windows-1252', [0x4a, 0xfc, 0x72, 0x67], 'first', 'windows-1252'],
  ['a byte of Windows-1252 at the end of the file', [0x52, 0xe9], 'last', 'windows-1252'],
  ['a byte order mark', [0xff, 0xfe, 0x61, 0x00], 'first', 'utf-16le'],
  ['a NUL first', [0x00, 0x61], 'first', 'utf-16be'],
  ['nothing', [], 'first', 'utf-8'],
])('The encoding of %s is found.', (_, bytes, part, encoding) => {
  const ends = { isFirst: part === 'first', isLast: part === 'last' }
  expect(encodingOf(new Uint8Array(bytes), ends)).toBe(encoding as never)
})
