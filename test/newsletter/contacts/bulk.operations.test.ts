import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createWorld, type World } from '../../support/world.ts'
import { addressOf, everyStanding, outcomeOf, place } from '../consent/standings.ts'

let world: World
let news: number
let club: number
let tag: number
beforeAll(async () => {
  world = await createWorld()
  news = (await world.ok('lists/create', { name: 'News' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
  tag = (await world.ok('tags/create', { name: 'VIP' })).tag.id
})
afterAll(() => world.close())

const EVERYBODY = { op: 'and', rules: [] }
const store = () => world.service.runtime.store
const named = (prefix: string) => ({ op: 'and', rules: [{ field: 'email', operator: 'starts_with', value: prefix }] })
const person = async (email: string, more: Record<string, unknown> = {}): Promise<number> =>
  (await world.ok('contacts/upsert', { email, consent_text: 'Yes', ...more })).contact.id
const people = (prefix: string, count: number, more: Record<string, unknown> = {}) =>
  Promise.all(Array.from({ length: count }, (_, index) => person(`${prefix}${index}@example.com`, more)))
const contact = async (contact_id: number) => (await world.ok('contacts/get', { contact_id })).contact
const run = async (body: Record<string, unknown>) => {
  const { job } = await world.ok('contacts/bulk', body)
  await world.service.drain('jobs')
  return (await world.ok('jobs/get', { job_id: job.id })).job
}
const refused = async (body: Record<string, unknown>) => {
  const {
    status,
    body: { error },
  } = await world.call('contacts/bulk', body)
  return [status, error.code, ...(error.details ?? []).map(({ path }: { path: string }) => path)]
}

test('A request is queued as a job whose total counts each named contact once.', async () => {
  const [one, two] = await people('queued', 2)
  const answer = await world.call('contacts/bulk', {
    action: 'add_tags',
    contact_ids: [two, one, two],
    tag_ids: [tag],
  })
  expect(answer.status).toBe(202)
  expect(answer.body.data).toEqual({
    job: {
      id: expect.any(Number),
      kind: 'bulk',
      action: 'add_tags',
      about: { type: 'tag', id: tag, name: 'VIP' },
      status: 'queued',
      processed: 0,
      total: 2,
      error: null,
      attempts: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  })
  await world.service.drain('jobs')
  expect((await world.ok('jobs/get', { job_id: answer.body.data.job.id })).job).toMatchObject({
    status: 'completed',
    processed: 2,
    total: 2,
  })
})

test('A request has either contact ids or a filter.', async () => {
  expect(await refused({ action: 'delete' })).toEqual([400, 'VALIDATION_FAILED', ''])
  expect(await refused({ action: 'delete', contact_ids: [1], filter: EVERYBODY })).toEqual([
    400,
    'VALIDATION_FAILED',
    '',
  ])
  expect(await refused({ action: 'delete', contact_ids: [] })).toEqual([400, 'VALIDATION_FAILED', '/contact_ids'])
  expect(
    await refused({ action: 'delete', contact_ids: Array.from({ length: 1001 }, (_, index) => index + 1) }),
  ).toEqual([400, 'VALIDATION_FAILED', '/contact_ids'])
  expect(await refused({ action: 'delete', filter: {} })).toEqual([
    400,
    'VALIDATION_FAILED',
    expect.stringContaining('/filter'),
  ])
  expect(
    await refused({
      action: 'delete',
      filter: { op: 'and', rules: [{ field: 'shoe_size', operator: 'eq', value: 1 }] },
    }),
  ).toEqual([400, 'VALIDATION_FAILED', '/filter/rules/0/field'])
})

test('The request of a bulk action must have exactly the properties of its action.', async () => {
  const contact_ids = [1]
  expect(await refused({ action: 'add_to_list', contact_ids, consent_text: 'Yes' })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/list_id',
  ])
  expect(await refused({ action: 'add_to_list', contact_ids, list_id: news })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/consent_text',
  ])
  expect(await refused({ action: 'remove_from_list', contact_ids, list_id: news, consent_text: 'Yes' })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/consent_text',
  ])
  expect(await refused({ action: 'add_tags', contact_ids })).toEqual([400, 'VALIDATION_FAILED', '/tag_ids'])
  expect(await refused({ action: 'unsubscribe', contact_ids, tag_ids: [tag] })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/tag_ids',
  ])
  expect(await refused({ action: 'anonymize', contact_ids })).toEqual([400, 'VALIDATION_FAILED', '/action'])
})

