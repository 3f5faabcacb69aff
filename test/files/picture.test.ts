import { expect, test } from 'bun:test'
import { AT_ONCE, readPicture } from '../../src/files/picture.ts'
import type { AppError } from '../../src/errors.ts'
import { noisyGif, png } from '../support/pictures.ts'

const refusal = (file: Uint8Array, user_id = 'usr_ada') =>
  readPicture(file, user_id).then(
    () => null,
    ({ code, message, details }: AppError) => [
      code,
      (details as { message: string }[] | undefined)?.[0]?.message ?? message,
    ],
  )

test('Few pictures are read at once, twenty wait, and more are refused until there is room.', async () => {
  for (let round = 0; round < 2; round++) {
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => refusal(png(2, 2), `usr_${n % 9}`)))
    expect(all.map((one) => one?.[0] ?? 'read')).toEqual([
      ...Array<string>(20 + AT_ONCE).fill('read'),
      ...Array<string>(10 - AT_ONCE).fill('TOO_MANY_UPLOADS'),
    ])
  }
})

test('Five pictures of one user wait, so that everybody has a turn.', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => refusal(png(2, 2))))
  expect(all.filter((one) => one === null)).toHaveLength(5 + AT_ONCE)
})

test('A picture whose result is too large to store is refused.', async () => {
  let seed = 1
  const next = () => ((seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16) & 255
  const noise = png(1300, 1300, { color: () => [next(), next(), next()] })
  expect(await refusal(noise)).toEqual([
    ...['VALIDATION_FAILED', 'The picture is too large. Save a photograph as JPEG, or make it smaller.'],
  ])
})

test('A GIF whose first frame cannot be drawn is refused.', async () => {
  const gif = noisyGif('')
  // Without the flag of a color table, and without the table.
  gif[10] = 0
  const colorless = Buffer.concat([gif.subarray(0, 13), gif.subarray(19)])
  expect(await refusal(colorless)).toEqual([
    'VALIDATION_FAILED',
    'The picture cannot be read. It may be damaged, or an animated WebP.',
  ])
})

test('A picture has the size that it is shown in, and a wider one is scaled.', async () => {
  const sizeOf = async (file: Uint8Array) => {
    const { type, width, height, bytes } = await readPicture(file, 'usr_size')
    const shown = await new Bun.Image(bytes).metadata()
    expect([shown.width, shown.height]).toEqual([width, height])
    return [type, width, height]
  }
  expect(await sizeOf(png(3, 2))).toEqual(['image/png', 3, 2])
  expect(await sizeOf(png(2000, 1))).toEqual(['image/png', 2000, 1])
  expect(await sizeOf(png(4000, 10))).toEqual(['image/png', 2000, 5])
  expect(await sizeOf(noisyGif(''))).toEqual(['image/gif', 1, 1])
})

/** A Windows bitmap of one pixel, which can be read and is no picture of the web. */
function bitmap(): Buffer {
  const file = Buffer.alloc(58)
  file.write('BM')
  for (const [at, value] of [
    [2, 58],
    [10, 54],
    [14, 40],
    [18, 1],
    [22, 1],
    [34, 4],
  ] as const)
    file.writeUInt32LE(value, at)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  return file
}

test('A side of a picture and the screen of a GIF have their limits.', async () => {
  expect(await refusal(png(20_001, 1))).toEqual(['VALIDATION_FAILED', 'A side has at most 20000 pixels.'])
  expect(await refusal(png(1, 20_001))).toEqual(['VALIDATION_FAILED', 'A side has at most 20000 pixels.'])
  for (const [at, most] of [
    [6, 2000],
    [8, 10_000],
  ] as const) {
    const gif = Buffer.from(noisyGif(''))
    gif.writeUInt16LE(most + 1, at)
    expect((await refusal(gif))![1]).toContain('A GIF has at most 2000 by 10000 pixels')
    gif.writeUInt16LE(most, at)
    expect((await refusal(gif))?.[1] ?? '').not.toContain('A GIF has at most')
  }
  const cut = noisyGif('').subarray(0, 30)
  expect((await refusal(cut))![1]).toStartWith('The picture cannot be read.')
  for (const other of [Buffer.from('<svg/>'), bitmap()])
    expect((await refusal(other))![0]).toBe('UNSUPPORTED_MEDIA_TYPE')
})
