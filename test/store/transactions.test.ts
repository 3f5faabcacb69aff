import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { fastDialect } from '../../src/store/compile.ts'
import { DatabaseConnection } from '../../src/store/database-connection.ts'
import type { FactLog } from '../../src/store/facts.ts'
import type { CommitWork, Tx } from '../../src/store/store.ts'
import { createTransactions } from '../../src/store/transactions.ts'
import { scratchFolder } from '../support/folder.ts'

const path = join(scratchFolder(), 'transactions.db')
const connection = new DatabaseConnection({ path, read_only: false, synchronous: 'NORMAL' })
connection.script('PRAGMA journal_mode=WAL; CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT')
const beside = new DatabaseConnection({ path, read_only: true, synchronous: 'NORMAL' })
const facts = { folder_id: 'fct_1' } as FactLog
const transactions = createTransactions(connection, fastDialect(), { facts })
afterAll(() => {
  connection.close()
  beside.close()
})
beforeEach(() => {
  transactions.rollback()
  connection.values('DELETE FROM notes')
})

const insert = (tx: Tx, text: string) => tx.run(sql`INSERT INTO notes VALUES (${text})`)
/** What others see. */
const notes = () => beside.values('SELECT text FROM notes ORDER BY rowid').flat()
const ended = 'The transaction has ended.'
/** Writes its entries in one row. */
const together: CommitWork<string> = (tx, entries) => insert(tx, `together: ${entries.join(' ')}`).then(() => undefined)

test('A whole transaction is committed with its result, or nothing of it is.', async () => {
  const answer = await transactions.whole(async (tx) => {
    expect(tx.facts).toBe(facts)
    await insert(tx, 'kept')
    expect([connection.in_transaction, notes()]).toEqual([true, []])
    return 'done'
  })
  expect([answer, connection.in_transaction, notes()]).toEqual(['done', false, ['kept']])
  const failed = transactions.whole(async (tx) => {
    await insert(tx, 'lost')
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  expect([connection.in_transaction, notes()]).toEqual([false, ['kept']])
})

test('A transaction holds the write lock from its beginning.', () => {
  const other = new DatabaseConnection({ path, read_only: false, synchronous: 'NORMAL', busy_timeout_ms: 0 })
  transactions.begin()
  expect(() => other.values("INSERT INTO notes VALUES ('theirs')")).toThrow('locked')
  transactions.rollback()
  other.values("INSERT INTO notes VALUES ('theirs')")
  other.close()
  expect(notes()).toEqual(['theirs'])
})

test('A rollback without a transaction does nothing.', () => {
  expect(() => transactions.rollback()).not.toThrow()
})

test('No statement of any kind gets in after the end of its work, whether that succeeded or failed.', async () => {
  const late: Tx[] = []
  await transactions.whole(async (tx) => void late.push(tx))
  await transactions
    .whole(async (tx) => {
      late.push(tx)
      throw new Error('gone')
    })
    .catch(() => undefined)
  transactions.begin()
  await transactions.part(async (tx) => void late.push(tx))
  expect(late).toHaveLength(3)
  const message = async (call: () => Promise<unknown>) =>
    call().then(
      () => 'none',
      (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
    )
  for (const tx of late) {
    expect(await message(() => insert(tx, 'late'))).toBe(ended)
    expect(await message(() => tx.all(sql`SELECT text FROM notes`))).toBe(ended)
    expect(await message(() => tx.script("INSERT INTO notes VALUES ('late')"))).toBe(ended)
  }
  await transactions.commit()
  expect(notes()).toEqual([])
})

test('An error of a part is its outcome, and its changes alone are rolled back.', async () => {
  transactions.begin()
  const outcomes = [
    await transactions.part(async (tx) => {
      await insert(tx, 'first')
      return 1
    }),
    await transactions.part(async (tx) => {
      await insert(tx, 'lost')
      throw new Error('no')
    }),
    await transactions.part((tx) => insert(tx, 'second')),
  ]
  expect(outcomes).toMatchObject([{ result: 1 }, { error: new Error('no') }, { result: undefined }])
  expect(notes()).toEqual([])
  await transactions.commit()
  expect(notes()).toEqual(['first', 'second'])
})

test('A part that loses the whole transaction throws, and the transaction is over.', async () => {
  transactions.begin()
  await transactions.part((tx) => insert(tx, 'undone'))
  const lost = transactions.part((tx) => tx.run(sql`INSERT OR ROLLBACK INTO notes VALUES ('undone')`))
  await expect(lost).rejects.toThrow()
  expect([connection.in_transaction, notes()]).toEqual([false, []])
})

test('Entries that parts add before the commit are written once, without those of parts that failed.', async () => {
  transactions.begin()
  for (const text of ['a', 'b', 'c'])
    await transactions.part(async (tx) => {
      tx.beforeCommit(together, text)
      if (text === 'b') throw new Error('no')
    })
  await transactions.commit()
  expect(notes()).toEqual(['together: a c'])
})

test('An entry added to a transaction that ended is not written with the next.', async () => {
  transactions.begin()
  await transactions.part(async (tx) => tx.beforeCommit(together, 'dropped'))
  transactions.rollback()
  await transactions.whole(async (tx) => tx.beforeCommit(together, 'mine'))
  await transactions.whole((tx) => insert(tx, 'next'))
  expect(notes()).toEqual(['together: mine', 'next'])
})

test('A whole transaction fails with what it adds before the commit.', async () => {
  const refused: CommitWork<string> = () => Promise.reject(new Error('full'))
  const failed = transactions.whole(async (tx) => {
    await insert(tx, 'lost')
    tx.beforeCommit(refused, 'x')
  })
  await expect(failed).rejects.toThrow('full')
  expect([connection.in_transaction, notes()]).toEqual([false, []])
})
