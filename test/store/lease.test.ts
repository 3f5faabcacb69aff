import { readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'bun:test'
import {
  ALIVE_MS,
  registerWorker,
  keepAlive,
  removeWorker,
  livingWorkers,
  processIsAlive,
  removeDeadWorkers,
  requireSameTime,
  type WorkerIdentity,
} from '../../src/store/lease.ts'
import { openStore, type Reader } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'

const NOW = 1_750_000_000_000
const store = await openStore({ url: `file:${join(scratchFolder(), 'lease.db')}` })
await store.write((tx) =>
  tx.script(
    `CREATE TABLE workers (
       id TEXT PRIMARY KEY, host TEXT, pid INTEGER, started_at INTEGER, alive_until INTEGER, loops TEXT)`,
  ),
)
beforeEach(() => store.write((tx) => tx.script('DELETE FROM workers')))
afterAll(() => store.close())

/** A process id that no process of this machine has: Linux gives out none above 4,194,304. */
const DEAD_PID = 2 ** 22 + 1
const worker = (id: string, more: Partial<WorkerIdentity> = {}): WorkerIdentity => ({
  id,
  host: hostname(),
  pid: process.pid,
  ...more,
})
const enter = (identity: WorkerIdentity, kind: 'file' | 'server' = 'file', now = NOW) =>
  store.write((tx) => registerWorker(tx, identity, kind, now))
const living = (now = NOW) => livingWorkers(store.db, now)

test('On a database file a starting worker removes the rows of dead processes of its machine.', async () => {
  await enter(worker('dead', { pid: DEAD_PID }))
  await enter(worker('alive', { pid: process.ppid }))
  await enter(worker('new'))
  expect((await living()).toSorted()).toEqual(['alive', 'new'])
})

test('A worker that was declared dead registers again, and twice where two of its heartbeats found that.', async () => {
  await Promise.all([enter(worker('again'), 'server'), enter(worker('again'), 'server', NOW + 1)])
  expect(await living(NOW + ALIVE_MS)).toEqual(['again'])
})

test("A row with this process's own id is dead, because a restarted container reuses process ids.", async () => {
  await enter(worker('before'))
  await enter(worker('after'))
  expect(await living()).toEqual(['after'])
})

test('The workers of another host stay: their process numbers mean nothing on this machine.', async () => {
  await enter(worker('remote, same number', { host: 'elsewhere' }))
  await enter(worker('remote', { host: 'elsewhere', pid: DEAD_PID }))
  await enter(worker('new'))
  expect((await living()).toSorted()).toEqual(['new', 'remote', 'remote, same number'])
})

test('On a server no row is removed at a start: host name and number may be those of another container.', async () => {
  await enter(worker('same number'), 'server')
  await enter(worker('dead number', { pid: DEAD_PID }), 'server')
  await enter(worker('new'), 'server')
  expect(await living()).toHaveLength(3)
})

test('A worker that is not heard of is dead after its time, and is told so when it comes back.', async () => {
  await enter(worker('silent'))
  expect(await living(NOW + ALIVE_MS - 1)).toEqual(['silent'])
  expect(await living(NOW + ALIVE_MS)).toEqual([])
  await store.write((tx) => removeDeadWorkers(tx, NOW + ALIVE_MS - 1))
  expect(await store.write((tx) => keepAlive(tx, 'silent', NOW + ALIVE_MS - 1))).toBe(true)
  expect(await living(NOW + ALIVE_MS)).toEqual(['silent'])
  await store.write((tx) => removeDeadWorkers(tx, NOW + 2 * ALIVE_MS))
  expect(await store.write((tx) => keepAlive(tx, 'silent', NOW + 2 * ALIVE_MS))).toBe(false)
})

test('A worker that leaves removes its row alone.', async () => {
  await enter(worker('first', { host: 'a' }))
  await enter(worker('second', { host: 'b' }))
  await store.write((tx) => removeWorker(tx, 'first'))
  expect(await living()).toEqual(['second'])
})

test('A process is alive when it exists, also one of another user.', () => {
  expect([process.pid, 1, DEAD_PID].map(processIsAlive)).toEqual([true, true, false])
})

test.skipIf(process.platform !== 'linux')(
  'The number of a thread, or of a process that nobody waits for, is free.',
  async () => {
    const threads = readdirSync('/proc/self/task').map(Number)
    expect(threads.filter(processIsAlive)).toEqual([process.pid])
    // The shell becomes a program that does not wait for its child, which ends only then.
    const script = 'exec 3<&0; (read line <&3) & echo $!; exec sleep 60'
    const parent = Bun.spawn(['sh', '-c', script], { stdin: 'pipe' })
    const { value } = await parent.stdout.getReader().read()
    const child = Number(new TextDecoder().decode(value))
    while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() !== 'sleep') await new Promise(setImmediate)
    parent.stdin.write('\n')
    await parent.stdin.flush()
    while (!readFileSync(`/proc/${child}/status`, 'utf8').includes('zombie')) await new Promise(setImmediate)
    expect(processIsAlive(child)).toBe(false)
    parent.kill()
  },
)

test('A clock more than five seconds from that of the database server is refused.', async () => {
  const server = { all: async () => [{ at: NOW }] } as unknown as Reader
  const at = (...ms: number[]) =>
    requireSameTime(server, () => NOW + (ms.length > 1 ? ms.shift()! : ms[0]!)).then(
      () => null,
      (error: Error) => /is (\d+) seconds (ahead of|behind)/.exec(error.message)?.slice(1),
    )
  expect([await at(0), await at(5000), await at(-5000)]).toEqual([null, null, null])
  expect([await at(5001), await at(-90_000)]).toEqual([
    ['5', 'ahead of'],
    ['90', 'behind'],
  ])
  // The time that a slow answer takes is no difference.
  expect([await at(-20_000, 20_000), await at(5_000, 60_000), await at(-60_000, -5_000)]).toEqual([null, null, null])
  expect([await at(6_000, 60_000), await at(-60_000, -6_000)]).toEqual([
    ['6', 'ahead of'],
    ['6', 'behind'],
  ])
})
