import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { expect, test } from 'bun:test'
import { openStore } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
const fresh = (name: string) => `file:${join(folder, name)}`

test('after SQLITE_BUSY a write on the same store is still on disk when the database is opened again', async () => {
  const url = fresh('busy.db')
  const other = createClient({ url, timeout: 50 })
  await other.execute('PRAGMA journal_mode=WAL')
  await other.execute('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)')
  const victim = createClient({ url, timeout: 50, concurrency: 1 })
  const blocking = await other.transaction('write')
  await blocking.execute("INSERT INTO notes (text) VALUES ('blocking')")
  await expect(victim.execute("INSERT INTO notes (text) VALUES ('refused')")).rejects.toThrow(/locked|BUSY/i)
  await blocking.commit()
  for (let n = 0; n < 5; n++) await victim.execute({ sql: 'INSERT INTO notes (text) VALUES (?)', args: [`kept ${n}`] })
  victim.close()
  other.close()

  const later = createClient({ url })
  const { rows } = await later.execute('SELECT text FROM notes ORDER BY id')
  expect(rows.map((row) => row.text)).toEqual(['blocking', 'kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4'])
  later.close()
})

test('every pooled connection has the PRAGMAs, not only the one that ran them', async () => {
  const store = await openStore({ url: fresh('pragmas.db') })
  // Eight transactions at once take all eight connections of the pool.
  const held = await Promise.all(Array.from({ length: 8 }, () => store.client.transaction('read')))
  for (const transaction of held) {
    const value = async (pragma: string) => Object.values((await transaction.execute(`PRAGMA ${pragma}`)).rows[0]!)[0]
    expect(await value('foreign_keys')).toBe(1)
    expect(await value('synchronous')).toBe(1)
    expect(await value('cache_size')).toBe(-6000)
    expect(await value('journal_mode')).toBe('wal')
  }
  for (const transaction of held) transaction.close()
  await store.close()
})

test('writes wait for each other in order, and a failed one leaves nothing', async () => {
  const store = await openStore({ url: fresh('order.db') })
  await store.client.execute('CREATE TABLE steps (n INTEGER)')
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) =>
      store.write(async (tx) => {
        await tx.run(sql`INSERT INTO steps VALUES (${n})`)
        await Promise.resolve()
        if (n % 10 === 3) throw new Error(`step ${n}`)
      }),
    ),
  )
  const kept = await store.db.all<{ n: number }>(sql`SELECT n FROM steps ORDER BY rowid`)
  expect(kept.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => n).filter((n) => n % 10 !== 3))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  await store.close()
})

test('a write inside a write is refused at once instead of waiting for itself', async () => {
  const store = await openStore({ url: fresh('nested.db') })
  await expect(store.write(() => store.write(async () => 1))).rejects.toThrow('inside a write')
  expect(await store.write(async () => 2)).toBe(2)
  await store.close()
})

test('threads share one queue: none of their writes meets another and none is lost', async () => {
  const url = fresh('threads.db')
  const store = await openStore({ url })
  await store.client.execute('CREATE TABLE marks (thread INTEGER, n INTEGER)')
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
