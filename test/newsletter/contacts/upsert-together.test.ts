import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { tokenHash } from '../../../src/secrets.ts'
import type { Store, Tx } from '../../../src/store/open.ts'
import { api_keys } from '../../../src/store/tables/accounts.ts'
import { type LibsqlServer, startLibsqlServer } from '../../support/libsql-server.ts'
import { type Answer, createWorld, START, type World } from '../../support/world.ts'

describe.each(['file', 'server'] as const)('On a database of kind %s:', (kind) => {
  let server: LibsqlServer | undefined
  let world: World
  beforeAll(async () => {
    if (kind === 'server') server = await startLibsqlServer()
    world = await createWorld(server && { database_url: server.url })
  })
  afterAll(async () => {
    await world.close()
    await server?.close()
  })

  /** Sends calls that wait for the same transaction. Answers how many writes they took, beside those of the quota. */
  async function together(calls: (() => Promise<Answer>)[], meanwhile?: (tx: Tx) => Promise<unknown>) {
    const { store } = world.service.runtime
    const { write } = store
    const allWait = Promise.withResolvers<void>()
    let writes = 0
    const held: Store['write'] = async (work, options) => {
      if (options?.durable === false) return write(work, options)
      writes += 1
      await allWait.promise
      return write(work, options)
    }
    store.write = held
    const answers = calls.map((call) => call())
    while (![...store.sets.values()].some(({ length }) => length === calls.length)) await new Promise(setImmediate)
    if (meanwhile) await write(meanwhile)
    allWait.resolve()
    const done = await Promise.all(answers)
    store.write = write
    return { answers: done, writes }
  }

  /** Calls for every way in which an upsert may end, in a project of their own. */
  async function prepared() {
    const project = await world.fresh()
    const { list: club } = await project.ok('lists/create', { name: 'Club' })
    const { list: asking } = await project.ok('lists/create', { name: 'Asking', double_opt_in: true })
    const { tag } = await project.ok('tags/create', { name: 'Sailor' })
    await project.ok('custom-fields/create', { key: 'plan', label: 'Plan', type: 'text' })
    await project.ok('suppressions/add', { email: 'left@example.com' })
    await project.ok(
      'contacts/upsert',
      { email: 'known@example.com', consent_text: 'Yes', first_name: 'K' },
      { key: 'k' },
    )
    const bodies: [body: Record<string, unknown>, key?: string][] = [
      [{ email: 'ada@example.com', list_ids: [club.id], tag_ids: [tag.id], custom_fields: { plan: 'free' } }],
      [{ email: 'bert@example.com', first_name: 'Bert' }],
      [{ email: 'cara@example.com', list_ids: [club.id, asking.id], consent: { source: 'Fair', ip: '192.0.2.7' } }],
      [{ email: 'Known@example.com', first_name: 'Kay', list_ids: [asking.id] }],
      [{ email: 'left@example.com', list_ids: [club.id] }],
      [{ email: 'dan@example.com', list_ids: [999_999] }],
      [{ email: 'eve@example.com', custom_fields: { nothing: 'x' } }],
      [{ email: 'cara+again@example.com', list_ids: [asking.id] }],
      [{ email: 'ADA@example.com', first_name: 'Ada' }],
      [{ email: 'known@example.com', first_name: 'K' }, 'k'],
    ]
    const calls = bodies.map(([body, key], index) => {
      return () => project.call('contacts/upsert', { consent_text: 'Yes', ...body }, { key: key ?? `call-${index}` })
    })
    return { project, calls }
  }

  /** Without what differs between two projects. */
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (name, inner) => (/(^|_)ids?$/.test(name) && inner !== null ? 'id' : inner)))

  async function leftBy({ project }: World) {
    const rows = async (query: ReturnType<typeof sql>) => (await world.service.runtime.store.db.all(query)).map(plain)
    return {
      contacts: await rows(sql`
        SELECT email, global_status, first_name, custom_fields, consent_source, updated_at,
          (SELECT count(*) FROM contact_tags WHERE contact_id = contacts.id) AS tags,
          (SELECT group_concat(status) FROM memberships WHERE contact_id = contacts.id) AS memberships
        FROM contacts WHERE project_id = ${project.id} ORDER BY email_key`),
      consents: await rows(sql`
        SELECT contacts.email, source, at, address, caller_address FROM consents JOIN contacts
          ON contacts.id = contact_id WHERE consents.project_id = ${project.id} ORDER BY contacts.email_key, list_id`),
      events: await rows(
        sql`SELECT type, email FROM events WHERE project_id = ${project.id} ORDER BY email, type, list_id`,
      ),
      messages: await rows(sql`
        SELECT email, status FROM deliveries WHERE project_id = ${project.id} ORDER BY email`),
      receipts: await rows(sql`
        SELECT idempotency_key AS key, status, state FROM receipts
        WHERE project_id = ${project.id} AND operation = '/contacts/upsert' ORDER BY idempotency_key`),
      audit: await rows(sql`
        SELECT count(DISTINCT request_id) AS requests, count(*) AS count, action, actor LIKE 'key:%' AS by_key
        FROM audit_log WHERE project_id = ${project.id} GROUP BY action, by_key`),
    }
  }

  test('Upserts that wait together answer and leave what they would one after the other.', async () => {
    const [one, other] = [await prepared(), await prepared()]
    const { answers, writes } = await together(one.calls)
    const single: Answer[] = []
    for (const call of other.calls) single.push(await call())
    const shown = (all: Answer[]) =>
      all.map(({ status, body, headers }) => [status, plain(body), headers.get('Idempotent-Replayed')])
    expect(shown(answers)).toEqual(shown(single))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 400, 200, 200, 200])
    expect(await leftBy(one.project)).toEqual(await leftBy(other.project))
    // One for five calls, one each for the others, and one for the receipt of the 404.
    expect(writes).toBe(7)
  })

  test('A caller whose key ends while it waits is refused, and the others of its set are not.', async () => {
    const project = await world.fresh()
    const upsert = (email: string, as: string) => () =>
      project.call('contacts/upsert', { email, consent_text: 'Yes' }, { as })
    const { owner, editor } = project.keys
    const calls = [upsert('a@example.com', owner), upsert('b@example.com', editor), upsert('c@example.com', owner)]
    for (const as of [owner, editor]) await upsert('d@example.com', as)()
    const { answers } = await together(calls, (tx) =>
      tx
        .update(api_keys)
        .set({ revoked_at: START })
        .where(eq(api_keys.key_hash, tokenHash(editor))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200])
    const { items } = await project.ok('contacts/list', {})
    expect(items.map(({ email }: { email: string }) => email).sort()).toEqual(
      ['a@', 'c@', 'd@'].map((at) => `${at}example.com`),
    )
  })
})
