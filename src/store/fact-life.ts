import { statSync } from 'node:fs'
import { isLive } from './fact-folder.ts'
import { readMark } from './fact-mark.ts'
import { dayPaths, linesOf } from './facts.ts'
import { bootId } from './journal.ts'

/**
 * The fact log also records when a process begins, that it is alive, and when it ends (docs/operations.md#facts). These
 * lines tell until when the facts are complete. A replay ignores them.
 */
export type LifeSign = 'begun' | 'alive' | 'ended'

const SIGNS: readonly string[] = ['begun', 'alive', 'ended'] satisfies LifeSign[]
const NO_BOOT = '-'
/** The word of the line that a restore appends. The database knows all lines before it. */
export const RESTORED = 'restored'

interface Life {
  at: number
  sign: LifeSign
  process_id: string
  boot_id: string | null
  /** The number of the line, which grows with each one. Null in lines of an earlier release. */
  beat: number | null
}

export function lifeLine({ at, sign, process_id, boot_id, beat }: Life): string {
  return [new Date(at).toISOString(), sign, process_id, boot_id ?? NO_BOOT, beat].join(' ')
}

function readLife(line: string): Life | null {
  const [time = '', sign = '', process_id = '', boot_id = '', beat] = line.split(' ', 5)
  const at = Date.parse(time)
  if (!SIGNS.includes(sign) || Number.isNaN(at)) return null
  return { at, sign: sign as LifeSign, process_id, boot_id, beat: beat === undefined ? null : Number(beat) }
}

/**
 * Whether a crash of the machine may have lost facts after `since`: whether a process of another boot or machine has no
 * `ended` line. A `begun` line at or before `since` clears the processes before it.
 */
export function isTorn(lines: Iterable<string>, since: number, boot_id = bootId()): boolean {
  const open = new Map<string, string | null>()
  for (const line of lines) {
    const life = readLife(line)
    if (life?.sign === 'begun') {
      if (life.at <= since) open.clear()
      open.set(life.process_id, life.boot_id)
    }
    if (life?.sign === 'ended') open.delete(life.process_id)
  }
  return [...open.values()].some((boot) => boot !== boot_id)
}

/** Until when the facts of a folder are complete. */
export interface Reach {
  /** The time of the last process's `ended` line, or of a restore after it; else of the last line. Milliseconds. */
  at: number
  beat: number
  /**
   * Whether the last process wrote `ended`, a restore followed it, or it is of an earlier release, whose lines have no
   * number.
   */
  is_ended: boolean
}

/** Enough for the facts of a minute at 400 messages a second. */
const TAIL_BYTES = 4 << 20

/** Until when the facts of a folder are complete; null when no process has written a line there. */
export function reachOf(folder: string): Reach | null {
  for (const path of dayPaths(folder).toReversed()) {
    const reach = lastReach(linesOf(path, TAIL_BYTES)) ?? lastReach(linesOf(path))
    if (reach) return reach
  }
  return null
}

function lastReach(lines: Iterable<string>): Reach | null {
  let last: Life | null = null
  let line_of_last = ''
  let restored_at: number | null = null
  for (const line of lines) {
    const life = readLife(line)
    last = life ?? last
    if (life) restored_at = null
    else if (line.endsWith(` ${RESTORED}`)) restored_at = timeOf(line)
    if (line.length > 0) line_of_last = line
  }
  if (!last) return null
  if (restored_at !== null) return { at: restored_at, beat: last.beat ?? 0, is_ended: true }
  // Earlier releases wrote no numbers and no `alive` lines, so a missing end proves nothing.
  const is_ended = last.beat === null || last.sign === 'ended'
  // Facts after an `ended` line come from commands, which write no lines of their own life.
  const at = is_ended ? last.at : Math.max(last.at, timeOf(line_of_last) ?? 0)
  return { at, beat: last.beat ?? 0, is_ended }
}

/** Whether an earlier state was written over the lines of a folder, of which the last has this number. */
export function isOverwritten(folder: string, { beat }: Pick<Reach, 'beat'> = { beat: 0 }): boolean {
  const mark = readMark(folder)
  // In a folder that was copied as a whole, the mark is a copy, too.
  return mark !== null && (mark.reached > beat || (mark.is_copy && isLive(folder)))
}

/** The time at the beginning of a line, in milliseconds; null for a damaged line. */
function timeOf(line: string): number | null {
  const at = Date.parse(line.slice(0, line.indexOf(' ')))
  return Number.isNaN(at) ? null : at
}

/**
 * When a database knew this number last, and when the next number followed, by the lines of its folder. Null where no
 * line tells.
 */
export function timesOfBeat(lines: Iterable<string>, beat: number): Record<'last' | 'next', number | null> {
  let last: number | null = null
  for (const line of lines) {
    const life = readLife(line)
    if (!life || life.beat === null) continue
    if (life.beat > beat) return { last, next: life.at }
    last = life.at
  }
  return { last, next: null }
}

/**
 * How long after its last line the newest file was changed, in milliseconds. More than a moment means that something
 * other than Masthead changed it: a copy replaced it, or its owner or mode changed.
 */
export function changedAfter_ms(folder: string): number {
  const path = dayPaths(folder).at(-1)
  if (path === undefined) return 0
  let last: number | null = null
  for (const line of linesOf(path, TAIL_BYTES)) last = timeOf(line) ?? last
  return last === null ? 0 : Math.max(0, statSync(path).ctimeMs - last)
}
