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

/** Bytes of large contents between two looks, and how far what is not in use may grow. */
const CONTENT_LOOK_BYTES = 4 * MIB
const CONTENT_GROWTH = 8 * MIB
let turned_over = 0
let isLookAwaited = false
let unused_after_full: number | null = null

/**
 * To be called with the size of each large content that was made or let go of. The engine counts the memory of arrays
 * late, and keeps contents of hundreds of MB until it has allocated as much again.
 * @param usedBytes the contents that are in use, which are not garbage
 */
export function collectAfterContent(bytes: number, usedBytes: () => number): void {
  turned_over += bytes
  if (turned_over < CONTENT_LOOK_BYTES || isLookAwaited) return
  isLookAwaited = true
  // What ends in this iteration of the event loop is still referred to by the stack.
  setImmediate(() => collectContent(usedBytes))
}

/** Looks now, for what would make further contents before the next iteration. */
export function collectContent(usedBytes: () => number): void {
  if (turned_over < CONTENT_LOOK_BYTES) return
  isLookAwaited = false
  turned_over = 0
  edenGC()
  const unused = heapSize() - usedBytes()
  unused_after_full = Math.min(unused_after_full ?? unused, unused)
  if (unused < unused_after_full + CONTENT_GROWTH) return
  fullGC()
  after_last = after_full = heapSize()
  unused_after_full = after_full - usedBytes()
}
