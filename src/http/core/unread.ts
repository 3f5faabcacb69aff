import { addressBlock } from '../../access/address.ts'
import { createCache } from '../../cache.ts'
import { AppError } from '../../errors.ts'
import { collectAfterContent } from '../../heap.ts'
import { countedAlone, type SharedCounts } from '../../shared-counts.ts'

/** Limits for what waits in memory until its reader takes it (docs/api/limits.md#unread-answers). */
export interface UnreadLimits {
  /** Bytes that all unread answers of the process hold. */
  process_bytes: number
  /** Bytes that those to one client address hold; an IPv6 address counts by its /64. */
  address_bytes: number
  /** Bytes of them that no other answer can share: answers of the API and exports. */
  own_bytes: number
  /** Bytes counted for each open answer besides its content: the piece being sent, and the connection. */
  open_bytes: number
  /** After a refusal, further requests of its address are refused for so long before any work is done for them. */
  pause_ms: number
  /** Time between two checks of open answers. */
  check_ms: number
  /** An answer that is open for longer must have been read at `bytes_per_second` on average. */
  grace_ms: number
  bytes_per_second: number
  /** While the process has no room for another answer, those end of which nothing was read for so long. */
  stalled_ms: number
}

const MIB = 1024 * 1024

export const UNREAD_LIMITS: UnreadLimits = {
  process_bytes: 256 * MIB,
  address_bytes: 20 * MIB,
  own_bytes: 10 * MIB,
  open_bytes: 16 * 1024,
  pause_ms: 1_000,
  check_ms: 5_000,
  grace_ms: 60_000,
  bytes_per_second: 1024,
  stalled_ms: 10_000,
}

/** Addresses whose pause is remembered. One that is forgotten is refused again after its request was worked on. */
const PAUSED_ADDRESSES = 4096

interface Unsent {
  address: string
  /** The object that holds the bytes in memory. Answers that share one count it once. */
  content: object
  bytes: number
  /** Whether the content belongs to this answer alone. Files and pages are shared, and are in caches anyway. */
  own: boolean
  /** Counts the answer even beyond the limits: it tells of a change that is made. */
  always: boolean
}

/** One answer that its reader has not taken yet. */
export interface UnreadAnswer {
  /** Counts bytes that the reader took. */
  took(bytes: number): void
  /** Called when the answer is read too slowly; ends it. */
  whenSlow(abandon: () => void): void
  end(): void
}

/** The budgets of memory and time for answers that are not read. */
export interface Unread {
  /** Bytes that the unread answers of this thread hold. */
  readonly bytes: number
  /** Bytes of all contents and answers that were made since the process started. */
  readonly begun_bytes: number
  /**
   * TOO_MANY_UNREAD shortly after an answer to the address was refused.
   * @param bytes the size of an answer that is to be made; TOO_MANY_UNREAD when it would exceed a budget
   */
  requireRoom(address: string, bytes?: number): void
  /** Counts an answer until its end. TOO_MANY_UNREAD when it exceeds a budget. */
  begin(answer: Unsent): UnreadAnswer
  /** Abandons answers that are read too slowly, or in whose place others fit. Runs by itself while answers are open. */
  check(): void
}

/** Contents that are held, each with the number of answers that hold it. */
interface Held {
  bytes: number
  /** Bytes of the answers whose content is their own. */
  own_bytes: number
  contents: Map<object, number>
}

interface Open {
  began_at: number
  /** When its reader last took something. */
  taken_at: number
  taken: number
  abandon: () => void
}

