import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { stopJob } from '../../../src/newsletter/jobs/jobs.operations.ts'
import { enqueueJob, type Job } from '../../../src/newsletter/jobs/queue.ts'
import { imports } from '../../../src/store/tables/imports.ts'
import { type JobKind, jobs } from '../../../src/store/tables/jobs.ts'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld({ log_level: 'error' })
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

const store = () => world.service.runtime.store
const payload = { segment_id: 1, tag_id: 1 }
const enqueue = (kind: JobKind, project_id = world.project.id) =>
  store().write((tx) => enqueueJob(tx, { project_id, kind, payload, now: world.clock.now() }))
const row = async (id: number): Promise<Job> => (await store().db.select().from(jobs).where(eq(jobs.id, id)))[0]!
const shown = async (job_id: number) => (await world.ok('jobs/get', { job_id })).job
const setStatus = (id: number, status: Job['status']) =>
  store().write((tx) => tx.update(jobs).set({ status }).where(eq(jobs.id, id)))
const clear = () => store().write((tx) => tx.delete(jobs))

test('jobs/list filters by kind and status, oldest first, in pages, for one project only.', async () => {
  const ids: number[] = []
  for (const kind of ['bulk', 'import', 'bulk', 'segment_materialize', 'bulk'] as const) {
    ids.push((await enqueue(kind)).id)
    if (ids.length === 2) world.clock.advance(1000)
  }
  await enqueue('bulk', world.other.id)
  await setStatus(ids[2]!, 'completed')
  const list = async (body: Record<string, unknown>) =>
    (await world.ok('jobs/list', body)).items.map(({ id }: Job) => id)
  expect(await list({})).toEqual(ids)
  expect(await list({ kinds: ['bulk'] })).toEqual([ids[0], ids[2], ids[4]])
  expect(await list({ kinds: ['import', 'segment_materialize'] })).toEqual([ids[1], ids[3]])
  expect(await list({ kinds: ['bulk'], statuses: ['completed', 'failed'] })).toEqual([ids[2]])

  const paged: number[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, next_cursor } = await world.ok('jobs/list', { limit: 2, ...(cursor ? { cursor } : {}) })
    paged.push(...items.map(({ id }: Job) => id))
    cursor = next_cursor
  }
  expect(paged).toEqual(ids)
  const { next_cursor } = await world.ok('jobs/list', { limit: 2, kinds: ['bulk'] })
  expect((await world.call('jobs/list', { limit: 2, cursor: next_cursor })).body.error.code).toBe('INVALID_CURSOR')
  const first = await world.ok('jobs/list', { limit: 1, kinds: ['import', 'bulk'], statuses: ['queued', 'failed'] })
  const same = { limit: 1, kinds: ['bulk', 'import'], statuses: ['failed', 'queued'], cursor: first.next_cursor }
  expect([first.items[0].id, ...(await list(same))]).toEqual([ids[0], ids[1]])
  for (const body of [{ kinds: ['export'] }, { statuses: ['done'] }, { kinds: 'bulk' }])
    expect((await world.call('jobs/list', body)).status).toBe(400)
  await clear()
})

test("jobs/get shows exactly the fields of a job and answers 404 for another project's job.", async () => {
  const { id } = await enqueue('bulk')
  const at = new Date(world.clock.now()).toISOString()
  expect(await shown(id)).toEqual({
    id,
    kind: 'bulk',
    action: null,
    about: { type: 'segment', id: 1, name: null },
    status: 'queued',
    processed: 0,
    total: null,
    error: null,
    attempts: 0,
    created_at: at,
    updated_at: at,
  })
  for (const operation of ['jobs/get', 'jobs/requeue']) {
    const { status, body } = await world.call(operation, { job_id: id }, { as: world.keys.other })
    expect([status, body.error.code, body.error.details]).toEqual([404, 'NOT_FOUND', [{ path: '/job_id' }]])
  }
  await clear()
})

