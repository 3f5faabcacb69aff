import type { ProjectId } from '../../ids.ts'
import type { PauseCause } from '../../metrics.ts'
import type { LoopContext } from '../../runtime.ts'
import type { Tx } from '../../store/open.ts'
import { pauseAutomatically } from './states.ts'

interface Pause {
  project_id: ProjectId
  campaign_id: number
  cause: PauseCause
  /** A sentence; it becomes the end of the campaign's `failure.reason`. */
  because: string
  /** Asked in the transaction; false leaves the campaign as it is. */
  provided?: (tx: Tx) => Promise<boolean>
}

/** Pauses a campaign that is sending, says why, and counts it. `alongside` is written in the same transaction. */
export async function pauseCampaign(
  context: LoopContext,
  { project_id, campaign_id, cause, because, provided }: Pause,
  alongside: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<boolean> {
  const reason = `Paused automatically: ${because[0]!.toLowerCase()}${because.slice(1)}`
  const paused = await context.store.write(async (tx) => {
    const now = context.clock.now()
    if (provided && !(await provided(tx))) return false
    if (!(await pauseAutomatically(tx, { project_id, campaign_id, reason, now }))) return false
    await alongside(tx)
    return true
  })
  if (!paused) return false
  context.log.warn('a campaign was paused', { campaign_id, cause, reason })
  context.countPause(cause)
  return true
}
