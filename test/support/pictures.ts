import { deflateSync } from 'node:zlib'

/** Pictures as people have them, and as nobody should have them. */

type Pixel = [red: number, green: number, blue: number]

/** A PNG whose pixels are of one color, or as `color` says. `texts` become comments. */
export function png(
  width: number,
  height: number,
  { color = () => [30, 90, 110], texts = [] }: { color?: (x: number, y: number) => Pixel; texts?: string[] } = {},
): Buffer<ArrayBuffer> {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(color(x, y), y * (1 + width * 3) + 1 + x * 3)
  return pngOf(width, height, rows, texts)
}

/** A small PNG that claims to be large. */
export function hugePng(width: number, height: number): Buffer<ArrayBuffer> {
  return pngOf(width, height, Buffer.alloc(100), [])
}

function pngOf(width: number, height: number, rows: Buffer, texts: readonly string[]): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...texts.map((text) => chunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer<ArrayBuffer> {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(Bun.hash.crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A JPEG of these sides with a note in EXIF, a turn by 90 degrees in EXIF, a comment, and bytes after its end. */
export async function noisyJpeg(width: number, height: number, note: string): Promise<Buffer<ArrayBuffer>> {
  const plain = Buffer.from(await new Bun.Image(png(width, height)).jpeg().bytes())
  // One entry: orientation (0x0112, SHORT) 6, which asks for a turn to the right.
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex')
  const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from(note)]))
  const comment = segment(0xfe, Buffer.from(note))
  return Buffer.concat([plain.subarray(0, 2), exif, comment, plain.subarray(2), Buffer.from(note)])
}

function segment(marker: number, content: Buffer): Buffer<ArrayBuffer> {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** A BMP of one pixel. */
export const BMP = Buffer.from(
  `424d3a0000000000000036000000${'28000000010000000100000001001800'}${'00'.repeat(24)}ffffff00`,
  'hex',
)

/** One frame of a GIF of 1 by 1 pixel: its control, place and pixels. */
const GIF_FRAME = '21f904000a0000002c0000000001000100000202440100'

/** A GIF of two frames that repeats, with a comment, an unknown extension, and bytes after its end. */
export function noisyGif(note: string, { width = 1, height = 1 } = {}): Buffer<ArrayBuffer> {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  screen[4] = 0x80
  const blocks = (text: string) =>
    text === '' ? Buffer.from([0]) : Buffer.concat([Buffer.from([text.length]), Buffer.from(text), Buffer.from([0])])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    Buffer.from('ffffff000000', 'hex'),
    Buffer.from('21ff0b', 'hex'),
    Buffer.from('NETSCAPE2.0'),
    Buffer.from('0301000000', 'hex'),
    Buffer.from([0x21, 0xfe]),
    blocks(note),
    Buffer.from('21ff0b', 'hex'),
    Buffer.from('NETSCAPE2.0'),
    blocks(note),
    Buffer.from('21ff0b', 'hex'),
    Buffer.from('XMP DataXMP'),
    blocks(note),
    Buffer.from(GIF_FRAME, 'hex'),
    Buffer.from(GIF_FRAME, 'hex'),
    Buffer.from([0x3b]),
    Buffer.from(note),
  ])
}
