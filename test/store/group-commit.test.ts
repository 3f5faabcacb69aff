import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openStore, type Tx } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'

const url = `file:${join(scratchFolder(), 'grouped.db')}`
const store = await openStore({ url, grouped: true })
const beside = await openStore({ url })
await store.client.executeMultiple('CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT')
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

test('writes that come together are one commit, and each has its own answer', async () => {
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

test('what fails is undone alone, whether by itself or by the database', async () => {
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
    store.write((tx) =>
      tx.transaction(async (inner) => {
        await insert(inner as unknown as Tx, 'third')
      }),
    ),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await notes()).toEqual(['first', 'second', 'third'])
})

test('a work sees what those before it did, and nobody else sees it before all is committed', async () => {
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

test("a statement that comes after its work has ended is refused, and is in nobody else's", async () => {
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

test('when the database undoes all, nobody is told otherwise, and who waited is served', async () => {
  const outcomes = await Promise.allSettled([
    store.write((tx) => insert(tx, 'undone')),
    store.write((tx) => tx.run(sql`INSERT OR ROLLBACK INTO notes VALUES ('undone')`)),
    store.write((tx) => insert(tx, 'kept')),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await notes()).toEqual(['kept'])
})

test('a long work holds up those who are done no longer than itself', async () => {
  const order: string[] = []
  await Promise.all([
    store
      .write(async (tx) => {
        await insert(tx, 'long')
        const until = performance.now() + 6
        while (performance.now() < until);
      })
      .then(() => order.push('long')),
    store.write(async (tx) => {
      order.push('next begins')
      await insert(tx, 'next')
    }),
  ])
  expect(order).toEqual(['long', 'next begins'])
})

test('of a work that has failed nothing is kept, whatever it still does at the same time', async () => {
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
