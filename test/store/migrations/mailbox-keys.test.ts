import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { findUserByLogin } from '../../../src/accounts/users.ts'
import { FixedClock } from '../../../src/clock.ts'
import { migrationsFolder } from '../../../src/service.ts'
import { addressMark } from '../../../src/store/address-key.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { openStore, type Store } from '../../../src/store/open.ts'
import { scratchFolder } from '../../support/folder.ts'
import { LIBSQL_PROGRAM, startLibsqlServer } from '../../support/libsql-server.ts'

const folder = scratchFolder()
const clock = new FixedClock(1_750_000_000_000)
const server = existsSync(LIBSQL_PROGRAM) ? await startLibsqlServer() : null
afterAll(() => server?.close())

/** The migrations before the one that compares addresses by their mailbox. */
function earlierMigrations(): string {
  const copy = join(folder, 'earlier')
  mkdirSync(copy, { recursive: true })
  for (const name of ['0001_baseline.sql', '0002_facts_reach.sql'])
    cpSync(join(migrationsFolder, name), join(copy, name))
  return copy
}

const NFD = 'jörg'.normalize('NFD')
const HIDDEN = addressMark('secret', 'uma@xn--bcher-kva.example')

/** A project as an earlier release stored it: each mailbox in two spellings. Contacts have the ids 1 to 6. */
const SPLIT = `
  INSERT INTO projects (id, public_id, name, slug, created_at, updated_at) VALUES (7, 'prj_7', 'Tides', 'tides', 1, 1);
  INSERT INTO address_keys (project_id, key) VALUES (7, 'secret');
  INSERT INTO lists (id, project_id, name, name_key, created_at, updated_at)
    VALUES (1, 7, 'One', 'one', 1, 1), (2, 7, 'Two', 'two', 1, 1);
  INSERT INTO tags (id, project_id, name, name_key, created_at, updated_at)
    VALUES (1, 7, 'a', 'a', 1, 1), (2, 7, 'b', 'b', 1, 1);
  INSERT INTO contacts (id, project_id, email, email_key, first_name, first_name_key, last_name, last_name_key,
    search_key, global_status, custom_fields, slot_1, slot_2, consent_source, consent_at, created_at, updated_at) VALUES
    (1, 7, 'Jörg@bücher.example', 'jörg@bücher.example', 'Jörg', 'jörg', '', '', 'jörg@bücher.example jörg',
      'subscribed', '{"size":"L","town":""}', 'l', NULL, 'api', 10, 1, 1),
    (2, 7, '${NFD}@xn--bcher-kva.example', '${NFD}@xn--bcher-kva.example', 'Georg', 'georg', 'Frost', 'frost',
      '${NFD}@xn--bcher-kva.example georg frost', 'unsubscribed', '{"size":"S","town":"Kiel"}', 's', 'kiel', 'form', 20,
      2, 2),
    (3, 7, 'eva@bücher.example', 'eva@bücher.example', '', '', '', '', 'eva@bücher.example', 'subscribed', '{}', NULL,
      NULL, '', NULL, 3, 3),
    (4, 7, 'Ivo@XN--BCHER-KVA.example', 'ivo@xn--bcher-kva.example', '', '', '', '', 'ivo@xn--bcher-kva.example',
      'subscribed', '{}', NULL, NULL, '', NULL, 4, 4),
    (5, 7, 'Bo@Example.com', 'bo@example.com', '', '', '', '', 'bo@example.com', 'subscribed', '{}', NULL, NULL, '',
      NULL, 5, 5),
    (6, 7, 'uma@bücher.example', 'uma@bücher.example', '', '', '', '', 'uma@bücher.example', 'subscribed', '{}', NULL,
      NULL, '', NULL, 6, 6);
  INSERT INTO project_usage (project_id, kind, rows, bytes) VALUES (7, 'contacts', 6, 0);
  INSERT INTO memberships (contact_id, list_id, status, subscribed_at) VALUES
    (1, 1, 'subscribed', 1), (2, 2, 'pending', NULL), (3, 1, 'subscribed', 3);
  INSERT INTO contact_tags (contact_id, tag_id) VALUES (1, 1), (2, 1), (2, 2);
  INSERT INTO consents (project_id, contact_id, list_id, source, at) VALUES (7, 1, 1, 'api', 10), (7, 2, 2, 'form', 20);
  INSERT INTO events (project_id, type, contact_id, email, at) VALUES (7, 'open', 2, 'x', 20);
  INSERT INTO suppressions (project_id, email, email_key, reason, note, created_at) VALUES
    (7, 'eva@xn--bcher-kva.example', 'eva@xn--bcher-kva.example', 'complaint', '', 5),
    (7, 'kim@bücher.example', 'kim@bücher.example', 'manual', 'by hand', 3),
    (7, 'kim@xn--bcher-kva.example', 'kim@xn--bcher-kva.example', 'hard_bounce', '', 4),
    (7, '', '${HIDDEN}', 'unsubscribe', '', 6);
  INSERT INTO soft_bounces (project_id, email_key, bounces, last_delivery_id, last_at) VALUES
    (7, 'bo@bücher.example', 2, 5, 50), (7, 'bo@xn--bcher-kva.example', 1, 9, 40);
  INSERT INTO users (id, email, email_key, created_at, updated_at) VALUES
    ('usr_a', 'ada@bücher.example', 'ada@bücher.example', 1, 1),
    ('usr_b', 'ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example', 2, 2),
    ('usr_c', 'cy@bücher.example', 'cy@bücher.example', 3, 3);
  INSERT INTO invitations
    (id, project_id, email, email_key, role, token_hash, invited_by, created_at, expires_at) VALUES
    ('inv_1', 7, 'di@bücher.example', 'di@bücher.example', 'editor', '1', 'usr_a', 1, 99),
    ('inv_2', 7, 'di@xn--bcher-kva.example', 'di@xn--bcher-kva.example', 'member', '2', 'usr_a', 2, 99);
  INSERT INTO campaigns
    (id, project_id, name, search_key, subject, editor_json, audience_spec, track_opens, track_clicks, status,
      created_at, updated_at) VALUES (1, 7, 'News', 'news', 'News', '{}', '{}', 0, 0, 'sending', 1, 1);
  INSERT INTO deliveries (id, project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, created_at)
    VALUES (1, 7, 'campaign', 1, 1, 'Jörg@bücher.example', 'queued', 0, 1),
      (2, 7, 'campaign', 1, 2, '${NFD}@xn--bcher-kva.example', 'sent', 0, 1),
      (3, 7, 'campaign', 1, 4, 'Ivo@XN--BCHER-KVA.example', 'queued', 0, 1);`

