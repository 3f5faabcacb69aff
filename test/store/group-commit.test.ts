import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openStore, type Tx } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'

const url = `file:${join(scratchFolder(), 'grouped.db')}`
const store = await openStore({ url, grouped: true })
const beside = await openStore({ url })
await store.write((tx) => tx.script('CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT'))
beforeEach(() => store.write((tx) => tx.run(sql`DELETE FROM notes`)))
afterAll(async () => {
  await store.close()
  await beside.close()
})

const insert = (tx: Tx, text: string) => tx.run(sql`INSERT INTO notes VALUES (${text})`)
const notes = async () =>
  (await beside.db.all<{ text: string }>(sql`SELECT text FROM notes ORDER BY text`)).map(({ text }) => text)
const revision = async () => {
  await new Promise<void>((resume) => {
    setImmediate(resume)
  })
  return beside.revision.now()!
}

test('Writes that arrive together are one commit, and each gets its own answer.', async () => {
  const before = await revision()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      store.write(async (tx) => {
        await insert(tx, String(index).padStart(2, '0'))
        return index
      }),
    ),
  )
  expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(await notes()).toHaveLength(20)
  expect(await revision()).toBe(before + 1)
})

test('A write that is alone has ended before the next iteration of the event loop.', async () => {
  let isNext = false
  setImmediate(() => {
    isNext = true
  })
  await store.write((tx) => insert(tx, 'alone'), { durable: false, alone: true })
  expect([isNext, await notes()]).toEqual([false, ['alone']])
})

test('A write that throws, or that the database refuses, is rolled back alone.', async () => {
  const outcomes = await Promise.allSettled([
    store.write((tx) => insert(tx, 'first')),
    store.write(async (tx) => {
      await insert(tx, 'lost')
      throw new Error('changed my mind')
    }),
    store.write(async (tx) => {
      await insert(tx, 'lost too')
      await insert(tx, 'first')
    }),
    store.write(async (tx) => {
      await insert(tx, 'second').catch(() => undefined)
      await insert(tx, 'first').catch(() => undefined)
    }),
    store.write((tx) => insert(tx, 'third')),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await notes()).toEqual(['first', 'second', 'third'])
})

test('A write sees the writes before it in its group; readers see none of them before the commit.', async () => {
  let seen: string[] = []
  let outside: string[] = ['?']
  await Promise.all([
    store.write((tx) => insert(tx, 'a')),
    store.write(async (tx) => {
      seen = (await tx.all<{ text: string }>(sql`SELECT text FROM notes`)).map(({ text }) => text)
      outside = await notes()
    }),
  ])
  expect([seen, outside, await notes()]).toEqual([['a'], [], ['a']])
})

test('A statement after the end of its write throws, and does not get into another write.', async () => {
  let late: Promise<unknown> | undefined
  const failed = store.write(async (tx) => {
    late = new Promise<void>((resume) => {
      setImmediate(resume)
    }).then(() => insert(tx, 'late'))
    late.catch(() => undefined)
    throw new Error('gone')
  })
  const other = store.write(async (tx) => {
    await late?.catch(() => undefined)
    await insert(tx, 'mine')
  })
  await expect(failed).rejects.toThrow('gone')
  await other
  await expect(late!).rejects.toThrow()
  expect(await notes()).toEqual(['mine'])
})

test('When the database rolls back a transaction every write in it fails, and waiting writes run.', async () => {
  const outcomes = await Promise.allSettled([
    store.write((tx) => insert(tx, 'undone')),
    store.write((tx) => tx.run(sql`INSERT OR ROLLBACK INTO notes VALUES ('undone')`)),
    store.write((tx) => insert(tx, 'kept')),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await notes()).toEqual(['kept'])
})

test('When the commit itself fails its writes are rolled back, and later writes run.', async () => {
  await store.write((tx) =>
    tx.script(`
      CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT;`),
  )
  const orphan = store.write((tx) => tx.run(sql`INSERT INTO children VALUES (1)`))
  await expect(orphan).rejects.toThrow()
  await store.write((tx) => insert(tx, 'later'))
  expect(await notes()).toEqual(['later'])
  expect(await beside.db.all(sql`SELECT * FROM children`)).toEqual([])
})

test('No further write joins a group that has already taken long.', async () => {
  const order: string[] = []
  await Promise.all([
    store
      .write(
        async (tx) => {
          await insert(tx, 'long')
          const until = performance.now() + 6
          while (performance.now() < until);
        },
        { durable: false },
      )
      .then(() => order.push('long')),
    store.write(async (tx) => {
      order.push('next begins')
      await insert(tx, 'next')
    }),
  ])
  expect(order).toEqual(['long', 'next begins'])
})

test('Nothing of a failed write is committed, even when its other statements run at the same time.', async () => {
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await Promise.resolve()
  }
  for (let alignment = 0; alignment < 40; alignment++) {
    const failed = store.write((tx) =>
      Promise.all([
        insert(tx, `begun ${alignment}`)
          .then(() => turns(alignment))
          .then(() => {
            throw new Error('gone')
          }),
        turns(20).then(() => insert(tx, `late ${alignment}`)),
      ]),
    )
    await Promise.allSettled([failed, store.write((tx) => insert(tx, `kept ${alignment}`))])
    await failed.then(
      () => {
        throw new Error('It was kept.')
      },
      () => undefined,
    )
  }
  expect((await notes()).filter((text) => !text.startsWith('kept'))).toEqual([])
  expect(await notes()).toHaveLength(40)
})
