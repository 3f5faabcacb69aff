import { afterEach, beforeEach, expect, test } from 'bun:test'
import { enterWorker, keepAlive, livingWorkers } from '../../src/store/lease.ts'
import { workers } from '../../src/store/tables/operation.ts'
import { createWorld, START, type World } from '../support/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
  await store().write((tx) => tx.delete(workers))
})
afterEach(() => world.close())

const store = () => world.service.runtime.store
/** No process has this number: Linux gives at most 2^22. */
const DEAD_PID = 2 ** 30
const enter = (id: string, host: string, pid: number, database: 'file' | 'server' = 'file') =>
  store().write((tx) => enterWorker(tx, { id, host, pid }, database, START))
const add = (id: string, host: string, pid: number) =>
  store().write((tx) => tx.insert(workers).values({ id, host, pid, started_at: START, alive_until: START + 20_000 }))
const living = async () => (await livingWorkers(store().db, START)).toSorted()

test("a container that restarts with the same process number ends the worker before it, and no other host's", async () => {
  await add('before', 'here', process.pid)
  await add('elsewhere', 'another host', process.pid)
  await add('elsewhere too', 'another host', DEAD_PID)
  await enter('now', 'here', process.pid)
  expect(await living()).toEqual(['elsewhere', 'elsewhere too', 'now'])
})

test('dead processes of this host are ended at once, living ones are not', async () => {
  await add('dead', 'here', DEAD_PID)
  await add('alive', 'here', process.ppid)
  await enter('now', 'here', process.pid)
  expect(await living()).toEqual(['alive', 'now'])
})

test('on a database server a host name and a process number prove nothing: rows have to become stale', async () => {
  await add('before', 'here', process.pid)
  await add('dead', 'here', DEAD_PID)
  await enter('now', 'here', process.pid, 'server')
  expect(await living()).toEqual(['before', 'dead', 'now'])
  expect(await livingWorkers(store().db, START + 20_000)).toEqual([])
})

test('a worker that was declared dead learns so from its next heartbeat', async () => {
  await enter('now', 'here', process.pid)
  expect(await store().write((tx) => keepAlive(tx, 'now', START + 1))).toBe(true)
  await store().write((tx) => tx.delete(workers))
  expect(await store().write((tx) => keepAlive(tx, 'now', START + 2))).toBe(false)
})
