import { statSync } from 'node:fs'
import { dayPaths, linesOf } from './facts.ts'
import { bootId } from './journal.ts'

/**
 * Lines of processes among the facts (docs/operations.md#facts): that one begins, lives or ends. They tell how far the
 * facts reach, and are no facts themselves: a replay passes over them.
 */
export type LifeSign = 'begun' | 'alive' | 'ended'

const SIGNS: readonly string[] = ['begun', 'alive', 'ended'] satisfies LifeSign[]
const NO_BOOT = '-'

interface Life {
  at: number
  sign: LifeSign
  process_id: string
  boot_id: string | null
  /** Its number; grows with each line. Null in lines of an earlier release. */
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
 * Whether a process of another boot of the machine, or of another machine, did not end its facts after `since`. A
 * beginning until `since` shows that all processes before it were over, killed ones too.
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

/** How far the facts of a folder reach. */
export interface Reach {
  /** The time of the end of the last process, or of its last line while it lives. */
  at: number
  beat: number
  /** Whether the last process ended by itself. */
  is_ended: boolean
}

/** Enough for the facts of a minute at 400 messages a second. */
const TAIL_BYTES = 4 << 20

/** How far the facts of a folder reach; null for a folder in which no process lived. */
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
  for (const line of lines) {
    last = readLife(line) ?? last
    if (line.length > 0) line_of_last = line
  }
  if (!last) return null
  // An earlier release gave its lines no number, and did not say each minute that it lives.
  const is_ended = last.beat === null || last.sign === 'ended'
  // What follows an end are the facts of commands.
  const at = is_ended ? last.at : Math.max(last.at, timeOf(line_of_last) ?? 0)
  return { at, beat: last.beat ?? 0, is_ended }
}

/** The time with which a line begins; null for a line that is damaged. */
function timeOf(line: string): number | null {
  const at = Date.parse(line.slice(0, line.indexOf(' ')))
  return Number.isNaN(at) ? null : at
}

/**
 * How long after its last line the newest file was changed, in milliseconds: a copy that was put in its place, or
 * another owner or mode of the file. Only Masthead's own appends leave a line.
 */
export function changedAfter_ms(folder: string): number {
  const path = dayPaths(folder).at(-1)
  if (path === undefined) return 0
  let last: number | null = null
  for (const line of linesOf(path, TAIL_BYTES)) last = timeOf(line) ?? last
  return last === null ? 0 : Math.max(0, statSync(path).ctimeMs - last)
}
