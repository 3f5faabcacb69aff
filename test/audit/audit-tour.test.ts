import { afterAll, beforeAll, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { subjectOf } from '../../src/audit/call.ts'
import { EMPTY_CHAIN, isSealed, rowHash, sealOf } from '../../src/audit/chain.ts'
import { detailsOf, rowsToCopy } from '../../src/audit/list.ts'
import { actAs, auditedStore, note, type Note, type Origin } from '../../src/audit/record.ts'
import { removeOldRows } from '../../src/audit/retention.ts'
import { verifyChain } from '../../src/audit/verify.ts'
import type { ProjectId } from '../../src/ids.ts'
import { type DeveloperTour, tourOf } from '../developer/tour.ts'
import { expectRecorded } from '../support/recorded.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let tour: DeveloperTour
beforeAll(async () => {
  world = await createWorld()
  tour = await tourOf(world, [], 'administrator')
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('The rows of the audit log, their lists and the checks of their chain are those that are recorded.', async () => {
  subjects()
  await rows()
  await lists()
  await chain()
  await retention()
  expectRecorded('developer/audit.txt', tour.text())
})

function subjects(): void {
  tour.heading('Targets and details')
  const calls: [path: string, input: unknown, answer?: unknown, details?: string[]][] = [
    ['/apps/:id/scripts/:scriptId', { scriptId: 7, id: 'app_1' }],
    ['/apps/:id/scripts/:scriptId', { scriptId: 7, id: 'app_1', name: 'x', code: 'y' }, { script: { id: 7 } }],
    ['/apps/:id/scripts', { id: 'app_1', list_id: 3 }, { script: { id: 9 } }],
    ['/user/review-requests/:id/approve', { id: 4, comment: 'x' }, { review_request: { id: 4 } }],
    ['/project/scripts/switch', { connection_id: 5, project_id: 'prj_1', enabled: false }, undefined, ['enabled']],
    ['/contacts/update', { contact_id: 5, list_ids: [1], first_name: 'A' }, { contact: { id: 5 }, list: { id: 6 } }],
    [
      '/contacts/update',
      { contact_id: null, tag_id: true, first_name: undefined },
      { count: 2 },
      ['first_name', 'count'],
    ],
    ['/x', { externalAppId: 1, a_b_id: 'c' }],
    ['/x', { id: 1 }, { items: [{ id: 2 }] }],
    ['/things/:id/of-boats/:boatId', { id: 1, boatId: 2 }],
    ['/x', [1, 2], 'text'],
    ['/x', {}, { first: { id: '' }, second: { id: 8 } }, ['none']],
  ]
  for (const [path, input, answer = null, details = []] of calls)
    for (const names_fields of [false, true]) {
      const found = subjectOf({ path, input, answer, details, names_fields, otherwise: 'user:me' })
      tour.write(`  ${path} ${JSON.stringify(input)} ${JSON.stringify(answer)}: ${JSON.stringify(found)}`)
    }
  tour.write(`  ${JSON.stringify([detailsOf(null), detailsOf('{"a":1}')])}`)
}

const FIRST = {
  actor: 'first',
  action: 'write',
  ip: '192.0.2.7',
  request_id: 'req_first',
  project_id: 101 as ProjectId,
}

/** Writes through an audited store. */
async function write(
  origin: Partial<Origin>,
  notes: readonly Note[],
  { unasked = true, actor = '' } = {},
): Promise<void> {
  const { store, keys } = world.service.runtime
  const of: Origin = { ...FIRST, keys, at: world.clock.now(), ...origin }
  await auditedStore(store, () => of, unasked).write(async (tx) => {
    if (actor !== '') actAs(tx, actor)
    for (const one of notes) note(tx, one)
  })
}

async function rows(): Promise<void> {
  tour.heading('Rows of writes')
  const { store, keys: all_keys } = world.service.runtime
  tour.write(`  ${JSON.stringify(await verifyChain(store.query.bind(store), all_keys))}`)
  await write({}, [])
  await write({}, [], { unasked: false })
  world.clock.advance(MINUTE)
  await write({ project_id: undefined, ip: null, request_id: null }, [
    {},
    { target: 'tag:1' },
    { target: null, details: {} },
  ])
  const all = {
    action: 'noted',
    actor: 'second',
    target: 'tag:2',
    project_id: 102 as ProjectId,
    outcome: 'refused' as const,
  }
  await write({}, [{ ...all, details: { a: 1, b: [null, 'x'] } }], { unasked: false })
  await write({}, [{ actor: 'third' }, {}], { actor: 'instead' })
  await write({ actor: 'a'.repeat(250), action: 'b'.repeat(201) }, [{ target: `tag:${'c'.repeat(300)}` }])
  await write({ actor: 'lone \uD800', action: '\uDC00 more' }, [{ target: '' }])
  await write({}, [
    { details: { text: 'd'.repeat(989) } },
    { details: { text: 'd'.repeat(990) } },
    { details: { é: 'é'.repeat(494) } },
  ])
  await tour.changes()
  const { keys } = world.service.runtime
  const plain = { at: 1, actor: 'a', action: 'b', target: null, ip: null, request_id: null, project_id: null } as const
  const hash = rowHash('', 1, { ...plain, outcome: 'done', details: null })
  tour.name(hash, `<hash of the first row, which begins with ${hash.slice(0, 8)}>`)
  tour.write(`  ${hash}, ${rowHash(hash, 2, { ...plain, outcome: 'refused', details: '{}' }).slice(0, 8)}`)
  const seal = sealOf(keys, EMPTY_CHAIN)
  const ends = { ...EMPTY_CHAIN, seal }
  const others = [ends, { ...ends, last_id: 1 }, { ...ends, anchor_hash: 'x' }]
  tour.write(`  ${others.map((each) => isSealed(keys, each)).join()}`)
}

async function lists(): Promise<void> {
  const list = '/project/audit/list'
  const all = '/user/operator/audit/list'
  const here = { project_id: world.project.public_id }
  tour.heading('Lists')
  for (const name of ['One', 'Two', 'Three']) {
    world.clock.advance(MINUTE)
    await world.ok('tags/create', { name })
  }
  await world.ok('tags/create', { name: 'Theirs' }, { as: world.keys.other })
  await world.ok('tags/update', { tag_id: 2, name: 'Second', color: '#abc' }, { as: world.keys.editor })
  await world.ok('tags/create', { name: 'App' }, { as: await world.token('editor') })
  await tour.quiet('owner', 'POST /project/update', { ...here, name: 'Harbor' })
  await world.fetch('/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Test' },
    body: JSON.stringify({ email: 'owner@example.com', password: 'wrong' }),
  })
  const [key] = await world.service.runtime.store.db.all<{ id: string }>(
    sql`SELECT id FROM api_keys WHERE project_id = 101 AND user_id = ${world.users.owner}`,
  )
  tour.name(key!.id, 'key_owner')
  await tour.ask('Of a project, the newest first.', 'administrator', `POST ${list}`, { ...here, limit: 8 })
  const ids = ({ items }: any) => items.map(({ id }: any) => id).join(', ')
  let cursor: string | undefined
  do {
    const page = await tour.quiet('owner', `POST ${list}`, { ...here, limit: 6, cursor })
    tour.write(`  a page: ${ids(page)}`)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  do {
    const page = await tour.quiet('administrator', `POST ${all}`, { limit: 7, cursor })
    tour.write(`  a page of all: ${ids(page)}`)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  const [from, to] = ['2026-01-15T09:02:00Z', '2026-01-15T09:03:00.000Z']
  for (const query of [
    ...[{ actor: `key:${key!.id}` }, { actor: 'first' }, { action: 'tags/create' }, { action: 'tags' }],
    ...[{ targets: ['tag:2'] }, { targets: ['tag:1', 'tag:3', 'tag:99'] }, { from }, { to }, { from, to }],
    ...[
      { from: '2026-01-15T11:02+02:00', to: '2026-01-16T00:00Z' },
      { action: 'tags/create', targets: ['tag:2'], from, actor: 'x' },
    ],
  ]) {
    const [ofProject, ofAll] = [
      await tour.quiet('administrator', `POST ${list}`, { ...here, ...query }),
      await tour.quiet('administrator', `POST ${all}`, query),
    ]
    tour.write(`  ${JSON.stringify(query)}: ${ids(ofProject)}; of all: ${ids(ofAll)}`)
  }
  tour.write(
    `  of one project: ${ids(await tour.quiet('administrator', `POST ${all}`, { project_id: world.other.public_id }))}`,
  )
  await tour.ask('Of all.', 'administrator', `POST ${all}`, { limit: 2 })
  await tour.ask('Days that do not exist.', 'administrator', `POST ${list}`, { ...here, from: '2026-02-30T00:00:00Z' })
  await tour.ask('Nor at the end.', 'administrator', `POST ${all}`, { to: '2026-02-30T00:00:00Z' })
  await tour.ask('Wrong words.', 'administrator', `POST ${list}`, {
    ...{ ...here, actor: '', action: 'a'.repeat(201), targets: [], from: 'now', limit: 0, more: 1 },
  })
  await tour.ask('No project.', 'administrator', `POST ${all}`, { project_id: 'prj_none' })
  await tour.ask('Not for editors.', 'editor', `POST ${list}`, here)
  await tour.ask('Not for other people.', 'owner', `POST ${all}`, {})
  const page = await tour.quiet('administrator', `POST ${list}`, { ...here, limit: 6 })
  await tour.ask('A cursor of another list.', 'administrator', `POST ${all}`, { limit: 6, cursor: page.next_cursor })
  const { db } = world.service.runtime.store
  const copied = async (of: number | null, after: number, limit: number) =>
    (await rowsToCopy(db, of as ProjectId | null, after, limit)).map(({ id, project_id }) => [id, project_id])
  tour.write(
    `  copied: ${JSON.stringify([await copied(null, 3, 4), await copied(102, 0, 9), await copied(101, 5, 3)])}`,
  )
}

async function chain(): Promise<void> {
  const { store, keys } = world.service.runtime
  const { clock } = world
  const query = store.query.bind(store)
  tour.heading('Checks of the chain')
  const check = async (sentence: string) =>
    tour.write(`- ${sentence} ${JSON.stringify(await verifyChain(query, keys))}`)
  const run = (statement: string) => store.write((tx) => tx.run(sql.raw(statement)))
  await check('As it is.')
  /** A fault in the tables, its check, and the fault undone. */
  const wrong = async (sentence: string, fault: string, undo: string) => {
    await run(fault)
    await check(sentence)
    await run(undo)
  }
  await wrong(
    'A row that was changed.',
    `UPDATE audit_log SET actor = 'x' WHERE id = 3`,
    `UPDATE audit_log SET actor = 'first' WHERE id = 3`,
  )
  await check('As it was.')
  for (const column of ['at', 'action', 'target', 'ip', 'request_id', 'project_id', 'outcome', 'details', 'hash']) {
    const [row] = await store.db.all<Record<string, string | number | null>>(
      sql.raw(`SELECT ${column} AS v FROM audit_log WHERE id = 7`),
    )
    const before = row!.v === null ? 'NULL' : typeof row!.v === 'number' ? row!.v : `'${row!.v}'`
    const other = typeof row!.v === 'number' ? row!.v + 1 : column === 'outcome' ? `'refused'` : `'x'`
    await wrong(
      `Another ${column}.`,
      `UPDATE audit_log SET ${column} = ${other} WHERE id = 7`,
      `UPDATE audit_log SET ${column} = ${before} WHERE id = 7`,
    )
  }
  await run(`CREATE TABLE kept AS SELECT * FROM audit_log`)
  const restored = 'INSERT OR REPLACE INTO audit_log SELECT * FROM kept'
  for (const gone of ['id = 1', 'id = 5', 'id > 16', 'id = (SELECT max(id) FROM audit_log)', 'id > 0'])
    await wrong(`Without ${gone}.`, `DELETE FROM audit_log WHERE ${gone}`, restored)
  await run('CREATE TABLE kept_ends AS SELECT * FROM audit_chain')
  const ends = 'INSERT OR REPLACE INTO audit_chain SELECT * FROM kept_ends'
  for (const fault of ['last_id = last_id - 1', `last_hash = 'x'`, 'anchor_id = 1', `seal = ''`])
    await wrong(`With ${fault}.`, `UPDATE audit_chain SET ${fault}`, ends)
  await wrong('Without its ends.', 'DELETE FROM audit_chain', ends)
  const added = `INSERT INTO audit_log (id, at, actor, action, outcome, hash) VALUES`
  await wrong(
    'With a row behind the last.',
    `${added} (900, 1, 'x', 'x', 'done', 'x')`,
    'DELETE FROM audit_log WHERE id = 900',
  )
  await wrong(
    'With a row before the first.',
    `${added} (0, 1, 'x', 'x', 'done', 'x')`,
    'DELETE FROM audit_log WHERE id = 0',
  )
  tour.write(`- Without the key. ${JSON.stringify(await verifyChain(query, null))}`)
  await run('DROP TABLE kept')
  await run('DROP TABLE kept_ends')
  clock.advance(MINUTE)
}

async function retention(): Promise<void> {
  const { store, keys } = world.service.runtime
  const query = store.query.bind(store)
  tour.heading('Rows that are old')
  const look = async (sentence: string, after_ms: number) => {
    world.clock.advance(after_ms)
    const more = await removeOldRows(store, keys, world.clock.now())
    const [{ n, first, anchor_id, last_id } = {} as never] = await store.db.all<any>(
      sql`
        SELECT (SELECT count(*) FROM audit_log) AS n, (SELECT min(id) FROM audit_log) AS first, anchor_id, last_id
        FROM audit_chain`,
    )
    const { message } = await verifyChain(query, keys)
    tour.write(`- ${sentence} ${JSON.stringify({ more, rows: n, first, anchor_id, last_id })} ${message}`)
  }
  const [row] = await store.db.all<{ at: number }>(sql`SELECT min(at) AS at FROM audit_log`)
  await look('A moment before the first are 400 days old.', row!.at + 400 * DAY - 1 - world.clock.now())
  await look('As old as that.', 1)
  await look('A minute later.', MINUTE)
  await look('Ten minutes later.', 10 * MINUTE)
  await write({}, [])
  await look('With a new row.', 0)
}
