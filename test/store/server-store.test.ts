import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { SilentDatabase } from '../../src/errors.ts'
import type { FactLog } from '../../src/store/facts.ts'
import { openServerStore } from '../../src/store/server-store.ts'
import type { CommitWork, HeavyReading, HeavyTask, Store, Tx } from '../../src/store/store.ts'
import { type DatabaseProxy, startDatabaseProxy, streamOf } from '../support/database-proxy.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'

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

let server: LibsqlServer
let proxy: DatabaseProxy
let store: Store
beforeAll(async () => {
  server = await startLibsqlServer()
  proxy = startDatabaseProxy(server.url)
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})
beforeEach(async () => {
  store = await openServerStore({ url: proxy.url })
  const table = 'CREATE TABLE steps (n INTEGER PRIMARY KEY, name TEXT)'
  await store.write((tx) => tx.script(`DROP TABLE IF EXISTS steps; ${table}`))
})
afterEach(async () => {
  proxy.intercept = null
  await store.close()
})
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

test('The first read of the work before a commit travels with the last statement of the writes.', async () => {
  const ahead = sql`SELECT count(*) AS ahead FROM steps`
  const found: unknown[] = []
  const work: CommitWork<string> = Object.assign(async (tx: Tx) => void found.push(await tx.all(ahead)), { ahead })
  const requests: string[] = []
  proxy.intercept = (text) => {
    requests.push(['SAVEPOINT', 'INSERT', 'AS ahead', 'COMMIT'].filter((part) => text.includes(part)).join(' '))
    return null
  }
  await store.write(async (tx) => {
    tx.beforeCommit(work, 'one')
    await tx.later(sql`INSERT INTO steps VALUES (1, 'one')`)
  })
  expect([requests, found]).toEqual([['SAVEPOINT INSERT AS ahead', 'COMMIT'], [[{ ahead: 1 }]]])
})

test('Writes that wait together share a commit, and one that fails leaves no trace among them.', async () => {
  const now = spyOn(performance, 'now').mockReturnValue(0) // Others join a write for 20 ms only.
  const commits: unknown[] = []
  const work: CommitWork<string> = async (_, entries) => void commits.push(entries)
  const add = (name: string, more: (tx: Tx) => Promise<unknown> = async () => name) =>
    store.write(async (tx) => {
      tx.beforeCommit(work, name)
      await tx.later(sql`INSERT INTO steps (name) VALUES (${name})`)
      return more(tx)
    })
  const again = sql`INSERT INTO steps VALUES (1, 'again')`
  const outcomes = await Promise.allSettled([
    add('one'),
    add('thrown', async () => Promise.reject(new Error('broken on purpose'))),
    add('late error', (tx) => tx.later(again)),
    add('two', (tx) => tx.all(sql`SELECT count(*) AS n FROM steps`)),
    add('error', (tx) => tx.run(again)),
    add('unstorable', (tx) => tx.run(sql`INSERT INTO steps VALUES (${Number.NaN}, NULL)`)),
    add('caught', async (tx) => {
      await expect((async () => tx.run(again))()).rejects.toThrow('Failed query')
      return 'caught'
    }),
  ])
  now.mockRestore()
  expect(outcomes.map((one) => ('value' in one ? one.value : String(one.reason.cause ?? one.reason)))).toEqual([
    'one',
    'Error: broken on purpose',
    expect.stringContaining('UNIQUE constraint failed: steps.n'),
    [{ n: 2 }],
    expect.stringContaining('UNIQUE constraint failed: steps.n'),
    'TypeError: NaN cannot be stored in the database.',
    'caught',
  ])
  expect((await stored()).map(({ name }) => name)).toEqual(['one', 'two', 'caught'])
  expect(commits).toEqual([['one', 'two', 'caught']])
})

test('A write that was given an outdated read runs again with the present one.', async () => {
  const read = sql`SELECT count(*) AS n FROM steps`
  expect(await store.db.all(read)).toEqual([{ n: 0 }])
  const other = await openServerStore({ url: server.url })
  await other.write((tx) => tx.run(sql`INSERT INTO steps VALUES (1, 'one')`))
  await other.close()
  const seen: number[] = []
  const count = () =>
    store.write(async (tx) => {
      const [row] = await tx.all<{ n: number }>(read)
      seen.push(row!.n)
      await tx.later(sql`INSERT INTO steps VALUES (${10 + row!.n}, 'counted')`)
      if (row!.n === 0) throw new Error('There is nothing.')
      const [after] = await tx.all<{ n: number }>(read)
      return after!.n
    })
  expect(await count()).toBe(2)
  expect(seen).toEqual([0, 1])
  expect((await stored()).map(({ n }) => n)).toEqual([1, 11])
})

