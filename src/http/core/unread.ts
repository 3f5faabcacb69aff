import { addressBlock } from '../../access/address.ts'
import { AppError } from '../../errors.ts'
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
}

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
  /** Called when the answer is read too slowly. */
  whenSlow(abandon: () => void): void
  end(): void
}

/** The budgets of memory and time for answers that are not read. */
export interface Unread {
  /** Bytes of all answers that have begun since the process started. */
  readonly begun_bytes: number
  /** TOO_MANY_UNREAD shortly after an answer to the address, or to anyone, exceeded a budget. */
  requireRoom(address: string): void
  /** Counts an answer until its end. TOO_MANY_UNREAD when it exceeds a budget. */
  begin(answer: Unsent): UnreadAnswer
  /** Abandons answers that are read too slowly. Runs by itself while answers are open. */
  check(): void
}

/** Contents that are held, each with the number of answers that hold it. */
interface Held {
  bytes: number
  /** Bytes of the answers whose content is their own. */
  own_bytes: number
  contents: Map<object, number>
  paused_until: number
}

interface Open {
  began_at: number
  taken: number
  abandon: () => void
}

export function createUnread(
  limits: UnreadLimits = UNREAD_LIMITS,
  now: () => number = () => performance.now(),
  counts: SharedCounts = countedAlone,
): Unread {
  const all: Held = { bytes: 0, own_bytes: 0, contents: new Map(), paused_until: 0 }
  const by_address = new Map<string, Held>()
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
  }

  return {
    get begun_bytes() {
      return begun_bytes
    },

    check,

    requireRoom(address) {
      if (open.size === 0) return
      const at = now()
      const own = by_address.get(addressBlock(address))
      if (at < (own?.paused_until ?? 0) || at < all.paused_until) throw tooManyUnread()
    },

    begin(answer) {
      const group = addressBlock(answer.address)
      const own: Held = by_address.get(group) ?? { bytes: 0, own_bytes: 0, contents: new Map(), paused_until: 0 }
      const own_bytes = own.own_bytes + counts.elsewhere(`unread own ${group}`)
      const bytes = own.bytes + counts.elsewhere(`unread ${group}`)
      const all_bytes = all.bytes + counts.elsewhere('unread')
      const own_full = answer.own && own_bytes + costIn(own, answer) > limits.own_bytes
      const full = [
        (own_full || bytes + costIn(own, answer) > limits.address_bytes) && own,
        all_bytes + costIn(all, answer) > limits.process_bytes && all,
      ].filter((held) => held !== false)
      if (full.length > 0 && !answer.always) {
        for (const held of full) held.paused_until = now() + limits.pause_ms
        throw tooManyUnread()
      }
      begun_bytes += answer.bytes
      by_address.set(group, own)
      for (const held of [own, all]) hold(held, answer, limits.open_bytes)
      tell(group, own)
      const counted: Open = { began_at: now(), taken: 0, abandon: () => {} }
      open.add(counted)
      timer ??= setInterval(check, limits.check_ms).unref()
      return {
        took: (bytes) => void (counted.taken += bytes),
        whenSlow: (abandon) => void (counted.abandon = abandon),
        end() {
          if (!open.delete(counted)) return
          for (const held of [own, all]) release(held, answer, limits.open_bytes)
          tell(group, own)
          if (own.contents.size === 0) by_address.delete(group)
        },
      }
    },
  }
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
    'Too many answers wait to be read at your address. Read them, then try again.',
    {
      headers: { 'Retry-After': '5' },
    },
  )
}
