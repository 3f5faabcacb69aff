import { send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import type { Deliverability } from '../../api/operations.d.ts'
import { useQuery } from '../../api/query.ts'

type Limits = Deliverability['thresholds']['bounced']

/** The deliverability of the last days. */
export function useDeliverability(days: number) {
  return useQuery(`/project/deliverability/get ${days}`, (signal) =>
    send('POST /project/deliverability/get', { project_id: projectId(), days }, { signal }),
  )
}

/** The color of a share; none while it is fine. */
export function toneOf(share: number, { watch, act }: Limits): 'bad' | 'wait' | undefined {
  return share >= act ? 'bad' : share >= watch ? 'wait' : undefined
}

/** A verdict on everything that was sent; null when nothing was. */
export function judged({ total, thresholds }: Deliverability): { word: string | null; tone?: 'bad' | 'wait' | 'good' } {
  if (total.sent === 0) return { word: null }
  const tones = new Set([
    toneOf(total.bounced / total.sent, thresholds.bounced),
    toneOf(total.complained / total.sent, thresholds.complained),
  ])
  if (tones.has('bad')) return { word: 'Act', tone: 'bad' }
  return tones.has('wait') ? { word: 'Watch', tone: 'wait' } : { word: 'Fine', tone: 'good' }
}