test('A write that expects to find nothing goes on at once, and runs again when there was something.', async () => {
  const seen: number[] = []
  const insert = (n: number) =>
    store.write(async (tx) => {
      const found = await tx.expectNone(sql`SELECT n FROM steps WHERE n = ${n}`)
      seen.push(found.length)
      if (found.length > 0) return 'found'
      await tx.later(sql`INSERT INTO steps VALUES (${n}, 'one')`)
      return 'inserted'
    })
  expect([await insert(1), await insert(1), await insert(2)]).toEqual(['inserted', 'found', 'inserted'])
  expect(seen).toEqual([0, 0, 1, 0])
})

test('Equal reads that begin together, or before the first change of a write, are sent once.', async () => {
  let sent = 0
  proxy.intercept = (text) => {
    if (text.includes('AS told')) sent++
    return null
  }
  const read = (n: number) => store.db.all<{ told: number }>(sql`SELECT ${n} + count(*) AS told FROM steps`)
  const together = await Promise.all([read(1), read(1), read(2)])
  expect([together.map(([row]) => row!.told), sent]).toEqual([[1, 1, 2], 2])
  expect(together[0]).not.toBe(together[1])
  await store.write((tx) => tx.run(sql`INSERT INTO steps VALUES (1, 'one')`))
  expect([await read(1), sent]).toEqual([[{ told: 2 }], 3])
  await store.write(async (tx) => {
    const counted = () => tx.all(sql`SELECT count(*) AS told FROM steps WHERE n > 0`)
    expect([await counted(), await counted(), sent]).toEqual([[{ told: 1 }], [{ told: 1 }], 4])
    await tx.later(sql`DELETE FROM steps`)
    expect([await counted(), sent]).toEqual([[{ told: 0 }], 5])
  })
})

test('Equal reads that come while one is on its way wait for it and share the next one.', async () => {
  const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let sent = 0
  proxy.intercept = async (text) => {
    if (!text.includes('AS met')) return null
    sent++
    arrived.resolve()
    await held.promise
    return null
  }
  const read = async () => store.db.all<{ met: number }>(sql`SELECT count(*) AS met FROM steps`)
  const first = read()
  await arrived.promise
  const later = [read(), read()]
  await store.write((tx) => tx.run(sql`INSERT INTO steps (name) VALUES ('meanwhile')`))
  later.push(read())
  held.resolve()
  const all = await Promise.all([first, ...later])
  expect([new Set(all.slice(1).map(([row]) => row!.met)).size, sent]).toEqual([1, 2])
})

test('A server that forgot its streams, as after a restart, is asked again.', async () => {
  const forgets = (what: string) => {
    let isLeft = true
    proxy.intercept = async (text) => {
      const baton = streamOf(text)
      if (!isLeft || baton === null || !text.includes(what)) return null
      isLeft = false
      const body = JSON.stringify({ baton, requests: [{ type: 'close' }] })
      await fetch(`${server.url}/v3/pipeline`, { method: 'POST', body })
      return new Response('Received an invalid baton', { status: 400 })
    }
  }
  const tried: string[] = []
  const insert = (name: string) =>
    store.write(async (tx) => {
      tried.push(name)
      await tx.all(sql`INSERT INTO steps (name) VALUES (${name}) RETURNING n`)
      await tx.all(sql`SELECT n FROM steps`)
    })
  for (const [index, statement] of ['BEGIN', 'SELECT n FROM steps', 'COMMIT'].entries()) {
    forgets(statement)
    await Promise.all([insert(`${index} a`), insert(`${index} b`)])
  }
  forgets('ORDER BY n')
  expect(await stored()).toHaveLength(6)
  // Without its first statement a transaction never begins, so only later losses run the work again.
  expect(tried.filter((name) => name === '0 a')).toHaveLength(1)
  expect(tried.filter((name) => name === '2 a')).toHaveLength(2)
})

test('A server that falls silent fails the writes that it was given, and no later one.', async () => {
  proxy.intercept = (text) => (text.includes('COMMIT') ? 'lose' : null)
  const writes = Array.from({ length: 70 }, (_, n) =>
    store.write((tx) => tx.later(sql`INSERT INTO steps VALUES (${n}, 'x')`)),
  )
  const outcomes = await Promise.allSettled(writes)
  expect(outcomes.map((one) => 'reason' in one && one.reason instanceof SilentDatabase)).toEqual(
    outcomes.map(() => true),
  )
  proxy.intercept = (text) => (text.includes('COMMIT') ? 'lose answer' : null)
  const committed = ['a', 'b'].map((name) =>
    store.write((tx) => tx.later(sql`INSERT INTO steps (name) VALUES (${name})`)),
  )
  for (const { reason } of (await Promise.allSettled(committed)) as PromiseRejectedResult[])
    expect(reason).toBeInstanceOf(SilentDatabase)
  proxy.intercept = null
  await store.write((tx) => tx.run(sql`INSERT INTO steps (name) VALUES ('after')`))
  expect((await stored()).map(({ name }) => name)).toEqual(['a', 'b', 'after'])
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
    const other = await openServerStore({ url: server.url, ...options })
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
  const other = await openServerStore({ url: server.url, facts })
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
