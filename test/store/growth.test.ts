import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { startSession } from '../../src/accounts/sessions.ts'
import { startAuthorization } from '../../src/oauth/authorizations.ts'
import { createApiKey } from '../../src/projects/api-keys.ts'
import { addMember } from '../../src/projects/members.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { png } from '../support/pictures.ts'

/** What bounds the rows that others can cause (docs/security.md#what-grows). */

let world: SiteWorld
beforeEach(async () => {
  world = await createSiteWorld()
})
afterEach(() => world.close())

const store = () => world.service.runtime.store
const write = (...statements: SQL[]) =>
  store().write(async (tx) => {
    for (const statement of statements) await tx.run(statement)
  })
/** A table `n` of the numbers 1 to `count`, for statements that make many rows. */
const numbers = (count: number) =>
  sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`
const count = async (table: string) => (await store().query(`SELECT count(*) AS n FROM ${table}`))[0]!.n
const stateOf = async (operation: string, body: Record<string, unknown>) => {
  const answer = await world.call(operation, body)
  return [answer.status, answer.body.error?.code, answer.body.error?.details?.state]
}
const upload = (body: Uint8Array<ArrayBuffer>) => sendFile('/project/files/upload', {}, body)
const uploadTo = (path: string, body: string) => sendFile('/project/site-files/upload', { path }, body)
async function sendFile(path: string, query: Record<string, string>, body: Uint8Array<ArrayBuffer> | string) {
  const search = new URLSearchParams({ project_id: world.project.public_id, ...query })
  const headers = { Cookie: await world.cookie('editor') }
  const answer = await world.fetch(`${path}?${search.toString()}`, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as any }
}
const FULL = [409, 'INVALID_STATE', 'full']

test('The documentation names every table of the database and no other.', async () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/security.md'), 'utf8')
  const [, rows] = /<!-- tables: begin -->\n([\s\S]*?)\n<!-- tables: end -->/.exec(page)!
  const documented = rows!
    .split('\n')
    .flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
  const tables = await store().query(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'libsql_%'`,
  )
  expect(documented.toSorted()).toEqual(tables.map(({ name }) => String(name)).toSorted())
})

