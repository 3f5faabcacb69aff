import { join } from 'node:path'
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { FactLog } from '../../src/store/facts.ts'
import { openServerStore } from '../../src/store/server-store.ts'
import type { CommitWork, HeavyReading, HeavyTask, Store } from '../../src/store/store.ts'
import { scratchFolder } from '../support/folder.ts'

/** The client of the server also opens a file, which spares the server itself. */
const folder = scratchFolder()
/** A thread that says what it was asked. */
const thread = (name: string): HeavyReading => ({
  read: async () => [],
  run: async (task, input) => `${name}: ${task.name} ${String(input)}` as never,
})
const task = (timeout_ms?: number): HeavyTask<string, string> => ({
  name: 'count',
  ...(timeout_ms === undefined ? {} : { timeout_ms }),
  run: async (db, input) => {
    const [row] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM steps`)
    return `here: ${row!.n} ${input}`
  },
})

let store: Store
let url: string
beforeEach(async () => {
  url = `file:${join(folder, `${crypto.randomUUID()}.db`)}`
  store = await openServerStore({ url })
  await store.write((tx) => tx.script('CREATE TABLE steps (n INTEGER PRIMARY KEY, name TEXT)'))
})
afterEach(() => store.close())
const stored = () => store.query('SELECT n, name FROM steps ORDER BY n')

test('A write commits all of its work and answers, or changes nothing and throws.', async () => {
  const answer = await store.write(async (tx) => {
    await tx.run(sql`INSERT INTO steps VALUES (${1}, ${'one'})`)
    await tx.script("INSERT INTO steps VALUES (2, 'two'); INSERT INTO steps VALUES (3, NULL)")
    return 'written'
  })
  expect(answer).toBe('written')
  const failing = store.write(async (tx) => {
    await tx.run(sql`DELETE FROM steps`)
    throw new Error('broken on purpose')
  })
  await expect(failing).rejects.toThrow('broken on purpose')
  expect(await stored()).toEqual([
    { n: 1, name: 'one' },
    { n: 2, name: 'two' },
    { n: 3, name: null },
  ])
  expect(await store.query('SELECT name FROM steps WHERE n = ?', [2])).toEqual([{ name: 'two' }])
  expect(await store.heavy(sql`SELECT n FROM steps WHERE n > 2`)).toEqual([{ n: 3 }])
  // The server has answered for the disk already.
  await store.flush()
})

test('A write inside a write is refused.', async () => {
  await expect(store.write(() => store.write(async () => 1))).rejects.toThrow('inside a write')
})

test('The work before a commit happens once, with all entries, and fails with the write.', async () => {
  const calls: unknown[] = []
  const work: CommitWork<number> = async (tx, entries) => {
    calls.push([entries, await tx.all(sql`SELECT max(n) AS n FROM steps`)])
    if (entries.includes(0)) throw new Error('refused')
  }
  await store.write(async (tx) => {
    tx.beforeCommit(work, 1)
    tx.beforeCommit(work, 2)
    await tx.run(sql`INSERT INTO steps VALUES (4, 'four')`)
  })
  expect(calls).toEqual([[[1, 2], [{ n: 4 }]]])
  const refused = store.write(async (tx) => {
    tx.beforeCommit(work, 0)
    await tx.run(sql`DELETE FROM steps`)
  })
  await expect(refused).rejects.toThrow('refused')
  expect(await stored()).toHaveLength(1)
})

test('A write that lost a race runs again, up to six times, and one that failed otherwise does not.', async () => {
  const sleep = spyOn(Bun, 'sleep').mockResolvedValue()
  const attempts = async (losses: number, error: object) => {
    let tried = 0
    const outcome = await store
      .write(async (tx) => {
        tried += 1
        await tx.run(sql`INSERT INTO steps VALUES (${100 + tried}, 'tried')`)
        if (tried <= losses) throw error
        return 'written'
      })
      .catch((thrown: unknown) => thrown)
    const [kept] = await store.query("SELECT count(*) AS n FROM steps WHERE name = 'tried'")
    await store.write((tx) => tx.run(sql`DELETE FROM steps WHERE name = 'tried'`))
    return { tried, outcome, kept: kept!.n }
  }
  const busy = { code: 'SQLITE_BUSY' }
  expect(await attempts(5, busy)).toEqual({ tried: 6, outcome: 'written', kept: 1 })
  expect(await attempts(9, busy)).toEqual({ tried: 6, outcome: busy, kept: 0 })
  const pauses = sleep.mock.calls.slice(0, 5).map(([ms]) => Number(ms))
  expect(pauses.map((ms, at) => ms >= 5 * 2 ** (at + 1) && ms < 5 * 2 ** (at + 1) + 32)).toEqual(pauses.map(() => true))
  expect(sleep).toHaveBeenCalledTimes(10)
  const broken = new Error('broken on purpose')
  expect(await attempts(9, broken)).toEqual({ tried: 1, outcome: broken, kept: 0 })
  expect(sleep).toHaveBeenCalledTimes(10)
  sleep.mockRestore()
})

test('A task with a time limit runs on another thread, if there is one, and any other task here.', async () => {
  expect(await store.heavyTask(task(), 'in')).toBe('here: 0 in')
  expect(await store.heavyTask(task(5), 'in')).toBe('here: 0 in')
  for (const [options, name] of [
    [{ heavy: thread('heavy') }, 'heavy'],
    [{ heavy: thread('heavy'), limited: thread('limited') }, 'limited'],
    [{ limited: thread('limited') }, 'limited'],
  ] as const) {
    const other = await openServerStore({ url, ...options })
    expect(await other.heavyTask(task(5), 'in')).toBe(`${name}: count in`)
    expect(await other.heavyTask(task(), 'in')).toBe('here: 0 in')
    await other.close()
  }
})

test('The database of a server has no revisions, so nothing that was read is kept.', async () => {
  let reads = 0
  const read = async () => ++reads
  expect([await store.readCache('key', read), await store.readCache('key', read)]).toEqual([1, 2])
  expect([store.revision.now(), store.queue, store.kind]).toEqual([null, null, 'server'])
})

test('A store that closes also closes its facts and its connections.', async () => {
  let closed = 0
  const facts = { close: async () => void closed++ } as unknown as FactLog
  const other = await openServerStore({ url, facts })
  expect(other.facts).toBe(facts)
  await other.write(async (tx) => expect(tx.facts).toBe(facts))
  await other.close()
  expect(closed).toBe(1)
  await expect(other.query('SELECT 1')).rejects.toThrow(/closed/i)
})

test('A server that answers a statement with 404 counts as one that does not answer.', async () => {
  const ending = Bun.serve({
    port: 0,
    fetch: ({ method }) => new Response(null, { status: method === 'GET' ? 200 : 404 }),
  })
  try {
    await expect(openServerStore({ url: ending.url.href })).rejects.toThrow('The server answered 404.')
  } finally {
    await ending.stop(true)
  }
})