const select = (store: Store, query: string) => store.query(query).then((rows) => rows.map((row) => Object.values(row)))

async function joined(store: Store): Promise<void> {
  await migrate(store, earlierMigrations(), clock)
  await store.write((tx) => tx.script(SPLIT))
  await migrate(store, migrationsFolder, clock)
}

test.each([
  ['file', () => `file:${join(folder, 'split.db')}`],
  ...(server ? [['libSQL server', () => server.url] as const] : []),
])('Rows that are one mailbox in two spellings become one in an older database, on a %s.', async (_, url) => {
  const store = await openStore({ url: url() })
  await joined(store)
  expect(
    await select(
      store,
      `SELECT id, email, email_key, first_name, last_name, search_key, global_status, consent_source FROM contacts
       ORDER BY id`,
    ),
  ).toEqual([
    [
      1,
      'Jörg@bücher.example',
      'jörg@xn--bcher-kva.example',
      'Jörg',
      'Frost',
      'jörg@bücher.example jörg frost',
      'unsubscribed',
      'form',
    ],
    [3, 'eva@bücher.example', 'eva@xn--bcher-kva.example', '', '', 'eva@bücher.example', 'complained', ''],
    [4, 'Ivo@bücher.example', 'ivo@xn--bcher-kva.example', '', '', 'ivo@bücher.example', 'subscribed', ''],
    [5, 'Bo@Example.com', 'bo@example.com', '', '', 'bo@example.com', 'subscribed', ''],
    [6, 'uma@bücher.example', 'uma@xn--bcher-kva.example', '', '', 'uma@bücher.example', 'unsubscribed', ''],
  ])
  const [custom] = await store.query('SELECT custom_fields, slot_1, slot_2, last_name_key FROM contacts WHERE id = 1')
  expect([JSON.parse(String(custom!.custom_fields)), custom!.slot_1, custom!.slot_2, custom!.last_name_key]).toEqual([
    { size: 'L', town: 'Kiel' },
    'l',
    'kiel',
    'frost',
  ])
  expect(await select(store, 'SELECT contact_id, list_id, status FROM memberships ORDER BY 1, 2')).toEqual([
    [1, 1, 'unsubscribed'],
    [1, 2, 'unsubscribed'],
    [3, 1, 'unsubscribed'],
  ])
  expect(await select(store, 'SELECT contact_id, tag_id FROM contact_tags ORDER BY 1, 2')).toEqual([
    [1, 1],
    [1, 2],
  ])
  expect(await select(store, "SELECT contact_id, source FROM consents WHERE action = 'given' ORDER BY id")).toEqual([
    [1, 'api'],
    [1, 'form'],
  ])
  expect(await select(store, "SELECT contact_id FROM events WHERE type = 'open'")).toEqual([[1]])
  expect(await select(store, 'SELECT email, email_key, reason, note FROM suppressions ORDER BY email')).toEqual([
    ['eva@bücher.example', 'eva@xn--bcher-kva.example', 'complaint', ''],
    ['kim@bücher.example', 'kim@xn--bcher-kva.example', 'hard_bounce', 'by hand'],
    ['uma@bücher.example', 'uma@xn--bcher-kva.example', 'unsubscribe', ''],
  ])
  expect(await select(store, 'SELECT kind, rows FROM project_usage ORDER BY kind')).toEqual([
    ['contacts', 5],
    ['suppressions', 3],
  ])
  expect(await select(store, 'SELECT email_key, bounces, last_delivery_id, last_at FROM soft_bounces')).toEqual([
    ['bo@xn--bcher-kva.example', 3, 9, 50],
  ])
  expect(await select(store, 'SELECT id, email, email_key FROM invitations')).toEqual([
    ['inv_2', 'di@bücher.example', 'di@xn--bcher-kva.example'],
  ])
  expect(await select(store, 'SELECT id, contact_id, email, status FROM deliveries ORDER BY id')).toEqual([
    [1, 1, 'Jörg@bücher.example', 'skipped'],
    [2, 2, `${NFD}@xn--bcher-kva.example`, 'sent'],
    [3, 4, 'Ivo@bücher.example', 'queued'],
  ])
  const accountOf = async (email: string) => (await findUserByLogin(store.db, email))?.user.id
  expect([
    await accountOf('Ada@bücher.example'),
    await accountOf('ada@xn--bcher-kva.example'),
    await accountOf('ada@BÜCHER.example'),
    await accountOf('cy@xn--bcher-kva.example'),
  ]).toEqual(['usr_a', 'usr_b', 'usr_a', 'usr_c'])
  await store.close()
})

test('A step that was cut off goes on at the next start, and a finished one changes nothing.', async () => {
  const store = await openStore({ url: `file:${join(folder, 'cut.db')}` })
  await migrate(store, earlierMigrations(), clock)
  await store.write((tx) => tx.script(SPLIT))
  let writes = 0
  const cut: Pick<Store, 'write' | 'query'> = {
    query: store.query,
    write: (work) => (++writes > 3 ? Promise.reject(new Error('killed')) : store.write(work)),
  }
  await expect(migrate(cut, migrationsFolder, clock)).rejects.toThrow('killed')
  await migrate(store, migrationsFolder, clock)
  const counted = () => select(store, 'SELECT (SELECT count(*) FROM contacts), (SELECT count(*) FROM consents)')
  expect(await counted()).toEqual([[5, 4]])
  await store.write((tx) => tx.run(sql`DELETE FROM schema_migrations WHERE version = 3`))
  await migrate(store, migrationsFolder, clock)
  expect(await counted()).toEqual([[5, 4]])
  await store.close()
})