test('The request of a bulk action is a 404 for an unknown list or tag and for one of another project.', async () => {
  const foreign = (await world.ok('lists/create', { name: 'Foreign' }, { as: world.keys.other })).list.id
  for (const list_id of [999_999, foreign])
    expect(await refused({ action: 'remove_from_list', contact_ids: [1], list_id })).toEqual([
      404,
      'NOT_FOUND',
      '/list_id',
    ])
  expect(await refused({ action: 'add_tags', contact_ids: [1], tag_ids: [tag, 999_999] })).toEqual([
    404,
    'NOT_FOUND',
    '/tag_ids/1',
  ])
})

test('The selection of contacts skips and counts ids that are unknown or belong to another project.', async () => {
  const [known] = await people('whois', 1)
  const foreign = (
    await world.ok('contacts/upsert', { email: 'f@example.com', consent_text: 'Yes' }, { as: world.keys.other })
  ).contact.id
  expect(await run({ action: 'add_tags', contact_ids: [known, 999_999, foreign], tag_ids: [tag] })).toMatchObject({
    status: 'completed',
    processed: 3,
    total: 3,
  })
  expect((await contact(known!)).tag_ids).toEqual([tag])
  expect(await store().db.all(sql`SELECT 1 FROM contact_tags WHERE contact_id = ${foreign}`)).toEqual([])
})

test('A selection misses no contact when its action changes the matches, and has its total at the end.', async () => {
  const { tag: fresh } = await world.ok('tags/create', { name: 'Fresh' })
  await place(
    world,
    'many',
    Array.from({ length: 2500 }, () => ({
      status: 'subscribed' as const,
      suppression: null,
      memberships: [null, null],
    })),
    [news, club],
  )
  const untagged = {
    op: 'and',
    rules: [...named('many').rules, { field: 'tag', operator: 'not_in', value: [fresh.id] }],
  }
  const { job } = await world.ok('contacts/bulk', { action: 'add_tags', filter: untagged, tag_ids: [fresh.id] })
  expect(job.total).toBeNull()
  await world.service.drain('jobs')
  expect((await world.ok('jobs/get', { job_id: job.id })).job).toMatchObject({
    status: 'completed',
    processed: 2500,
    total: 2500,
  })
  expect(await store().db.all(sql`SELECT count(*) AS n FROM contact_tags WHERE tag_id = ${fresh.id}`)).toEqual([
    { n: 2500 },
  ])
})

test('Deleting the list before the job runs cancels the job.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Short lived' })
  const { job } = await world.ok('contacts/bulk', { action: 'remove_from_list', filter: EVERYBODY, list_id: list.id })
  await world.ok('lists/delete', { list_id: list.id })
  await world.service.drain('jobs')
  expect((await world.ok('jobs/get', { job_id: job.id })).job.status).toBe('cancelled')
})

test('A job goes on with the tags that are left, and is cancelled without any.', async () => {
  const [id] = await people('tagged', 1)
  const { tag: gone } = await world.ok('tags/create', { name: 'Gone' })
  const { tag: left } = await world.ok('tags/create', { name: 'Left' })
  const queued = async (tag_ids: number[]) =>
    (await world.ok('contacts/bulk', { action: 'add_tags', contact_ids: [id], tag_ids })).job.id
  const [both, none] = [await queued([gone.id, left.id]), await queued([gone.id])]
  await world.ok('tags/delete', { tag_id: gone.id })
  await world.service.drain('jobs')
  const status = async (job_id: number) => (await world.ok('jobs/get', { job_id })).job.status
  expect([await status(both), await status(none)]).toEqual(['completed', 'cancelled'])
  expect((await contact(id!)).tag_ids).toEqual([left.id])
})

test('Adding to a list has the same outcome as an upsert, for every status of the contact.', async () => {
  const standings = everyStanding().filter(({ status }) => status !== null)
  await place(world, 'set', standings, [news, club])
  await place(world, 'alone', standings, [news, club])
  expect(
    await run({ action: 'add_to_list', filter: named('set'), list_id: club, consent_text: 'I agree' }),
  ).toMatchObject({ status: 'completed', processed: standings.length })
  for (const index of standings.keys())
    await world.ok('contacts/upsert', { email: addressOf('alone', index), list_ids: [club], consent_text: 'I agree' })
  for (const [index, standing] of standings.entries()) {
    expect({ standing, ...((await outcomeOf(world, 'set', index)) as object) }).toEqual({
      standing,
      ...((await outcomeOf(world, 'alone', index)) as object),
    })
  }
  const [evidence] = await store().db.all(
    sql`SELECT address, caller_address FROM consents WHERE source = 'bulk' LIMIT 1`,
  )
  expect(evidence).toEqual({ address: null, caller_address: '127.0.0.1' })
})