export function createUnread(
  limits: UnreadLimits = UNREAD_LIMITS,
  now: () => number = () => performance.now(),
  counts: SharedCounts = countedAlone,
): Unread {
  const all = nothingHeld()
  const by_address = new Map<string, Held>()
  const paused_until = createCache<string, number>({ max_entries: PAUSED_ADDRESSES })
  const open = new Set<Open>()
  let timer: ReturnType<typeof setInterval> | null = null
  let begun_bytes = 0

  /** The bytes that an answer would add to those held. */
  const costIn = (held: Held, { content, bytes }: Unsent): number =>
    limits.open_bytes + (held.contents.has(content) ? 0 : bytes)

  /** Tells the other threads what this one holds for a group of addresses, and in all. */
  const tell = (group: string, own: Held): void => {
    counts.set(`unread ${group}`, own.bytes)
    counts.set(`unread own ${group}`, own.own_bytes)
    counts.set('unread', all.bytes)
  }

  /** Whether the process has room for so many bytes, if need be in the place of answers that nobody reads here. */
  function makeRoom(bytes: () => number): boolean {
    const isFull = (): boolean => all.bytes + counts.elsewhere('unread') + bytes() > limits.process_bytes
    const stalled_at = now() - limits.stalled_ms
    for (const other of open) {
      if (!isFull()) return true
      if (other.taken_at < stalled_at) other.abandon()
    }
    return !isFull()
  }

  /** Tells the other threads how much room is missing, so that they end what nobody reads there. */
  function hasRoom(answer: Unsent): boolean {
    const bytes = () => costIn(all, answer)
    const has_room = makeRoom(bytes)
    counts.set('unread refused', has_room ? 0 : bytes())
    return has_room
  }

  function turnOver(bytes: number): void {
    begun_bytes += bytes
    collectAfterContent(bytes, () => all.bytes)
  }

  function admit(answer: Unsent): void {
    const group = addressBlock(answer.address)
    const own = by_address.get(group) ?? nothingHeld()
    const cost = costIn(own, answer)
    const isOwnFull =
      own.bytes + counts.elsewhere(`unread ${group}`) + cost > limits.address_bytes ||
      (answer.own && own.own_bytes + counts.elsewhere(`unread own ${group}`) + cost > limits.own_bytes)
    if (answer.always || (!isOwnFull && hasRoom(answer))) return
    paused_until.set(group, now() + limits.pause_ms)
    throw tooManyUnread()
  }

  function check(): void {
    if (open.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    const at = now()
    for (const answer of open) {
      const age_ms = at - answer.began_at
      if (age_ms > limits.grace_ms && (answer.taken * 1000) / age_ms < limits.bytes_per_second) answer.abandon()
    }
    const refused_bytes = counts.elsewhere('unread refused')
    if (refused_bytes > 0) makeRoom(() => refused_bytes)
  }

  return {
    get bytes() {
      return all.bytes
    },

    get begun_bytes() {
      return begun_bytes
    },

    check,

    requireRoom(address, bytes = 0) {
      if (open.size > 0 && now() < (paused_until.get(addressBlock(address)) ?? 0)) throw tooManyUnread()
      if (bytes === 0) return
      turnOver(bytes)
      admit({ address, content: {}, bytes, own: false, always: false })
    },

    begin(answer) {
      // A refused answer was made as well.
      turnOver(answer.bytes)
      admit(answer)
      const group = addressBlock(answer.address)
      const own = by_address.get(group) ?? nothingHeld()
      by_address.set(group, own)
      for (const held of [own, all]) hold(held, answer, limits.open_bytes)
      tell(group, own)
      const counted: Open = { began_at: now(), taken_at: now(), taken: 0, abandon: () => {} }
      open.add(counted)
      timer ??= setInterval(check, limits.check_ms).unref()
      return {
        took(bytes) {
          counted.taken += bytes
          counted.taken_at = now()
        },
        whenSlow: (abandon) => void (counted.abandon = abandon),
        end() {
          if (!open.delete(counted)) return
          for (const held of [own, all]) release(held, answer, limits.open_bytes)
          tell(group, own)
          if (own.contents.size === 0) by_address.delete(group)
          collectAfterContent(answer.bytes, () => all.bytes)
        },
      }
    },
  }
}

function nothingHeld(): Held {
  return { bytes: 0, own_bytes: 0, contents: new Map() }
}

function hold(held: Held, { content, bytes, own }: Unsent, open_bytes: number): void {
  const holders = held.contents.get(content) ?? 0
  held.contents.set(content, holders + 1)
  const cost = open_bytes + (holders === 0 ? bytes : 0)
  held.bytes += cost
  if (own) held.own_bytes += cost
}

function release(held: Held, { content, bytes, own }: Unsent, open_bytes: number): void {
  const holders = held.contents.get(content)! - 1
  if (holders === 0) held.contents.delete(content)
  else held.contents.set(content, holders)
  const cost = open_bytes + (holders === 0 ? bytes : 0)
  held.bytes -= cost
  if (own) held.own_bytes -= cost
}

function tooManyUnread(): AppError {
  return new AppError(
    'TOO_MANY_UNREAD',
    'Too many answers wait to be read, at your address or in all. Read those that you have open, then try again.',
    {
      headers: { 'Retry-After': '5' },
    },
  )
}
