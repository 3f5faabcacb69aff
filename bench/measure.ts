import { readdirSync, readFileSync } from 'node:fs'
import type { Load } from './load.ts'

/** What one run of one side took. */
export interface Run {
  /** Requests, rows or messages. */
  count: number
  seconds: number
  /** CPU seconds of all threads and processes of the measured side. */
  cpu_seconds: number
  p50_ms?: number
  p99_ms?: number
  /** Resident set after the run in MB, all processes. */
  megabytes: number
}

/** One of the two that are measured in turn. */
export interface Side {
  /** Its processes; their descendants count, too. */
  pids(): readonly number[]
  /** One measured run. */
  run(): Promise<Load | Timed>
}

export interface Timed {
  requests: number
  seconds: number
  /** Where the processes have ended by now, what they took. */
  cpu_seconds?: number
  megabytes?: number
}

export type Measure = 'rate' | 'time' | 'cpu' | 'p99' | 'value'

/** A figure with its goal. Ratios are Masthead's figure by the reference's. */
export interface Figure {
  measure: Measure
  /** The unit of a `value`; ratios have none. */
  unit?: string
  values: readonly number[]
  at_least?: number
  at_most?: number
}

export interface Goal {
  measure: Exclude<Measure, 'value'>
  at_least?: number
  at_most?: number
}

const TICKS_PER_SECOND = 100

/** Pairs of runs in turn, the reference first: A B A B …, each side after one run that is not counted. */
export async function inTurn(other: Side, own: Side, pairs: number): Promise<{ other: Run[]; own: Run[] }> {
  const runs: { other: Run[]; own: Run[] } = { other: [], own: [] }
  for (let pair = -1; pair < pairs; pair++)
    for (const [name, side] of [['other', other] as const, ['own', own] as const]) {
      const run = await measured(side)
      if (pair >= 0) runs[name].push(run)
    }
  return runs
}

export async function measured({ pids, run }: Side): Promise<Run> {
  const before = cpuSeconds(pids())
  const { requests: count, ...taken } = await run()
  return {
    count,
    ...taken,
    cpu_seconds: ('cpu_seconds' in taken ? taken.cpu_seconds : undefined) ?? cpuSeconds(pids()) - before,
    megabytes: ('megabytes' in taken ? taken.megabytes : undefined) ?? megabytes(pids()),
  }
}

/** What two sides took, as figures with goals: for each goal one, and the CPU where no goal names it. */
export function figuresOf({ other, own }: { other: Run[]; own: Run[] }, goals: readonly Goal[]): Figure[] {
  const named = goals.some(({ measure }) => measure === 'cpu') ? goals : [...goals, { measure: 'cpu' as const }]
  return named.map((goal) => ({
    ...goal,
    values: own.map((run, pair) => ratioOf(goal.measure, run, other[pair]!)),
  }))
}

function ratioOf(measure: Goal['measure'], own: Run, other: Run): number {
  const time = own.seconds / own.count / (other.seconds / other.count)
  if (measure === 'time') return time
  if (measure === 'rate') return 1 / time
  if (measure === 'cpu') return other.cpu_seconds / other.count / (own.cpu_seconds / own.count)
  return (own.p99_ms ?? Number.NaN) / (other.p99_ms ?? Number.NaN)
}

/** CPU seconds of processes and their descendants so far (Linux). */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of withDescendants(pids)) {
    const fields = statOf(pid)
    if (fields) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / TICKS_PER_SECOND
}

/** Resident memory of processes and their descendants in MB. */
export function megabytes(pids: readonly number[], field = 'VmRSS'): number {
  let kilobytes = 0
  for (const pid of withDescendants(pids)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      kilobytes += Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
    } catch {
      // It has ended.
    }
  }
  return kilobytes / 1000
}

function withDescendants(pids: readonly number[]): Set<number> {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(Number(name))?.[1]) }))
  const all = new Set(pids)
  for (let before = -1; before !== all.size;) {
    before = all.size
    for (const { pid, parent } of parents) if (all.has(parent)) all.add(pid)
  }
  return all
}

/** The fields of /proc/PID/stat from the state on (proc(5)); null for a process that has ended. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
