/**
 * Rewrites a GIF (GIF89a specification) with only what draws it: screen, color tables, frames, their timing and the
 * number of repeats. Comments, other extensions and what follows the last frame are left out.
 */

interface Gif {
  width: number
  height: number
  bytes: Uint8Array<ArrayBuffer>
}

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]
const [CONTROL, APPLICATION] = [0xf9, 0xff]
/** The extension of browsers that says how often an animation repeats. */
const REPEATS = 'NETSCAPE2.0'
const MAX_FRAMES = 1000

/** Null for a file that breaks off, has more than 1,000 frames or one beyond its screen, or is no GIF. */
export function rewriteGif(file: Uint8Array): Gif | null {
  const kept: Uint8Array[] = []
  let at = 0
  let frames = 0
  /** Where the control of the next frame begins and ends. The last one before a frame counts. */
  let control: [begin: number, end: number] | null = null
  let repeats = false
  const take = (length: number): Uint8Array => {
    const part = file.subarray(at, at + length)
    if (part.length < length) throw new Ended()
    at += length
    return part
  }
  const byte = (): number => {
    if (at >= file.length) throw new Ended()
    return file[at++]!
  }
  /** Passes blocks of a length byte and so many bytes, to the empty one that ends them. */
  const pass = (): void => {
    for (let length = byte(); length > 0; length = byte()) at += length
  }
  const colors = (flags: number): Uint8Array => take(flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

  try {
    const head = take(13)
    if (!/^GIF8[79]a$/.test(Buffer.from(head.subarray(0, 6)).toString('latin1'))) return null
    const [width, height] = [number(head, 6), number(head, 8)]
    kept.push(head, colors(head[10]!))
    for (let kind = byte(); kind !== TRAILER; kind = byte()) {
      if (kind === IMAGE) {
        if (++frames > MAX_FRAMES) return null
        const place = take(9)
        if (number(place, 0) + number(place, 4) > width || number(place, 2) + number(place, 6) > height) return null
        if (control) kept.push(Uint8Array.of(EXTENSION, CONTROL), file.subarray(...control))
        control = null
        kept.push(Uint8Array.of(IMAGE), place, colors(place[8]!))
        const begin = at
        byte()
        pass()
        kept.push(file.subarray(begin, at))
      } else if (kind === EXTENSION) {
        const label = byte()
        const begin = at
        pass()
        if (label === CONTROL) control = [begin, at]
        else if (label === APPLICATION && !repeats && isRepeats(file.subarray(begin, at))) {
          repeats = true
          kept.push(Uint8Array.of(EXTENSION, label), file.subarray(begin, at))
        }
      } else return null
    }
    if (frames === 0) return null
    return { width, height, bytes: Buffer.concat([...kept, Uint8Array.of(TRAILER)]) }
  } catch (error) {
    if (error instanceof Ended) return null
    throw error
  }
}

/** The number of two bytes, the low one first. */
function number(bytes: Uint8Array, at: number): number {
  return bytes[at]! + 256 * bytes[at + 1]!
}

/** The file breaks off. */
class Ended extends Error {}

/** Whether the blocks of an application's extension are the repeats and nothing more. */
function isRepeats(content: Uint8Array): boolean {
  return content.length === 17 && Buffer.from(content.subarray(1, 12)).toString('latin1') === REPEATS
}
