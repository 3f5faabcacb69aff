import { edenGC, fullGC, heapSize } from 'bun:jsc'

const MIB = 1024 * 1024

let after_last = 0
let after_full = 0

/**
 * Collects garbage of this thread when its heap has grown by more than `growth_bytes`. The engine by itself lets the
 * heap grow to a multiple of what is in use, and collects everything only after many times that. A look takes 16 µs, a
 * collection of what is new less than 1 ms, one of everything 13 ms of CPU time.
 * @param kept_bytes how much may be left of what was new before everything is collected
 */
export function keepHeapWithin(growth_bytes: number, kept_bytes = growth_bytes): void {
  const size = heapSize()
  if (after_full === 0) after_full = after_last = size
  // The engine may have collected by itself.
  after_last = Math.min(after_last, size)
  after_full = Math.min(after_full, size)
  if (size < after_last + growth_bytes) return
  edenGC()
  after_last = heapSize()
  if (after_last < after_full + kept_bytes) return
  fullGC()
  after_last = after_full = heapSize()
}

/** Bytes of pieces between two looks. */
const LOOK_BYTES = MIB / 4
const STREAMED_GROWTH = MIB
let streamed = 0

/** To be called with the size of each piece of a large result: its rows and texts take several times that. */
export function collectAfterPiece(piece_bytes: number): void {
  streamed += piece_bytes
  if (streamed < LOOK_BYTES) return
  streamed = 0
  keepHeapWithin(STREAMED_GROWTH)
}
