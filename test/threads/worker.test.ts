import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { Cron } from 'croner'
import { type Config, configOf } from '../../src/config.ts'
import { systemClock } from '../../src/clock.ts'
import { makeKeyFile } from '../../src/key-file.ts'
import { migrationsFolder } from '../../src/service.ts'
import { HEARTBEAT_MS } from '../../src/store/lease.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import type { FromWorker, ToWorker, WorkerSetup } from '../../src/threads/messages.ts'
import { scratchFolder } from '../support/folder.ts'

/** The thread's own code, run in this thread: `tell` is what the main thread would send. */
const folder = scratchFolder()
const heard: FromWorker[] = []
const scope = globalThis as unknown as { onmessage: unknown; postMessage(message: FromWorker): void }
const before = { onmessage: scope.onmessage, postMessage: scope.postMessage }
let waiting: (() => void)[] = []
const tell = (message: ToWorker) => (scope.onmessage as (event: { data: ToWorker }) => void)({ data: message })
/** The first message of a kind that has not been taken yet. */
async function next<Kind extends string>(kind: Kind): Promise<Extract<FromWorker, Record<Kind, unknown>>> {
  for (;;) {
    const at = heard.findIndex((message) => kind in message)
    if (at !== -1) return heard.splice(at, 1)[0] as Extract<FromWorker, Record<Kind, unknown>>
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}

let config: Config
let store: Store
let setup: Omit<WorkerSetup, 'part'>
beforeAll(async () => {
  const database_url = `file:${join(folder, 'masthead.db')}`
  config = configOf({ data_dir: folder, log_level: 'error' })
  store = await openStore({ url: database_url })
  await migrate(store, migrationsFolder, systemClock)
  makeKeyFile(join(folder, 'secret.key'))
  const { memory: queue_memory } = store.queue!
  const base_url = 'https://masthead.example'
  const faults_memory = new SharedArrayBuffer(4)
  const nothing = { native_module: null, clock_memory: null }
  setup = { ...nothing, config, database_url, queue_memory, faults_memory, base_url, scheduled: false }
  scope.postMessage = (message) => {
    heard.push(message)
    for (const resolve of waiting.splice(0)) resolve()
  }
})
/** A thread begins with its code loaded anew. */
const newCode = () => `../../src/threads/worker.ts?${crypto.randomUUID()}`
beforeEach(async () => {
  heard.length = 0
  await import(newCode())
})
afterAll(async () => {
  waiting = []
  Object.assign(scope, before)
  await store.close()
})

test('A reading thread answers queries and known tasks, with their errors, and may be set up again.', async () => {
  tell({ read: { id: 0, sql: 'SELECT 0', args: [] } }) // before its setup nobody waits for it
  for (const round of [1, 2]) {
    tell({ setup: { ...setup, part: 'reads' } })
    // What comes while it starts is answered afterwards.
    tell({ read: { id: round, sql: 'SELECT ? AS n', args: [round] } })
    expect(await next('ready')).toEqual({ ready: true })
    expect(await next('answer')).toEqual({ answer: { id: round, result: [{ n: round }] } })
    tell({ read: { id: 10, sql: 'DELETE FROM users', args: [] } })
    expect((await next('answer')).answer).toMatchObject({ id: 10, error: expect.stringContaining('readonly') })
    tell({ read: { id: 11, task: 'nothing', input: {} } })
    expect(await next('answer')).toEqual({ answer: { id: 11, error: 'There is no task nothing.' } })
    const file = join(folder, `copy-${round}.db`)
    tell({ read: { id: 12, task: 'backup', input: { database: join(folder, 'masthead.db'), file } } })
    expect((await next('answer')).answer).toEqual({ id: 12, result: { size_bytes: Bun.file(file).size } })
    tell({ stop: true })
    expect(await next('stopped')).toEqual({ stopped: true })
  }
  expect(heard).toEqual([])
})

test('The loops register, keep themselves alive, register again when they were lost, and leave.', async () => {
  const beats: [() => void, number][] = []
  const interval = spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, ms: number) => {
    beats.push([work, ms])
    return { unref: () => undefined }
  }) as never)
  const clear = spyOn(globalThis, 'clearInterval').mockImplementation(() => undefined)
  const rejections = process.listenerCount('unhandledRejection')
  const workers = () => store.query('SELECT id, pid, loops FROM workers')
  tell({ setup: { ...setup, part: 'loops' } })
  expect(await next('ready')).toEqual({ ready: true })
  const [first] = await workers()
  expect(first).toMatchObject({ id: expect.stringMatching(/^prc_/), pid: process.pid })
  expect(process.listenerCount('unhandledRejection')).toBe(rejections + 1)
  const beat = beats.find(([, ms]) => ms === HEARTBEAT_MS)
  const expire = () => store.write((tx) => tx.script('UPDATE workers SET alive_until = 0'))
  const aliveUntil = async () => Number((await store.query('SELECT max(alive_until) AS at FROM workers'))[0]!.at)

  await expire()
  tell({ drain: 'mail', id: 5 })
  expect(await next('drained')).toEqual({ drained: 5 })
  beat![0]()
  expect((await next('alive')).alive).toBeLessThanOrEqual(Date.now())
  expect(await aliveUntil()).toBeGreaterThan(Date.now())
  expect(JSON.parse(String((await workers())[0]!.loops))).toHaveProperty('mail')

  await store.write((tx) => tx.script('DELETE FROM workers'))
  const warned = spyOn(process.stderr, 'write').mockReturnValue(true)
  beat![0]()
  await next('alive')
  warned.mockRestore()
  expect(await workers()).toMatchObject([{ id: first!.id as string }])

  tell({ stop: true })
  expect(await next('stopped')).toEqual({ stopped: true })
  expect(await workers()).toEqual([])
  expect(process.listenerCount('unhandledRejection')).toBe(rejections)
  expect(clear).toHaveBeenCalledTimes(3)
  interval.mockRestore()
  clear.mockRestore()
})

