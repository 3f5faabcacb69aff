import type { ResponseOf } from '../../api/calls.ts'
import type { Series } from '../../ui/chart.tsx'
import type { Tone } from '../../ui/state.tsx'

type Moments = ResponseOf<'campaigns/stats'>['timeline']

/** The length of a step in seconds. */
export type Step = 60 | 3600

interface Drawn {
  /** The beginning of each minute or hour, in seconds since 1970. */
  x: number[]
  series: Series[]
}

/** In so long a time hours say less than minutes. */
const YOUNG_MS = 2 * 60 * 60_000

/** Whether something happened in several minutes of a short time. */
export function isYoung(minutes: Moments): boolean {
  const [first, last] = [minutes[0], minutes.at(-1)]
  return first !== undefined && first !== last && Date.parse(last!.at) - Date.parse(first.at) < YOUNG_MS
}

/** What is counted in each step, and how it is drawn. */
interface Counted {
  count: 'sent' | 'opens' | 'clicks'
  label: string
  tone: Tone
}

export const SENT: readonly Counted[] = [{ count: 'sent', label: 'Sent', tone: 'accent' }]
export const READ: readonly Counted[] = [
  { count: 'opens', label: 'Opens', tone: 'accent' },
  { count: 'clicks', label: 'Clicks', tone: 'good' },
]

/**
 * Counts by minute or hour, from the first step with one of them and without gaps: steps that the answer omits have
 * none. The step that is not over at `now_ms` is drawn apart, because its numbers still grow.
 */
export function bySteps(moments: Moments, counted: readonly Counted[], step: Step, now_ms: number): Drawn {
  const having = moments.filter((moment) => counted.some(({ count }) => moment[count] > 0))
  const known = new Map(having.map((moment) => [Date.parse(moment.at) / 1000, moment]))
  const [first = 0] = known.keys()
  const last = [...known.keys()].at(-1) ?? 0
  const x = Array.from({ length: known.size === 0 ? 0 : (last - first) / step + 1 }, (_, index) => first + index * step)
  const isOpen = (at: number) => (at + step) * 1000 > now_ms
  const of = ({ count }: Counted, wanted: boolean) =>
    x.map((at) => (isOpen(at) === wanted ? (known.get(at)?.[count] ?? 0) : null))
  const whole = counted.map((one): Series => ({ label: one.label, tone: one.tone, values: of(one, false) }))
  const soFar = step === 60 ? 'this minute so far' : 'this hour so far'
  const open = counted.map((one, index): Series => ({
    label: `${one.label}, ${soFar}`,
    tone: index === 0 ? 'quiet' : 'wait',
    values: of(one, true),
  }))
  return { x, series: x.some(isOpen) ? [...whole, ...open] : whole }
}
