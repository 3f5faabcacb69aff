import { expect, test } from 'bun:test'
import { DrizzleQueryError, eq, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { StatementDatabase } from '../../src/store/session.ts'
import { sessions, users } from '../../src/store/tables/accounts.ts'

/** A connection that notes what it is asked and answers what it is given. */
const asked: unknown[] = []
let answer: unknown[] = []
const said = (how: string) => (text: string, params?: readonly unknown[]) => {
  asked.push([how, text.replaceAll('"', ''), params])
  return answer as never
}
const db = new StatementDatabase(new SQLiteAsyncDialect(), {
  rows: said('rows'),
  values: said('values'),
})
const of = async (work: () => PromiseLike<unknown>, given: unknown[]) => {
  asked.length = 0
  answer = given
  return work()
}

test('A query of named fields reads values in their order, and a text query rows by name.', async () => {
  const named = db.select({ mail: users.email, id: users.id }).from(users)
  const rows = [
    ['ada@example.com', 'usr_1'],
    ['bo@example.com', 'usr_2'],
  ]
  expect(await of(() => named, rows)).toEqual([
    { mail: 'ada@example.com', id: 'usr_1' },
    { mail: 'bo@example.com', id: 'usr_2' },
  ])
  expect(asked).toEqual([['values', 'select email, id from users', []]])
  expect(await of(() => named.get(), rows)).toEqual({ mail: 'ada@example.com', id: 'usr_1' })
  expect(await of(() => named.get(), [])).toBeUndefined()
  expect(await of(() => named.values(), rows)).toEqual(rows)

  expect(await of(() => db.all(sql`SELECT ${7} AS n`), [{ n: 7 }])).toEqual([{ n: 7 }])
  expect(asked).toEqual([['rows', 'SELECT ? AS n', [7]]])
  expect(await of(() => db.get(sql`SELECT 8 AS n`), [{ n: 8 }, { n: 9 }])).toEqual({ n: 8 })
  expect(await of(() => db.values(sql`SELECT 9`), [[9]])).toEqual([[9]])
  expect(await of(() => db.run(sql`DELETE FROM users`), [])).toBeUndefined()
  expect(asked).toEqual([['values', 'DELETE FROM users', []]])
})

test('A joined table without a row is null, and one that always has a row keeps its nulls.', async () => {
  const fields = { user: { id: users.id, disabled_at: users.disabled_at }, session: { at: sessions.created_at } }
  const left = db.select(fields).from(users).leftJoin(sessions, eq(sessions.user_id, users.id))
  expect(await of(() => left, [['usr_1', null, null]])).toEqual([
    { user: { id: 'usr_1', disabled_at: null }, session: null },
  ])
  const inner = db
    .select({ user: { disabled_at: users.disabled_at }, session: { at: sessions.created_at } })
    .from(users)
    .innerJoin(sessions, eq(sessions.user_id, users.id))
  expect(await of(() => inner, [[null, 5]])).toEqual([{ user: { disabled_at: null }, session: { at: 5 } }])
})

test('Placeholders are filled for each way of running a query.', async () => {
  const query = db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, sql.placeholder('mail')))
    .prepare()
  for (const way of ['all', 'get', 'values', 'run'] as const) {
    await of(() => query[way]({ mail: 'ada@example.com' }) as Promise<unknown>, [['usr_1']])
    expect(asked).toEqual([['values', expect.stringContaining('users.email = ?'), ['ada@example.com']]])
  }
})

test('A failed query names its text and its values, and keeps what the database said.', async () => {
  const cause = new Error('disk I/O error')
  const broken = new StatementDatabase(new SQLiteAsyncDialect(), {
    rows: () => {
      throw cause
    },
    values: () => [],
  })
  const thrown = await broken.all(sql`SELECT ${'a'}`).then(null, (error: unknown) => error)
  expect(thrown).toBeInstanceOf(DrizzleQueryError)
  expect(thrown).toMatchObject({ query: 'SELECT ?', params: ['a'], cause })
})

test('Only a write of the store begins a transaction.', () => {
  expect(() => db.transaction(async () => undefined)).toThrow('Store.write begins the only transactions.')
})