test('A job names what it is about, also where that was deleted, and a bulk job what it does.', async () => {
  const list_id = (await world.ok('lists/create', { name: 'Weekly' })).list.id
  const tag_id = (await world.ok('tags/create', { name: 'Customer' })).tag.id
  const segment_id = (await world.ok('segments/create', { name: 'All', rules: { op: 'and', rules: [] } })).segment.id
  const audience_spec = { include: [{ type: 'all' }] }
  const campaign_id = (await world.ok('campaigns/create', { subject: 'May letter', audience_spec })).campaign.id
  const import_id = (await world.ok('imports/create', { filename: 'people.csv', csv: 'email\na@b.example' })).import.id
  const from = { address: '', user_agent: '' }
  const payloads = [
    ['campaign_prepare', { campaign_id }],
    ['import', { import_id, ...from }],
    ['segment_materialize', { segment_id, tag_id }],
    ['bulk', { action: 'add_to_list', list_id, ...from }],
    ['bulk', { action: 'add_tags', tag_ids: [tag_id], ...from }],
    ['bulk', { action: 'remove_tags', tag_ids: [tag_id, 7], ...from }],
    ['bulk', { action: 'delete', ...from }],
    ['campaign_prepare', { campaign_id: 999 }],
  ] as const
  await store().write(async (tx) => {
    for (const [kind, payload] of payloads)
      await enqueueJob(tx, { project_id: world.project.id, kind, payload: payload as never, now: world.clock.now() })
    // A job of another project with the ids of this one.
    await enqueueJob(tx, { project_id: world.other.id, kind: 'campaign_prepare', payload: { campaign_id }, now: 1 })
  })
  const { items } = await world.ok('jobs/list')
  expect(items.map(({ action, about }: any) => [action, about && [about.type, about.id, about.name]])).toEqual([
    [null, ['campaign', campaign_id, 'May letter']],
    [null, ['import', import_id, 'people.csv']],
    [null, ['segment', segment_id, 'All']],
    ['add_to_list', ['list', list_id, 'Weekly']],
    ['add_tags', ['tag', tag_id, 'Customer']],
    ['remove_tags', null],
    ['delete', null],
    [null, ['campaign', 999, null]],
  ])
  expect((await world.ok('jobs/get', { job_id: items[0].id })).job).toEqual(items[0])
  const others = await world.ok('jobs/list', {}, { as: world.keys.other })
  expect(others.items[0].about).toEqual({ type: 'campaign', id: campaign_id, name: null })
  await clear()
  await store().write((tx) => tx.delete(imports))
})

test('jobs/requeue accepts only a failed job, and the job continues at its position.', async () => {
  const { id } = await enqueue('bulk')
  for (const status of ['queued', 'running', 'completed', 'cancelled'] as const) {
    await setStatus(id, status)
    const answer = await world.call('jobs/requeue', { job_id: id })
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      409,
      'INVALID_STATE',
      { state: status },
    ])
  }
  await store().write((tx) =>
    tx
      .update(jobs)
      .set({ status: 'failed', attempts: 3, error: 'It broke.', position: 7, processed: 5 })
      .where(eq(jobs.id, id)),
  )
  const answer = await world.call('jobs/requeue', { job_id: id })
  expect([answer.status, answer.body.data.job]).toEqual([
    202,
    expect.objectContaining({ id, status: 'queued', attempts: 0, error: null, processed: 5 }),
  ])
  expect((await row(id)).position).toBe(7)
  await clear()
})

test('A failed job of another project is not found, and stays failed.', async () => {
  const { id } = await enqueue('bulk', world.other.id)
  await setStatus(id, 'failed')
  const answer = await world.call('jobs/requeue', { job_id: id })
  expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
    404,
    'NOT_FOUND',
    [{ path: '/job_id' }],
  ])
  expect((await row(id)).status).toBe('failed')
  await clear()
})

test('A job is stopped while it waits or runs, if nothing else ends it.', async () => {
  const stop = async (kind: JobKind, status: Job['status'], project_id = world.project.id) => {
    const { id } = await enqueue(kind)
    await setStatus(id, status)
    const stopped = await store()
      .write((tx) => stopJob(tx, project_id, id, world.clock.now()))
      .catch(({ code }: { code: string }) => code)
    return typeof stopped === 'string' ? stopped : stopped.status
  }
  for (const kind of ['bulk', 'segment_materialize'] as const)
    for (const status of ['queued', 'running'] as const) expect(await stop(kind, status)).toBe('cancelled')
  for (const status of ['completed', 'failed', 'cancelled'] as const)
    expect(await stop('bulk', status)).toBe('INVALID_STATE')
  for (const kind of ['import', 'campaign_prepare'] as const) expect(await stop(kind, 'queued')).toBe('INVALID_STATE')
  expect(await stop('bulk', 'queued', world.other.id)).toBe('NOT_FOUND')
  await clear()
})
