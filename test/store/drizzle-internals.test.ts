import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { internalsOf, isInline, mapResultRow, tableName } from '../../src/store/drizzle-internals.ts'
import { StatementDatabase } from '../../src/store/session.ts'
import { projects, users } from '../../src/store/tables/accounts.ts'

test('Drizzle has the members that its types leave out and the store uses.', () => {
  const dialect = internalsOf(new SQLiteAsyncDialect())
  expect(dialect.sqlToQuery(sql`SELECT ${1}`)).toMatchObject({ sql: 'SELECT ?', params: [1] })
  expect(dialect.escapeName('a')).toBe('"a"')
  expect(dialect.casing.getColumnCasing(users.email)).toBe('email')
  expect(tableName(users)).toBe('users')
  expect([isInline(sql`1`), isInline(sql`1`.inlineParams())]).toEqual([false, true])
})

test('Drizzle tells a prepared query which joined tables may have no row, and maps rows by it.', () => {
  const none = { rows: () => [], values: () => [], script: () => undefined }
  const db = new StatementDatabase(new SQLiteAsyncDialect(), none as never)
  const query = db
    .select({ id: projects.id, owner: { email: users.email } })
    .from(projects)
    .leftJoin(users, eq(users.email, projects.name))
    .prepare()
  const { joinsNotNullableMap, fields } = query as unknown as {
    joinsNotNullableMap: Record<string, boolean>
    fields: Parameters<typeof mapResultRow>[0]
  }
  expect(joinsNotNullableMap).toEqual({ projects: true, users: false })
  expect(mapResultRow(fields, [1, 'ada@example.com'], joinsNotNullableMap)).toEqual({
    id: 1,
    owner: { email: 'ada@example.com' },
  })
  expect(mapResultRow(fields, [1, null], joinsNotNullableMap)).toEqual({ id: 1, owner: null })
})
