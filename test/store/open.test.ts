import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'bun:test'
import { openStore } from '../../src/store/open.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
const fresh = (name: string) => `file:${join(folder, name)}`
const script = (text: string) => (tx: { script(text: string): Promise<void> }) => tx.script(text)

test('Writes run in order, and a failed one changes nothing.', async () => {
  const store = await openStore({ url: fresh('order.db') })
  await store.write(script('CREATE TABLE steps (n INTEGER)'))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) =>
      store.write(async (tx) => {
        await tx.run(sql`INSERT INTO steps VALUES (${n})`)
        await Promise.resolve()
        if (n % 10 === 3) throw new Error(`step ${n}`)
      }),
    ),
  )
  const stored = await store.db.all<{ n: number }>(sql`SELECT n FROM steps ORDER BY rowid`)
  expect(stored.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => n).filter((n) => n % 10 !== 3))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  await store.close()
})

test.each([true, false])('Statements after the end of their write throw (grouped: %p).', async (grouped) => {
  const store = await openStore({ url: fresh(`ended-${grouped}.db`), grouped })
  await store.write(script('CREATE TABLE steps (n INTEGER)'))
  const tx = await store.write(async (tx) => tx)
  await expect(tx.run(sql`INSERT INTO steps VALUES (1)`).execute()).rejects.toThrow('Failed query')
  await expect(tx.script('DELETE FROM steps')).rejects.toThrow('The transaction has ended.')
  expect(await store.query('SELECT * FROM steps')).toEqual([])
  await store.close()
})

test('A write inside a write is refused at once instead of waiting for itself.', async () => {
  const store = await openStore({ url: fresh('nested.db') })
  await expect(store.write(() => store.write(async () => 1))).rejects.toThrow('inside a write')
  expect(await store.write(async () => 2)).toBe(2)
  await store.close()
})

test('The store reads what it has committed, and its reading connection cannot write.', async () => {
  const store = await openStore({ url: fresh('reads.db') })
  await store.write(script('CREATE TABLE steps (n INTEGER)'))
  await store.write(async (tx) => {
    await tx.run(sql`INSERT INTO steps VALUES (1)`)
    expect(await store.query('SELECT n FROM steps')).toEqual([])
  })
  expect(await store.query('SELECT n FROM steps WHERE n = ?', [1])).toEqual([{ n: 1 }])
  expect(await store.heavy(sql`SELECT n FROM steps`)).toEqual([{ n: 1 }])
  await expect(store.query('DELETE FROM steps')).rejects.toThrow('readonly')
  await store.close()
  await expect(store.query('SELECT 1')).rejects.toThrow('closed')
})

test("Drizzle's builder answers rows, one row and values as its own drivers do.", async () => {
  const store = await openStore({ url: fresh('builder.db') })
  await store.write(script('CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT, disabled_at INTEGER)'))
  await store.write(async (tx) => {
    await tx.run(sql`INSERT INTO users VALUES ('usr_1', 'ada@example.com', NULL), ('usr_2', 'bob@example.com', 5)`)
  })
  const fields = { id: users.id, disabled_at: users.disabled_at }
  const all = store.db.select(fields).from(users).orderBy(users.id)
  expect(await all).toEqual([
    { id: 'usr_1', disabled_at: null },
    { id: 'usr_2', disabled_at: 5 },
  ])
  expect(await all.get()).toEqual({ id: 'usr_1', disabled_at: null })
  expect(await all.values()).toEqual([
    ['usr_1', null],
    ['usr_2', 5],
  ])
  expect(await store.db.$count(users)).toBe(2)
  expect(
    await store.db
      .select(fields)
      .from(users)
      .where(sql`${users.id} = ${sql.placeholder('id')}`)
      .prepare()
      .all({ id: 'usr_2' }),
  ).toEqual([{ id: 'usr_2', disabled_at: 5 }])
  await expect(store.db.all(sql`SELECT * FROM nowhere WHERE a = ${'secret'}`).execute()).rejects.toThrow(
    /^Failed query: SELECT \* FROM nowhere WHERE a = \?\nparams: secret$/,
  )
  await store.close()
})

test('A closed database is complete without its log, which only the first thread writes back.', async () => {
  const url = fresh('checkpoint.db')
  const [file, log] = [join(folder, 'checkpoint.db'), join(folder, 'checkpoint.db-wal')]
  const first = await openStore({ url })
  const second = await openStore({ url, queue_memory: first.queue!.memory })
  await first.write(script('CREATE TABLE steps (n INTEGER)'))
  await second.write(script('INSERT INTO steps VALUES (1)'))
  await second.query('SELECT * FROM steps')
  await second.close()
  expect(statSync(log).size).toBeGreaterThan(0)
  await first.close()
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
  await Bun.write(join(folder, 'copy.db'), Bun.file(file))
  const copy = await openStore({ url: fresh('copy.db') })
  expect(await copy.query('SELECT n FROM steps')).toEqual([{ n: 1 }])
  await copy.close()
})

test('A database that cannot be opened is an error that shows no password.', async () => {
  await expect(openStore({ url: `file:${join(folder, 'missing/folder.db')}` })).rejects.toThrow(/cannot be opened/)
  await expect(openStore({ url: 'http://user:secret@127.0.0.1:1' })).rejects.toThrow(
    /^The database http:\/\/127.0.0.1:1 cannot be reached/,
  )
})

test('Threads share one queue: their writes exclude each other and none is lost.', async () => {
  const url = fresh('threads.db')
  const store = await openStore({ url })
  await store.write(script('CREATE TABLE marks (thread INTEGER, n INTEGER)'))
  const WRITES = 200
  const worker = new Worker(new URL('../support/writing-thread.ts', import.meta.url).href)
  const done = new Promise<{ failed: string | null }>((resolve) => {
    worker.onmessage = (event: MessageEvent<{ failed: string | null }>) => resolve(event.data)
  })
  worker.postMessage({ url, memory: store.queue!.memory, writes: WRITES })
  for (let n = 0; n < WRITES; n++) await store.write((tx) => tx.run(sql`INSERT INTO marks VALUES (0, ${n})`))
  expect(await done).toEqual({ failed: null })
  worker.terminate()
  const counts = await store.db.all(sql`SELECT thread, count(*) AS n FROM marks GROUP BY thread ORDER BY thread`)
  expect(counts).toEqual([
    { thread: 0, n: WRITES },
    { thread: 1, n: WRITES },
  ])
  await store.close()
})
