import type { ResponseOf } from '../../api/calls.ts'
import type { Series } from '../../ui/chart.tsx'

type Moments = ResponseOf<'campaigns/stats'>['timeline']

interface Drawn {
  /** The beginning of each minute or hour, in seconds since 1970. */
  x: number[]
  series: Series[]
}

/**
 * What left by minute or hour, without gaps: steps that the answer omits had no messages. The step that is not over at
 * `now_ms` is a series of its own, because its number still grows.
 */
export function sentBySteps(moments: Moments, step: 60 | 3600, now_ms: number): Drawn {
  const sent = new Map(moments.map((moment) => [Date.parse(moment.at) / 1000, moment.sent]))
  const [first = 0] = sent.keys()
  const last = [...sent.keys()].at(-1) ?? 0
  const x = Array.from({ length: sent.size === 0 ? 0 : (last - first) / step + 1 }, (_, index) => first + index * step)
  const isOpen = (at: number) => (at + step) * 1000 > now_ms
  const of = (wanted: boolean) => x.map((at) => (isOpen(at) === wanted ? (sent.get(at) ?? 0) : null))
  const whole: Series = { label: 'Sent', values: of(false), tone: 'accent' }
  const open: Series = {
    label: step === 60 ? 'This minute so far' : 'This hour so far',
    values: of(true),
    tone: 'quiet',
  }
  return { x, series: x.some(isOpen) ? [whole, open] : [whole] }
}
