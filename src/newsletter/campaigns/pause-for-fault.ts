import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import { errorFields } from '../../log.ts'
import type { LoopContext } from '../../runtime.ts'
import { FAULT_TEXT } from '../../store/faults.ts'
import { pauseCampaign } from './pause.ts'

/** Pauses a campaign, or all that are sending, when the database is damaged or unreadable: nothing mends by itself. */
export async function pauseForFault(context: LoopContext, error: unknown, campaign_id?: number): Promise<void> {
  // The error of a reading thread has no code any more, but that thread has noted the fault.
  const fault = context.store.faults.see(error) ?? context.store.faults.current()
  if (fault === null || fault === 'full') return
  try {
    const sending = await context.store.db.all<{ id: number; project_id: ProjectId }>(
      sql`SELECT id, project_id FROM campaigns WHERE status = 'sending' ORDER BY id`,
    )
    for (const { id, project_id } of sending)
      if (campaign_id === undefined || id === campaign_id)
        await pauseCampaign(context, { project_id, campaign_id: id, cause: 'disk', because: FAULT_TEXT[fault] })
  } catch (again) {
    context.log.error('a campaign cannot be paused', errorFields(again))
  }
}
