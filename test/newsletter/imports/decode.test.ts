import { expect, test } from 'bun:test'
import { decodeText } from '../../../src/newsletter/imports/decode.ts'

/** Decodes bytes that arrive in pieces of `size`. */
async function decoded(bytes: Uint8Array, size = bytes.length): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return (await Array.fromAsync(decodeText(pieces()))).join('')
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