test('Adding to a double opt-in list queues the confirmations.', async () => {
  const { connection } = await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  await world.ok('settings/update', {
    from_name: 'H',
    from_email: 'news@harbour.example',
    company_name: 'H',
    postal_address: '1 Quay',
    default_connection_id: connection.id,
  })
  const [id] = await people('asked', 1)
  await run({ action: 'add_to_list', contact_ids: [id], list_id: club, consent_text: 'I agree' })
  await world.settle()
  const { messages } = (await (await world.fetch('/general/sandbox/mailbox?to=asked0@example.com')).json()) as any
  expect(messages.map(({ to }: any) => to)).toEqual(['asked0@example.com'])
})

test('Removal from a list, unsubscribing, tags and deletion do the same as for one contact.', async () => {
  for (const [action, body, alone] of [
    [
      'remove_from_list',
      { list_id: news },
      (id: number) => world.ok('contacts/membership', { contact_id: id, list_id: news, action: 'unsubscribe' }),
    ],
    ['unsubscribe', {}, (id: number) => world.ok('contacts/unsubscribe', { contact_id: id })],
    ['add_tags', { tag_ids: [tag] }, (id: number) => world.ok('contacts/tags', { contact_id: id, add: [tag] })],
    ['remove_tags', { tag_ids: [tag] }, (id: number) => world.ok('contacts/tags', { contact_id: id, remove: [tag] })],
    ['delete', {}, (id: number) => world.ok('contacts/delete', { contact_id: id })],
  ] as const) {
    const group = action.replaceAll('_', '')
    const standings = everyStanding().filter(
      ({ status, suppression }, index) =>
        status !== null && (action === 'delete' ? index % 3 === 0 : suppression === null),
    )
    await place(world, `${group}set`, standings, [news, club])
    await place(world, `${group}one`, standings, [news, club])
    expect(await run({ action, filter: named(`${group}set`), ...body })).toMatchObject({
      status: 'completed',
      processed: standings.length,
    })
    const ids = await store().db.all<{ id: number }>(sql`SELECT id FROM contacts WHERE email LIKE ${`${group}one%`}`)
    for (const { id } of ids) await alone(id)
    for (const [index, standing] of standings.entries()) {
      expect({ action, standing, ...((await outcomeOf(world, `${group}set`, index)) as object) }).toEqual({
        action,
        standing,
        ...((await outcomeOf(world, `${group}one`, index)) as object),
      })
    }
  }
})

test('A search narrows the filter to what contacts/list shows for both.', async () => {
  const ada = await person('searched-ada@example.com', { first_name: 'Ada', last_name: 'Lind' })
  await person('searched-bo@example.com', { first_name: 'Bo', last_name: 'Lind' })
  const asked = { search: 'ada lind', filter: named('searched') }
  expect((await world.ok('contacts/list', asked)).items.map(({ id }: { id: number }) => id)).toEqual([ada])
  expect(await run({ action: 'delete', ...asked })).toMatchObject({ status: 'completed', processed: 1 })
  expect((await world.ok('contacts/list', { search: 'searched' })).items).toHaveLength(1)
  expect(await refused({ action: 'delete', contact_ids: [1], search: 'ada' })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/search',
  ])
})

test('A filter without rules matches every contact, for deletion too.', async () => {
  await world.ok('contacts/upsert', { email: 'theirs@example.com', consent_text: 'Yes' }, { as: world.keys.other })
  const [before] = await store().db.all<{ n: number }>(
    sql`SELECT count(*) AS n FROM contacts WHERE project_id = ${world.project.id}`,
  )
  expect(await run({ action: 'delete', filter: EVERYBODY })).toMatchObject({
    status: 'completed',
    processed: before!.n,
    total: before!.n,
  })
  expect((await world.ok('contacts/list', {})).items).toEqual([])
  const { items: theirs } = await world.ok('contacts/list', {}, { as: world.keys.other })
  expect(theirs.map(({ email }: { email: string }) => email)).toContain('theirs@example.com')
})