test('The counters of a project agree with its rows after every kind of work.', async () => {
  const upsert = (email: string) => world.ok('contacts/upsert', { email, consent_text: 'Yes.' })
  const counted: Record<string, [table: string, bytes: string]> = {
    contacts: ['contacts', '0'],
    suppressions: ['suppressions', '0'],
    pages: ['pages', 'octet_length(html)'],
    posts: ['cms_posts', 'octet_length(content)'],
    directory_items: ['directory_items', 'octet_length(fields)'],
    form_entries: ['form_entries', 'octet_length(fields)'],
    files: ['files', 'octet_length(content)'],
    site_files: ['site_files', 'octet_length(content)'],
  }
  const check = async () => {
    const kept = await store().query(
      `SELECT kind, rows, bytes FROM project_usage WHERE project_id = ${world.project.id} ORDER BY kind`,
    )
    const found = Object.entries(counted).map(
      ([kind, [table, bytes]]) =>
        `SELECT '${kind}' AS kind, count(*) AS rows, coalesce(sum(${bytes}), 0) AS bytes FROM ${table}
         WHERE project_id = ${world.project.id} HAVING count(*) > 0 OR '${kind}' IN (SELECT kind FROM project_usage)`,
    )
    expect(kept).toEqual(await store().query(`${found.join(' UNION ALL ')} ORDER BY kind`))
  }

  const ids = []
  for (const name of ['ann', 'bob', 'cat', 'dan']) ids.push((await upsert(`${name}@example.com`)).contact.id)
  await upsert('ANN@example.com')
  expect(
    (await world.call('contacts/upsert', { email: 'x@example.com', consent_text: 'x', list_ids: [9] })).status,
  ).toBe(404)
  await world.fetch('/general/newsletter/signup', {
    method: 'POST',
    body: new URLSearchParams({ project_id: world.project.public_id, email: 'eve@example.com', consent_text: 'Yes.' }),
  })
  await check()
  const csv = 'email\nann@example.com\nfay@example.com\ngus@example.com\nno address'
  const { import: staged } = await world.ok('imports/create', { csv })
  const options = { list_ids: [], consent_text: 'Yes.', consent_confirmed: true }
  await world.ok('imports/dry-run', { import_id: staged.id, mapping: { 0: 'email' }, options })
  await world.ok('imports/commit', { import_id: staged.id })
  await world.service.drain('jobs')
  expect(await count('contacts')).toBe(7)
  await check()
  await world.ok('contacts/unsubscribe', { contact_id: ids[0] })
  await world.ok('contacts/delete', { contact_id: ids[0] })
  await world.ok('contacts/bulk', { action: 'delete', contact_ids: [ids[1], ids[2], 999] })
  await world.service.drain('jobs')
  await world.ok('suppressions/add', { email: 'zoe@example.com' })
  await world.ok('suppressions/add', { email: 'zoe@example.com', reason: 'complaint' })
  await world.ok('suppressions/add', { email: 'yan@example.com' })
  await world.ok('suppressions/remove', { email: 'yan@example.com' })
  expect([await count('contacts'), await count('suppressions')]).toEqual([4, 2])
  await check()

  const made = { page: [], post: [], item: [], file: [], siteFile: [] } as Record<string, any[]>
  for (const at of ['a', 'b']) {
    made.page!.push(await world.edit('/project/pages/create', { path: `/${at}`, title: at, html: '<p>Grüße' }))
    made.post!.push(await world.edit('/project/cms/posts/create', { title: at, content: 'Grüße' }))
    made.item!.push(await world.edit('/project/directory/items/create', { directory: 'd', title: at, fields: { at } }))
    await world.fetch('/general/project/form/entry', {
      method: 'POST',
      body: new URLSearchParams({ project_id: world.project.public_id, form: 'f', text: 'Grüße' }),
    })
    made.file!.push((await upload(png(at.charCodeAt(0), 1))).body)
    made.siteFile!.push((await uploadTo(`/${at}.txt`, 'Grüße')).body)
  }
  await check()
  const [page, post, item] = [made.page![0].page, made.post![0].post, made.item![0].item]
  await world.edit('/project/pages/update', { page_id: page.id, html: '<p>Longer than before' })
  await world.edit('/project/cms/posts/update', { post_id: post.id, content: '' })
  await world.edit('/project/directory/items/update', { item_id: item.id, fields: {} })
  await uploadTo('/a.txt', 'Longer than before')
  await check()
  await world.edit('/project/pages/delete', { page_id: page.id })
  await world.edit('/project/cms/posts/delete', { post_id: post.id })
  await world.edit('/project/directory/items/delete', { item_id: item.id })
  await world.edit('/project/files/delete', { file_id: made.file![0].file.id })
  await world.edit('/project/site-files/delete', { file_id: made.siteFile![0].file.id })
  await check()
})

test('A project without a limit of its own has the one of the service, for upserts, imports and signups.', async () => {
  const small = await createSiteWorld({ contacts_per_project: 1 })
  const upsert = (email: string) => small.call('contacts/upsert', { email, consent_text: 'x' })
  expect((await upsert('ann@example.com')).status).toBe(200)
  const refused = await upsert('bob@example.com')
  expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
    ...[403, 'PLAN_LIMIT_EXCEEDED', { limit: 1 }],
  ])
  const { import: staged } = await small.ok('imports/create', { csv: 'email\nbob@example.com' })
  const options = { list_ids: [], consent_text: 'x', consent_confirmed: true }
  await small.ok('imports/dry-run', { import_id: staged.id, mapping: { 0: 'email' }, options })
  expect((await small.call('imports/commit', { import_id: staged.id })).status).toBe(403)
  const signup = await small.fetch('/general/newsletter/signup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ project_id: small.project.public_id, email: 'bob@example.com', consent_text: 'x' }),
  })
  expect(signup.status).toBe(202)
  expect((await small.ok('contacts/list', {})).items).toHaveLength(1)
  await small.service.runtime.store.write((tx) =>
    tx.run(sql`UPDATE projects SET contact_limit = 2 WHERE id = ${small.project.id}`),
  )
  expect((await upsert('bob@example.com')).status).toBe(200)
  await small.close()
})

