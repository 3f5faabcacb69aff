import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { Elysia } from 'elysia'

/**
 * Masthead's busiest routes without Masthead: the same server library and database, one or two statements, and no
 * permission, rate limit, receipt, check or envelope. bench/http.ts compares its routes with these.
 */
export interface BareRoutes {
  url: string
  close(): Promise<void>
}

const COLUMNS = 'id, email, first_name, last_name, status, custom_fields, created_at, updated_at'

export async function startBareRoutes(folder: string, contacts: number, page: string): Promise<BareRoutes> {
  const client = createClient({ url: `file:${join(folder, 'bare.db')}`, concurrency: 1 })
  await client.executeMultiple(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE contacts (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, first_name TEXT, last_name TEXT,
      status TEXT, custom_fields TEXT, created_at INTEGER, updated_at INTEGER);
    CREATE TABLE memberships (contact_id INTEGER, list_id INTEGER, PRIMARY KEY (contact_id, list_id));
    CREATE TABLE tokens (hash TEXT PRIMARY KEY, scope TEXT, created_at INTEGER, used_at INTEGER);`)
  await client.execute({
    sql: `INSERT INTO contacts (email, first_name, last_name, status, custom_fields, created_at, updated_at)
          SELECT 'reader' || value || '@example.com', 'Reader', 'No ' || value, 'subscribed',
            '{"country":"DE","plan":"free"}', 1, 1 FROM json_each(?)`,
    args: [JSON.stringify(Array.from({ length: contacts }, (_, index) => index + 1))],
  })
  await client.execute({ sql: 'INSERT INTO tokens VALUES (?, ?, 1, NULL)', args: [hashOf('first'), 'read'] })

  const app = new Elysia()
    .post('/list', async ({ body }) => {
      const { limit, after } = body as { limit: number; after?: number }
      const { rows } = await client.execute({
        sql: `SELECT ${COLUMNS} FROM contacts WHERE id < ? ORDER BY id DESC LIMIT ?`,
        args: [after ?? Number.MAX_SAFE_INTEGER, limit],
      })
      return {
        contacts: rows.map(({ custom_fields, ...contact }) => ({
          ...contact,
          custom_fields: JSON.parse(String(custom_fields)),
        })),
      }
    })
    .post('/get', async ({ body }) => {
      const { rows } = await client.execute({
        sql: `SELECT ${COLUMNS} FROM contacts WHERE id = ?`,
        args: [(body as { id: number }).id],
      })
      return { contact: rows[0] }
    })
    .post('/upsert', async ({ body }) => {
      const { email, custom_fields } = body as { email: string; custom_fields: object }
      const [made] = await client.batch(
        [
          {
            sql:
              'INSERT INTO contacts (email, status, custom_fields, created_at, updated_at) VALUES (?, ?, ?, 1, ' +
              '1) RETURNING id',
            args: [email, 'subscribed', JSON.stringify(custom_fields)],
          },
          'INSERT INTO memberships VALUES (last_insert_rowid(), 1)',
        ],
        'write',
      )
      return { id: made!.rows[0]!.id }
    })
    .post('/introspect', async ({ body }) => {
      const { rows } = await client.execute({
        sql: 'SELECT scope, created_at FROM tokens WHERE hash = ?',
        args: [hashOf((body as { token: string }).token)],
      })
      return { active: rows.length > 0, ...rows[0] }
    })
    .post('/refresh', async ({ body }) => {
      const [access_token, refresh_token] = [crypto.randomUUID(), crypto.randomUUID()]
      await client.batch(
        [
          {
            sql: 'UPDATE tokens SET used_at = 1 WHERE hash = ?',
            args: [hashOf((body as { refresh_token: string }).refresh_token)],
          },
          {
            sql: 'INSERT INTO tokens VALUES (?, ?, 1, NULL), (?, ?, 1, NULL)',
            args: [hashOf(access_token), 'read', hashOf(refresh_token), 'read'],
          },
        ],
        'write',
      )
      return { access_token, refresh_token }
    })
    .get('/page', () => new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }))
    .listen({ port: 0, hostname: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${app.server!.port}`,
    async close() {
      await app.stop(true)
      client.close()
    },
  }
}

function hashOf(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex')
}