test('Loops that start continue at once what was left, and count the campaigns that a restore paused.', async () => {
  // No loop runs because its time has come.
  const schedule = spyOn(Cron.prototype, 'schedule').mockReturnThis()
  const beats: (() => void)[] = []
  const interval = spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, ms: number) => {
    if (ms === HEARTBEAT_MS) beats.push(work)
    return { unref: () => undefined }
  }) as never)
  const campaign = (status: string, reason: string) => `
    INSERT INTO campaigns (project_id, name, search_key, subject, editor_json, audience_spec, track_opens,
      track_clicks, status, failure, created_at, updated_at)
    VALUES (1, '', '', '', '{}', '{}', 0, 0, '${status}', '{"reason":"${reason}"}', 0, 0);`
  const paused = [
    ['paused', 'Paused by a restore. a'],
    ['paused', 'Paused by a restore. b'],
    ['paused', 'Other.'],
  ]
  const rows = [...paused, ['cancelled', 'Paused by a restore. c']]
  await store.write((tx) =>
    tx.script(`
      INSERT INTO projects (id, public_id, name, slug, created_at, updated_at) VALUES (1, 'prj_a', 'A', 'a', 0, 0)`),
  )
  await store.write((tx) => tx.script(rows.map(([status, reason]) => campaign(status!, reason!)).join('')))
  tell({ setup: { ...setup, part: 'loops', scheduled: true } })
  await next('ready')
  beats[0]!()
  await next('alive')
  expect(heard.filter((message) => 'paused' in message)).toEqual([{ paused: 'restore' }, { paused: 'restore' }])
  const [worker] = await store.query('SELECT loops FROM workers')
  expect(JSON.parse(String(worker!.loops))).toMatchObject({ jobs: {}, delivery: {} })
  tell({ stop: true })
  await next('stopped')
  heard.length = 0
  interval.mockRestore()
  schedule.mockRestore()
})

// The last one: a thread that failed takes no other setup.
test('A thread whose database cannot be opened says why.', async () => {
  tell({ setup: { ...setup, part: 'reads', database_url: 'file:/nowhere/at/all.db' } })
  expect((await next('failed')).failed).toContain('The database file:/nowhere/at/all.db cannot be opened')
})