test('Pages, posts, directory items, files and suppressions end at their number and at their bytes.', async () => {
  const creations: [kind: string, create: () => Promise<{ status: number; body: any }>, rows: number, bytes: number][] =
    [
      [
        'pages',
        () => world.as('editor', '/project/pages/create', { path: '/n', title: 'n', html: 'x' }),
        5000,
        2 ** 30,
      ],
      ['posts', () => world.as('editor', '/project/cms/posts/create', { title: 'n', content: 'x' }), 50_000, 2 ** 29],
      [
        'directory_items',
        () => world.as('editor', '/project/directory/items/create', { directory: 'd', title: 'n' }),
        ...([50_000, 2 ** 28] as const),
      ],
      ['files', () => upload(png(7, 7)), 2000, 2 ** 30],
      ['site_files', () => uploadTo('/n.txt', 'n'), 5000, 2 ** 30],
      ['suppressions', () => world.call('suppressions/add', { email: 'new@example.com' }), 5_000_000, 0],
    ]
  for (const [kind, create, rows, bytes] of creations) {
    const use = (column: 'rows' | 'bytes', value: number) =>
      write(sql`
        INSERT INTO project_usage (project_id, kind, rows, bytes) VALUES (${world.project.id}, ${kind}, 0, 0)
        ON CONFLICT DO UPDATE SET ${sql.raw(column)} = ${value}`)
    await use('bytes', 0)
    await use('rows', rows)
    expect([kind, (await create()).status]).toEqual([kind, 409])
    if (bytes > 0) {
      await use('rows', 0)
      await use('bytes', bytes)
      expect([kind, (await create()).status]).toEqual([kind, 409])
    }
    await use('bytes', 0)
    await use('rows', rows - 1)
    expect([kind, (await create()).status]).toEqual([kind, 200])
  }
})

test('Campaigns, texts of consent, jobs and imports end at their number.', async () => {
  const audience_spec = { include: [{ type: 'all' }] }
  const { campaign } = await world.ok('campaigns/create', { subject: 'One', audience_spec })
  await world.ok('contacts/upsert', { email: 'dan@example.com', consent_text: 'Yes.' })
  const columns =
    'project_id, name, search_key, subject, editor_json, audience_spec, track_opens, track_clicks, status, ' +
    'created_at, updated_at'
  await write(
    sql`${numbers(19_999)} INSERT INTO campaigns (${sql.raw(columns)})
      SELECT ${sql.raw(columns)} FROM campaigns CROSS JOIN n WHERE campaigns.id = ${campaign.id}`,
    sql`${numbers(20_000)} INSERT INTO consent_wordings (project_id, hash, text)
      SELECT ${world.project.id}, n, n FROM n`,
    sql`${numbers(1000)} INSERT INTO jobs (project_id, kind, status, payload, next_attempt_at, created_at, updated_at)
      SELECT ${world.project.id}, 'bulk', 'queued', '{}', 0, 0, 0 FROM n`,
  )
  expect(await stateOf('campaigns/create', { subject: 'Two', audience_spec })).toEqual(FULL)
  expect(await stateOf('campaigns/duplicate', { campaign_id: campaign.id })).toEqual(FULL)
  const contact = { email: 'dan@example.com', resubscribe: true }
  expect(await stateOf('contacts/upsert', { ...contact, email: 'new@example.com', consent_text: 'New.' })).toEqual(FULL)
  expect(await stateOf('contacts/upsert', { ...contact, email: 'new@example.com', consent_text: 'Yes.' })).toEqual([
    200,
    undefined,
    undefined,
  ])
  const job = { action: 'delete', contact_ids: [1] }
  expect(await stateOf('contacts/bulk', job)).toEqual(FULL)
  const { segment } = await world.ok('segments/create', { name: 'All', rules: { op: 'and', rules: [] } })
  expect(await stateOf('segments/materialize', { segment_id: segment.id, tag_name: 'all' })).toEqual(FULL)
  await write(sql`DELETE FROM jobs WHERE next_attempt_at = 0`, sql`DELETE FROM consent_wordings WHERE hash = text`)
  expect((await stateOf('contacts/bulk', job))[0]).toBe(202)
  await world.service.drain('jobs')

  for (let n = 0; n < 20; n++) await world.ok('imports/create', { csv: 'email' })
  expect(await stateOf('imports/create', { csv: 'email' })).toEqual(FULL)
  const open = (await world.ok('imports/list', {})).items.find(({ status }: any) => status === 'staged')
  await world.ok('imports/cancel', { import_id: open.id })
  await world.ok('imports/create', { csv: 'email' })

  await world.ok('campaigns/delete', { campaign_id: campaign.id })
  await write(sql`UPDATE campaigns SET deleted_at = 1 WHERE id > ${campaign.id}`)
  await world.service.drain('maintenance')
  expect(await count('campaigns')).toBe(0)
})

