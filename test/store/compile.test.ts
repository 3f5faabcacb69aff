import { expect, test } from 'bun:test'
import { aliasedTable, and, desc, eq, inArray, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { fastDialect } from '../../src/store/compile.ts'
import { StatementDatabase, type Statements } from '../../src/store/session.ts'
import { members, projects, users } from '../../src/store/tables/accounts.ts'
import { apps } from '../../src/store/tables/apps.ts'
import type { ProjectId } from '../../src/ids.ts'

const notRun = {} as Statements
const dialects = [fastDialect(), new SQLiteAsyncDialect()]
const other = aliasedTable(users, 'other')

const statements: Record<string, (db: StatementDatabase) => SQLWrapper> = {
  select: (db) => db.select().from(apps).where(eq(apps.id, 'app_1')),
  join: (db) =>
    db
      .select({ id: users.id, role: members.role })
      .from(members)
      .innerJoin(users, eq(users.id, members.user_id))
      .where(and(eq(members.project_id, 1 as ProjectId), or(isNull(users.disabled_at), eq(users.disabled_at, 5))))
      .orderBy(desc(users.created_at))
      .limit(3),
  alias: (db) =>
    db
      .select({ id: other.id })
      .from(other)
      .where(inArray(other.email_key, ['a', 'b'])),
  subquery: (db) => {
    const owners = db.select({ user_id: members.user_id }).from(members).where(eq(members.role, 'owner')).as('owners')
    return db.select().from(users).innerJoin(owners, eq(owners.user_id, users.id))
  },
  with: (db) => {
    const mine = db.$with('mine').as(db.select().from(projects).where(eq(projects.slug, 's')))
    return db.with(mine).select().from(mine)
  },
  insert: (db) =>
    db
      .insert(apps)
      .values({
        id: 'a',
        client_id: 'c',
        client_type: 'public',
        display_name: 'é',
        redirect_uris: ['https://a.example'],
        scopes: [],
        status: 'approved',
        user_id: 'u',
        created_at: 1,
        updated_at: 2,
      })
      .onConflictDoUpdate({ target: apps.id, set: { display_name: sql`excluded.display_name` } })
      .returning(),
  update: (db) =>
    db
      .update(apps)
      .set({ require_pkce: true, description: sql`description || ${'!'}` })
      .where(eq(apps.id, 'a')),
  delete: (db) => db.delete(apps).where(inArray(apps.id, [])),
  placeholder: (db) =>
    db
      .select()
      .from(apps)
      .where(eq(apps.id, sql.placeholder('id'))),
  raw: () =>
    sql`SELECT ${1}, ${null}, ${'x'}, ${sql`${users.email} = ${true}`}, ${sql.join([sql`a`, sql`b`], sql`, `)}
      FROM ${users} WHERE ${sql.identifier('odd "name"')} IN ${['a', 'b', 3]} ${undefined} ${sql.raw('LIMIT 5')}`,
  inline: () => sql`SELECT ${sql`${"it's"} || ${5}`.inlineParams()}`,
}

test.each(Object.keys(statements))('The fast dialect compiles "%s" to the text and parameters of Drizzle.', (name) => {
  const [found, expected] = dialects.map((dialect) => {
    const { sql: text, params } = dialect.sqlToQuery(statements[name]!(new StatementDatabase(dialect, notRun)).getSQL())
    return { text, params }
  })
  expect(found).toEqual(expected)
})
