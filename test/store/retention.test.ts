import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { applyRetention, deleteWhere, type RetentionRule, surplusOf } from '../../src/store/retention.ts'
import type { Store, Tx } from '../../src/store/store.ts'
import { newList, newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

test('Each rule runs once in batches, and it is told whether there is more to remove.', async () => {
  const project = await newProject()
  for (let at = 0; at < 3; at++) await newList(project)
  const rule: RetentionRule = {
    rows: 'lists',
    kept: 'never',
    batch: 2,
    statement: (now, limit) => deleteWhere('lists', 'id', sql`project_id = ${project} AND created_at < ${now}`, limit),
  }
  const store = await sharedStore()
  const left = async () => (await store.db.all(sql`SELECT 1 FROM lists WHERE project_id = ${project}`)).length
  expect([await applyRetention(store, [rule], NOW), await left()]).toEqual([false, 3])
  // A rule that has more rows is reported even when a later rule has none.
  const none = { ...rule, statement: (_: number, limit: number) => rule.statement(NOW, limit) }
  expect([await applyRetention(store, [rule, none], NOW + 1), await left()]).toEqual([true, 1])
  expect([await applyRetention(store, [rule], NOW + 1), await left()]).toEqual([false, 0])
})

test('A rule without a batch of its own removes a thousand rows at a time.', async () => {
  const asked: unknown[] = []
  const removing = (count: number) => {
    const tx = { all: async () => Array.from({ length: count }) } as unknown as Tx
    const write = (async (work: (tx: Tx) => Promise<unknown>, options?: object) => {
      asked.push(options)
      return work(tx)
    }) as Store['write']
    const statement = (...given: [now: number, limit: number]) => {
      asked.push(given)
      return sql``
    }
    return applyRetention({ write }, [{ rows: 'x', kept: 'y', statement }], NOW)
  }
  expect([await removing(1000), await removing(999)]).toEqual([true, false])
  expect(asked.slice(0, 2)).toEqual([{ durable: false }, [NOW, 1000]])
})

test('The surplus of each project is all but its newest rows.', async () => {
  const [one, other] = [await newProject(), await newProject()]
  const old = await newList(one, { created_at: NOW - 2 })
  const older = await newList(one, { created_at: NOW - 2 })
  const newest = await newList(one, { created_at: NOW })
  const archived = await newList(one, { created_at: NOW - 9, archived_at: NOW })
  await newList(other)
  const condition = sql`archived_at IS NULL AND project_id IN (${one}, ${other})`
  const surplus = (most: number) =>
    write((tx) => tx.all<{ id: number }>(sql`SELECT id FROM lists WHERE ${surplusOf('lists', condition, most)}`))
  expect((await surplus(1)).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([old, older])
  // Of two with the same time the later one counts as newer.
  expect((await surplus(2)).map(({ id }) => id)).toEqual([old])
  expect(await surplus(3)).toEqual([])
  expect([newest, archived]).not.toContain(old)
})
