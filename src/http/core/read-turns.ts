import { addressBlock } from '../../access/address.ts'
import { collectContent, keepHeapWithin } from '../../heap.ts'
import { shareOf } from '../../share.ts'
import type { Unread } from './unread.ts'

/**
 * Runs the reads of this thread one after the other. The database file answers at once, so reads that arrived together
 * would take each of their steps together, and memory would hold the rows of all of them before the first is answered.
 */
export interface ReadTurns {
  /**
   * Runs `work` in its turn. Addresses whose reads wait take turns with each other; an IPv6 address counts by its /64.
   * A read that is not done in one iteration of the event loop waits for another thread or a server, so others run
   * meanwhile. TOO_MANY_UNREAD when answers to the address have exceeded a budget before its turn came.
   */
  take<T>(address: string, work: () => Promise<T>): Promise<T>
  /**
   * Runs `work` on an answer of `bytes` that other threads compress. Further reads of the address wait while a MiB of
   * its answers is compressed: they would make their texts faster than those are compressed.
   */
  hold<T>(address: string, bytes: number, work: () => Promise<T>): Promise<T>
}

const MIB = 1024 * 1024

/**
 * Bytes of large answers that may begin in one iteration of the event loop. Then reads wait for the next one, in which
 * the system takes what connections have room for.
 */
const ITERATION_BYTES = MIB
/** Bytes of the answers to one address that may wait for their compression. Beyond them its reads wait as well. */
const HELD_BYTES = MIB

/** More waiting reads are a crowd, until none waits. Clients that read their answers seldom have so many open. */
const CROWD = 64
/** How far the heap may grow while a crowd is served, and how many of its reads pass between two looks at it. */
const CROWD_GROWTH = 2 * MIB
const CROWD_READS = 2
/** The same while large answers are sent without a crowd, and the bytes of answers between two looks. */
const LARGE_GROWTH = 16 * MIB
const LARGE_BYTES = 4 * MIB

export function createReadTurns(unread: Pick<Unread, 'requireRoom' | 'begun_bytes' | 'bytes'>): ReadTurns {
  // The threads that answer together keep to what one of them would.
  const iteration_bytes = shareOf(ITERATION_BYTES)
  const held_bytes = shareOf(HELD_BYTES)
  const crowd_growth = shareOf(CROWD_GROWTH)
  /** The waiting reads of each block of addresses. The first block has the next turn. */
  const waiting = new Map<string, (() => void)[]>()
  /** Bytes of answers that are being compressed, by block. */
  const held = new Map<string, number>()
  let waiting_reads = 0
  let isCrowded = false
  let running: object | null = null
  let begun_before = 0
  let isAwaited = false
  let reads_since_look = 0
  let begun_at_look = 0

  const isFree = (): boolean => running === null && unread.begun_bytes < begun_before + iteration_bytes

  const collect = (): void => {
    collectContent(() => unread.bytes)
    if (isCrowded ? ++reads_since_look < CROWD_READS : unread.begun_bytes < begun_at_look + LARGE_BYTES) return
    reads_since_look = 0
    begun_at_look = unread.begun_bytes
    keepHeapWithin(isCrowded ? crowd_growth : LARGE_GROWTH)
  }

  const isHeld = (block: string): boolean => held.size > 0 && (held.get(block) ?? 0) >= held_bytes

  /** The first block that waits and is not held, with its reads. */
  const firstWaiting = (): [string, (() => void)[]] | undefined => {
    for (const entry of waiting) if (!isHeld(entry[0])) return entry
    return undefined
  }

  const next = (): void => {
    if (waiting_reads === 0) return
    if (!isFree()) {
      awaitIteration()
      return
    }
    const first = firstWaiting()
    if (!first) return
    const [block, reads] = first
    collect()
    const begin = reads.shift()!
    waiting.delete(block)
    if (reads.length > 0) waiting.set(block, reads)
    if (--waiting_reads === 0) isCrowded = false
    begin()
    if (waiting_reads > 0) awaitIteration()
  }

  const awaitIteration = (): void => {
    if (isAwaited) return
    isAwaited = true
    setImmediate(() => {
      isAwaited = false
      running = null
      begun_before = unread.begun_bytes
      if (!isCrowded) collect()
      else collectContent(() => unread.bytes)
      next()
    })
  }

  const wait = (block: string, own: object): Promise<void> =>
    new Promise((resolve) => {
      const begin = () => {
        running = own
        resolve()
      }
      const reads = waiting.get(block)
      if (reads) reads.push(begin)
      else waiting.set(block, [begin])
      if (++waiting_reads > CROWD) isCrowded = true
    })

  return {
    async take(address, work) {
      if (running !== null || unread.begun_bytes > begun_before) awaitIteration()
      const own = {}
      const block = addressBlock(address)
      if (isFree() && !isHeld(block)) running = own
      else await wait(block, own)
      try {
        unread.requireRoom(address)
        return await work()
      } finally {
        if (running === own) {
          running = null
          next()
        }
      }
    },

    async hold(address, bytes, work) {
      const block = addressBlock(address)
      held.set(block, (held.get(block) ?? 0) + bytes)
      try {
        return await work()
      } finally {
        const left = held.get(block)! - bytes
        if (left === 0) held.delete(block)
        else held.set(block, left)
        // The text is garbage now, which is collected before a further read makes the next one.
        awaitIteration()
      }
    },
  }
}
