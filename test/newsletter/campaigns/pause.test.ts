import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { notesOf } from '../../../src/audit/record.ts'
import { pauseCampaign } from '../../../src/newsletter/campaigns/pause.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import type { Store } from '../../../src/store/store.ts'
import { newCampaign, newProject, NOW, sharedStore } from '../../support/shared-store.ts'

test('Only a campaign that is sending is paused, once, with the reason and what goes with it.', async () => {
  const shared = await sharedStore()
  const project_id = await newProject()
  const noted: unknown[] = []
  const store: Store = {
    ...shared,
    write: (work) =>
      shared.write(async (tx) => {
        const result = await work(tx)
        noted.push(...notesOf(tx))
        return result
      }),
  }
  const [sending, done] = [
    await newCampaign(project_id, { status: 'sending' }),
    await newCampaign(project_id, { status: 'sent' }),
  ]
  const said: unknown[] = []
  const context = {
    store,
    clock: { now: () => NOW + 5 },
    log: { warn: (...entry: unknown[]) => said.push(entry) },
    countPause: (cause: string) => said.push(cause),
  } as unknown as LoopContext
  let alongside = 0
  const pause = (campaign_id: number) =>
    pauseCampaign(context, { project_id, campaign_id, cause: 'relay', because: 'the relay fails.' }, async () => {
      alongside += 1
    })
  expect([await pause(done), await pause(sending), await pause(sending)]).toEqual([false, true, false])
  expect(alongside).toBe(1)
  const reason = 'Paused automatically: the relay fails.'
  expect(said).toEqual([['a campaign was paused', { campaign_id: sending, cause: 'relay', reason }], 'relay'])
  const [row] = await store.db.all(sql`
    SELECT status, failure ->> 'reason' AS reason, updated_at FROM campaigns WHERE id = ${sending}`)
  expect(row).toEqual({ status: 'paused', reason, updated_at: NOW + 5 })
  expect(noted).toEqual([{ action: 'campaigns/pause', target: `campaign:${sending}`, project_id, details: { reason } }])
})