test('Sessions, authorizations, members and API keys end at their number.', async () => {
  const { users, project, app_id } = world
  const visit = { address: '', user_agent: '', ttl_hours: 1 }
  await store().write(async (tx) => {
    for (let n = 0; n < 105; n++) {
      await startSession(tx, users.outsider, visit, world.clock.now() + n)
      const approved = { app_id, user_id: users.member, scope: 'newsletter:read', project_ids: [project.id] }
      await startAuthorization(tx, approved, world.clock.now() + n)
    }
  })
  const oldest = (table: string, user: string, more = '') =>
    store().query(`SELECT count(*) AS n, min(created_at) AS at FROM ${table} WHERE user_id = '${user}' ${more}`)
  const expected = [{ n: 100, at: world.clock.now() + 5 }]
  expect(await oldest('sessions', users.outsider)).toEqual(expected)
  expect(await oldest('authorizations', users.member, 'AND revoked_at IS NULL')).toEqual(expected)

  await write(
    sql`${numbers(1000)} INSERT INTO users (id, email, email_key, created_at, updated_at, admin)
      SELECT 'usr_' || n, n || '@example.com', n || '@example.com', 0, 0, 0 FROM n`,
    sql`INSERT INTO members (project_id, user_id, role, added_at)
      SELECT ${project.id}, id, 'member', 0 FROM users WHERE created_at = 0 LIMIT 1000 - (
        SELECT count(*) FROM members WHERE project_id = ${project.id})`,
    sql`${numbers(100)} INSERT INTO api_keys (id, project_id, user_id, name, key_hash, hint, created_at)
      SELECT 'key_' || n, ${project.id}, ${users.owner}, '', 'hash ' || n, '', 0 FROM n`,
  )
  const full = { code: 'INVALID_STATE', details: { state: 'full' } }
  const refusal = (work: Promise<unknown>) => work.catch((error: unknown) => error)
  expect(
    await refusal(store().write((tx) => addMember(tx, project.id, { user_id: users.outsider, role: 'member' }, 0))),
  ).toMatchObject(full)
  expect(
    await refusal(store().write((tx) => createApiKey(tx, project.id, { user_id: users.owner, name: 'x' }, 0))),
  ).toMatchObject(full)
})

test('Ended jobs, imports and authorizations, revoked keys and stored mail are removed after their time.', async () => {
  const { project, users, app_id } = world
  const day = 86_400_000
  const now = world.clock.now()
  const states = (table: string) => sql.raw(`DELETE FROM ${table}`)
  await write(
    states('jobs'),
    states('imports'),
    states('authorizations'),
    states('api_keys'),
    sql`${numbers(10_003)} INSERT INTO jobs (project_id, kind, status, payload, next_attempt_at, created_at, updated_at)
      SELECT ${project.id}, 'bulk', 'completed', '{}', 0, n, ${now - 90 * day} + (n > 2) FROM n`,
    sql`INSERT INTO jobs (project_id, kind, status, payload, next_attempt_at, created_at, updated_at)
      VALUES (${project.id}, 'bulk', 'queued', '{}', ${now + day}, 0, 0)`,
    sql`${numbers(1002)} INSERT INTO imports
      (project_id, status, size_bytes, delimiter, columns, created_at, updated_at)
      SELECT ${project.id}, 'cancelled', 0, ',', '[]', n, ${now - 400 * day} + (n > 1) FROM n`,
    sql`${numbers(2)} INSERT INTO authorizations (id, app_id, user_id, grant_type, scope, created_at, revoked_at)
      SELECT 'aut_' || n, ${app_id}, ${users.member}, '', '', 0, ${now - 400 * day} + (n > 1) FROM n`,
    sql`${numbers(2)} INSERT INTO api_keys (id, project_id, user_id, name, key_hash, hint, created_at, revoked_at)
      SELECT 'key_' || n, ${project.id}, ${users.owner}, '', 'hash ' || n, '', 0, ${now - 400 * day} + (n > 1) FROM n`,
    sql`${numbers(2)} INSERT INTO sandbox_messages (sender, recipient, recipient_key, raw, received_at)
      SELECT '', '', '', '', ${now - 30 * day} + (n > 1) FROM n`,
  )
  await world.service.drain('maintenance')
  const counts = []
  for (const table of ['jobs', 'imports', 'authorizations', 'api_keys', 'sandbox_messages'])
    counts.push(await count(table))
  // The newest 10,000 jobs and the waiting one; the newest 1,000 imports.
  expect(counts).toEqual([10_001, 1000, 1, 1, 1])
})

test('The counters of a project end with it.', async () => {
  await write(sql`DELETE FROM projects WHERE id = ${world.project.id}`)
  expect(await store().query(`SELECT kind FROM project_usage WHERE project_id = ${world.project.id}`)).toEqual([])
})
