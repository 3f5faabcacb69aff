import { expect, test } from 'bun:test'
import { rewriteGif } from '../../src/files/gif.ts'
import { noisyGif } from '../support/pictures.ts'

const NOTE = '<script>alert(1)</script>'

test('A GIF keeps its frames, their timing and its repeats, and loses everything else.', () => {
  const given = noisyGif(NOTE)
  const { width, height, bytes } = rewriteGif(given)!
  const text = Buffer.from(bytes).toString('latin1')
  expect([width, height, text.includes('script'), text.includes('XMP')]).toEqual([1, 1, false, false])
  expect(text.split('\x21\xf9\x04').length - 1).toBe(2)
  expect(text).toContain('NETSCAPE2.0\x03\x01')
  expect(text.endsWith(';')).toBe(true)
  expect(Buffer.from(rewriteGif(bytes)!.bytes)).toEqual(Buffer.from(bytes))
})

test('A GIF that breaks off anywhere, or has no frame, is none.', () => {
  const whole = rewriteGif(noisyGif(''))!.bytes
  for (let length = 0; length < whole.length; length++)
    expect([length, rewriteGif(whole.subarray(0, length))]).toEqual([length, null])
  const head = whole.subarray(0, 19)
  expect(rewriteGif(Buffer.concat([head, Buffer.from([0x3b])]))).toBeNull()
  expect(rewriteGif(Buffer.concat([head, Buffer.from([0x99])]))).toBeNull()
  expect(rewriteGif(Buffer.from('no picture at all'))).toBeNull()
})

test('A frame lies on the screen of its GIF.', () => {
  const whole = Buffer.from(rewriteGif(noisyGif(''))!.bytes)
  const last = whole.lastIndexOf(0x2c)
  for (const at of [1, 3, 5, 7]) {
    const beyond = Buffer.from(whole)
    beyond.writeUInt16LE(2, last + at)
    expect([at, rewriteGif(beyond)]).toEqual([at, null])
  }
})

test('A GIF has at most 1,000 frames.', () => {
  const whole = Buffer.from(rewriteGif(noisyGif(''))!.bytes)
  const [head, frame] = [whole.subarray(0, 19), whole.subarray(-24, -1)]
  const of = (frames: number) => Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])])
  expect([rewriteGif(of(1000)) !== null, rewriteGif(of(1001))]).toEqual([true, null])
})

test('The first repeats of a GIF count, and later ones are left out.', () => {
  const whole = Buffer.from(rewriteGif(noisyGif(''))!.bytes)
  const frame = whole.subarray(-24, -1)
  const repeats = (times: number) =>
    Buffer.from(`\x21\xff\x0bNETSCAPE2.0\x03\x01${String.fromCharCode(times)}\0\0`, 'latin1')
  const of = (...parts: Buffer[]) => Buffer.concat([whole.subarray(0, 19), ...parts, frame, Buffer.from([0x3b])])
  const rewritten = Buffer.from(rewriteGif(of(repeats(2), repeats(3)))!.bytes)
  expect(rewritten.equals(of(repeats(2)))).toBe(true)
})

test('A control is that of the next frame alone.', () => {
  const whole = Buffer.from(rewriteGif(noisyGif(''))!.bytes)
  const [head, frame] = [whole.subarray(0, 19), whole.subarray(-24, -1)]
  const [control, image] = [frame.subarray(0, 8), frame.subarray(8)]
  const end = Buffer.from([0x3b])
  const plain = Buffer.concat([head, control, image, image, end])
  expect(Buffer.from(rewriteGif(plain)!.bytes).equals(plain)).toBe(true)
  const other = Buffer.from(control)
  other[4] = 77
  const last = Buffer.concat([head, control, other, image, end])
  expect(Buffer.from(rewriteGif(last)!.bytes).equals(Buffer.concat([head, other, image, end]))).toBe(true)
})
