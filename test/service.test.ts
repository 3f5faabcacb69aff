import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FixedClock } from '../src/clock.ts'
import { type Config, configOf } from '../src/config.ts'
import { startService } from '../src/service.ts'
import { DatabaseConnection } from '../src/store/database-connection.ts'
import type { ToWorker, WorkerSetup } from '../src/threads/messages.ts'
import { firstLine, scratchFolder, start } from './cli/masthead.ts'
import { FakeThread, fakeThreads } from './support/fake-thread.ts'

const scratch = scratchFolder()
afterAll(() => scratch.remove())

test('After SIGTERM the database file alone is complete.', async () => {
  const service = start(scratch.path, ['serve', '--port', '0', '--log-level', 'error'])
  await firstLine(service)
  const data = join(scratch.path, 'data')
  const log = join(data, 'masthead.db-wal')
  expect(statSync(log).size).toBeGreaterThan(0)
  service.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0)

  const copy = join(scratch.path, 'copy.db')
  copyFileSync(join(data, 'masthead.db'), copy)
  const connection = new DatabaseConnection({ path: copy, read_only: true, synchronous: 'NORMAL' })
  expect(connection.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  // What the service wrote last: its loops took their worker out of the table.
  expect(connection.values('SELECT count(*) FROM workers')).toEqual([[0]])
  expect(connection.values('SELECT count(*) FROM schema_migrations')[0]![0]).toBeGreaterThan(0)
  connection.close()
  expect(readdirSync(data)).toContain('secret.key')
})

/** A thread of the loops, which stops when it is told to. */
class LoopThread extends FakeThread {
  override postMessage(message: ToWorker): void {
    super.postMessage(message)
    if ('setup' in message) queueMicrotask(() => this.says({ ready: true }))
    if ('stop' in message) queueMicrotask(() => this.says({ stopped: true }))
    if ('drain' in message) queueMicrotask(() => this.says({ drained: message.id }))
  }
}

async function serving(role: Config['role'], options: { loops?: 'still' } = {}) {
  const { threads, taken } = fakeThreads(() => new LoopThread())
  const clock = new FixedClock(1_750_000_000_000)
  const fatal: string[] = []
  const config = configOf({ port: 0, data_dir: join(scratch.path, crypto.randomUUID()), role, log_level: 'error' })
  const service = await startService(config, { clock, threads, onFatal: (reason) => fatal.push(reason), ...options })
  const ready = async () => {
    const answer = await fetch(`${service.url}/readyz`)
    return [answer.status, ((await answer.json()) as { reason?: string }).reason]
  }
  return { service, taken, clock, fatal, ready }
}

test('A service is ready while its loops are heard of, wakes them, and ends with them.', async () => {
  const { service, taken, clock, fatal, ready } = await serving('all')
  const [thread] = taken as [FakeThread]
  const [first, second] = thread.told
  expect(first).toEqual({ load: 'loops' })
  const { setup } = second as { setup: WorkerSetup }
  expect(setup).toMatchObject({ part: 'loops', base_url: service.url, scheduled: true })
  expect(setup.clock_memory).toBe(clock.memory)
  expect(setup.queue_memory).toBe(service.runtime.store.queue!.memory)
  service.runtime.wake('mail')
  expect(thread.told[2]).toEqual({ wake: 'mail' })
  clock.advance(20_000)
  expect(await ready()).toEqual([200, undefined])
  clock.advance(1)
  expect(await ready()).toEqual([503, 'The loops do not respond.'])
  thread.says({ alive: clock.now() })
  expect(await ready()).toEqual([200, undefined])
  thread.dispatchEvent(new Event('close'))
  expect(fatal).toEqual(['The thread of the loops ended.'])
  await service.close()
  await expect(fetch(`${service.url}/readyz`)).rejects.toThrow()
  await expect(service.runtime.store.query('SELECT 1')).rejects.toThrow('closed')
})

test('A service of the role web has no loops and is ready without them.', async () => {
  const { service, taken, ready } = await serving('web')
  service.runtime.wake('mail')
  expect([taken.length, await ready()]).toEqual([0, [200, undefined]])
  await service.close()
})

test('A service whose loops are still starts them with the first that is drained, once.', async () => {
  const { service, taken, ready } = await serving('all', { loops: 'still' })
  expect([taken.length, await ready()]).toEqual([0, [200, undefined]])
  await Promise.all([service.drain('mail'), service.drain('jobs')])
  expect([taken.length, taken[0]!.told.slice(1)]).toEqual([
    1,
    [
      { drain: 'mail', id: 1 },
      { drain: 'jobs', id: 2 },
    ],
  ])
  expect((taken[0]!.told[0] as { setup: WorkerSetup }).setup.scheduled).toBe(false)
  await service.close()
  expect(taken[0]!.told.at(-1)).toEqual({ stop: true })
})

test('A service whose loops cannot start does not start either, and lets go of its database.', async () => {
  const refusing = new FakeThread()
  refusing.postMessage = (message) => {
    refusing.told.push(message)
    if ('setup' in message) queueMicrotask(() => refusing.says({ failed: 'no memory' }))
  }
  const { threads } = fakeThreads(() => refusing)
  const data_dir = join(scratch.path, 'refused')
  const starting = startService(configOf({ port: 0, data_dir, log_level: 'error' }), { threads })
  await expect(starting).rejects.toThrow('no memory')
  const log = join(data_dir, 'masthead.db-wal')
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
})
