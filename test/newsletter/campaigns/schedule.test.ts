import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq, type SQL, sql } from 'drizzle-orm'
import { notesOf } from '../../../src/audit/record.ts'
import { startScheduled } from '../../../src/newsletter/campaigns/schedule.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { campaigns } from '../../../src/store/tables/delivery.ts'
import { jobs } from '../../../src/store/tables/jobs.ts'
import { createWorld, loopContext, type World } from '../../support/world.ts'
import { addPeople, draft, readyToSend } from './support.ts'

let world: World
beforeEach(async () => {
  world = await createWorld({ log_level: 'error' })
  await readyToSend(world)
  await addPeople(world, [{ email: 'ada@harbour.example' }])
})
afterEach(() => world.close())

const store = () => world.service.runtime.store
const context = (changes: Partial<LoopContext> = {}): LoopContext => ({
  ...loopContext(world.service.runtime),
  wake: () => undefined,
  ...changes,
})
const rowOf = async (id: number) => (await store().db.select().from(campaigns).where(eq(campaigns.id, id)))[0]!
const jobsFor = async (id: number) =>
  (await store().db.select().from(jobs)).filter(({ payload }) => 'campaign_id' in payload && payload.campaign_id === id)
/** A context whose writes leave their notes for the audit log in `noted`, and the loops that it wakes in `woken`. */
function noting(noted: string[], woken: string[] = []): LoopContext {
  const write: LoopContext['store']['write'] = (work) =>
    store().write(async (tx) => {
      const result = await work(tx)
      noted.push(...notesOf(tx).map(({ action, target }) => `${action} ${target}`))
      return result
    })
  return context({ store: { ...store(), write }, wake: (loop) => void woken.push(loop) })
}
const run = (statement: SQL) => store().write((tx) => tx.run(statement))

/** A scheduled campaign whose time has come. */
async function due(more: Record<string, unknown> = {}): Promise<number> {
  const { id } = await draft(world, more)
  const scheduled_at = new Date(world.clock.now() + 60_000).toISOString()
  await world.ok('campaigns/schedule', { campaign_id: id, scheduled_at, timezone: 'UTC' })
  world.clock.advance(60_000)
  return id
}

/** A context in which `change` happens after the checks and before the transaction that starts the campaign. */
function changedDuringChecks(change: () => Promise<unknown>): LoopContext {
  const write = store().write
  let changed = false
  return context({
    store: {
      ...store(),
      async write(work) {
        if (!changed) {
          changed = true
          await change()
        }
        return write(work)
      },
    },
  })
}

test('A campaign that is due and ready is prepared by one job.', async () => {
  const id = await due()
  const [noted, woken]: [string[], string[]] = [[], []]
  expect(await startScheduled(noting(noted, woken))).toBe(false)
  expect([noted, woken]).toEqual([[`campaigns/send campaign:${id}`], ['jobs']])
  expect([(await rowOf(id)).status, await jobsFor(id)]).toMatchObject([
    'preparing',
    [{ kind: 'campaign_prepare', status: 'queued', project_id: world.project.id }],
  ])
  await startScheduled(context())
  expect(await jobsFor(id)).toHaveLength(1)
})

test('A campaign that is changed during its checks is not started, but checked again by the next call.', async () => {
  const id = await due()
  await startScheduled(changedDuringChecks(() => world.ok('campaigns/update', { campaign_id: id, subject: '' })))
  expect([(await rowOf(id)).status, await jobsFor(id)]).toEqual(['scheduled', []])
  const noted: string[] = []
  await startScheduled(noting(noted))
  expect(noted).toEqual([`campaigns/fail campaign:${id}`])
  expect(await rowOf(id)).toMatchObject({
    status: 'failed',
    failure: {
      reason: 'The campaign was not ready at its scheduled time.',
      checks: [{ code: 'subject', ok: false, severity: 'error', message: 'The subject is empty.' }],
    },
    finished_at: world.clock.now(),
  })
})

test('A campaign that is unscheduled during its checks stays a draft.', async () => {
  const id = await due()
  await startScheduled(changedDuringChecks(() => world.ok('campaigns/unschedule', { campaign_id: id })))
  expect([(await rowOf(id)).status, await jobsFor(id)]).toEqual(['draft', []])
})

test('An error in one campaign is logged and does not stop the others.', async () => {
  const broken = await due()
  const [sound, deleted] = [await due(), await due()]
  await run(sql`UPDATE campaigns SET editor_json = '{}' WHERE id = ${broken}`)
  await run(sql`UPDATE campaigns SET deleted_at = 1 WHERE id = ${deleted}`)
  const logged: unknown[] = []
  const log = { ...world.service.runtime.log, error: (...entry: unknown[]) => void logged.push(entry) }
  expect(await startScheduled(context({ log }))).toBe(false)
  expect([(await rowOf(broken)).status, (await rowOf(sound)).status, (await rowOf(deleted)).status]).toEqual([
    'scheduled',
    'preparing',
    'scheduled',
  ])
  expect(logged).toEqual([['a scheduled campaign was not started', expect.objectContaining({ campaign_id: broken })]])
})

test('Twenty campaigns are started per call, the earliest first.', async () => {
  const ids: number[] = []
  for (let count = 0; count < 21; count++) ids.push(await due())
  expect(await startScheduled(context())).toBe(true)
  expect((await rowOf(ids[19]!)).status).toBe('preparing')
  expect((await rowOf(ids[20]!)).status).toBe('scheduled')
  expect(await startScheduled(context())).toBe(false)
  expect((await rowOf(ids[20]!)).status).toBe('preparing')
})

test('Twenty campaigns that cannot be started do not keep the scheduler busy.', async () => {
  for (let count = 0; count < 20; count++) await due()
  const write = () => Promise.reject(new Error('The disk is full.'))
  const log = { ...world.service.runtime.log, error: () => undefined }
  expect(await startScheduled(context({ log, store: { ...store(), write } }))).toBe(false)
  let started = 0
  const once: typeof write = () => (started++ === 0 ? Promise.resolve(undefined as never) : write())
  expect(await startScheduled(context({ log, store: { ...store(), write: once } }))).toBe(true)
})

test('Campaigns that are due start in the order of their times.', async () => {
  const [first, second] = [await due({ name: 'First' }), await due({ name: 'Second' })]
  await run(sql`UPDATE campaigns SET scheduled_at = scheduled_at - 120000 WHERE id = ${second}`)
  const noted: string[] = []
  await startScheduled(noting(noted))
  expect(noted.map((line) => Number(/\d+$/.exec(line)?.[0]))).toEqual([second, first])
})
