import { sql } from 'drizzle-orm'
import { beforeAll, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../../src/clock.ts'
import { jsonText } from '../../../src/store/json-text.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type PeopleTour, tourOfPeople } from '../people-tour.ts'

let world: World
let tour: PeopleTour
beforeAll(async () => {
  world = await createWorld()
  tour = tourOfPeople(world)
})

const [OPEN, ASKING, ARCHIVED, NEIGHBORS] = [1, 2, 3, 4]
const [GOLD, SILVER, NEIGHBORS_TAG] = [1, 2, 3]

test('What finds, counts, exports and changes many contacts is what is recorded.', async () => {
  await prepare()
  await lists()
  await stats()
  await exports()
  await bulk()
  expectRecorded('people/many-contacts.txt', tour.text())
})

/** Names, lists, tags, fields and what happened to each person. Nobody is like another. */
const PEOPLE = [
  ['ada@north.example', { first_name: 'Ada', last_name: 'Lind', list_ids: [OPEN], tag_ids: [GOLD], boats: 1 }],
  ['bob@south.example', { first_name: 'Bob', last_name: 'Lindgren', list_ids: [OPEN, ASKING], tag_ids: [SILVER] }],
  ['cleo@north.example', { list_ids: [ASKING], tag_ids: [GOLD, SILVER], boats: 3 }],
  ['dan@east.example', { first_name: '=SUM(A1)', last_name: '-12.5', list_ids: [OPEN, ARCHIVED], boats: 0 }],
  ['eve@east.example', { first_name: 'Éve, "the first"', last_name: '@home', list_ids: [ARCHIVED], tag_ids: [GOLD] }],
  ['fay@north.example', { last_name: 'Øst, holm', list_ids: [OPEN], boats: -4.25 }],
  ['gus@west.example', { first_name: '+47', list_ids: [OPEN, ARCHIVED], tag_ids: [SILVER], boats: 1e21 }],
  ['hal@west.example', {}],
  ['İda@west.example', { first_name: 'Σίσυφος', last_name: '＝1+1', list_ids: [OPEN] }],
] as const

async function prepare(): Promise<void> {
  for (const [name, more] of [
    ['Open', {}],
    ['Asking', { double_opt_in: true }],
    ['Archived', {}],
  ] as const)
    await world.ok('lists/create', { name, ...more })
  for (const name of ['gold', 'silver']) await world.ok('tags/create', { name })
  await world.ok('custom-fields/create', { key: 'town', label: 'Town', type: 'text' })
  await world.ok('custom-fields/create', { key: 'boats', label: 'Boats', type: 'number' })
  await world.ok('custom-fields/create', { key: 'crew', label: 'Crew', type: 'boolean' })
  const as = { as: world.keys.other }
  await world.ok('lists/create', { name: 'Open' }, as)
  await world.ok('tags/create', { name: 'gold' }, as)
  for (const email of ['ada@north.example', 'bob@south.example', 'zoe@north.example'])
    await world.ok(
      'contacts/upsert',
      { email, consent_text: 'Of a neighbor.', list_ids: [NEIGHBORS], tag_ids: [NEIGHBORS_TAG] },
      as,
    )
  await tour.skip()
  for (const [at, [email, { boats, ...person }]] of PEOPLE.map((entry) => entry as [string, any]).entries()) {
    // Some of them arrive in one instant.
    if (at % 3 !== 1) world.clock.advance(HOUR_MS)
    // One has a higher id than those that arrived later.
    const earlier = at === 7 ? 4 * HOUR_MS : 0
    world.clock.advance(-earlier)
    const custom_fields = { ...(boats === undefined ? {} : { boats, crew: boats > 0 }), town: at % 2 ? 'Moss' : '' }
    await world.ok('contacts/upsert', { email, consent_text: `Wording ${at % 4}.`, ...person, custom_fields })
    world.clock.advance(earlier)
  }
  world.clock.advance(DAY_MS)
  await world.ok('lists/update', { list_id: ARCHIVED, archived: true })
  const suppress = (email: string, reason: string) => world.ok('suppressions/add', { email, reason })
  await world.ok('contacts/membership', { contact_id: 4, list_id: OPEN, action: 'unsubscribe' })
  await world.ok('contacts/unsubscribe', { contact_id: 5 })
  await suppress('dan@east.example', 'hard_bounce')
  await suppress('eve@east.example', 'complaint')
  await suppress('fay@north.example', 'manual')
  await suppress('gus@west.example', 'unsubscribe')
  await suppress('gus@west.example', 'hard_bounce')
  await tour.changes()
}

const show = ({ id, email }: any) => `${id} ${email.split('@')[0]}`
const pages = (sentence: string, body: object) => tour.pages(sentence, 'contacts/list', { ...body }, show)
const LEAF = { field: 'custom.boats', operator: 'gte', value: 1 }

/** Each filter, once alone and in groups. */
const FILTERS = [
  {},
  { status: 'subscribed' },
  { status: 'pending' },
  { status: 'unsubscribed' },
  { status: 'bounced' },
  { status: 'complained' },
  { search: 'north' },
  { search: ' LIND ' },
  { search: 'ada@' },
  { search: '  ' },
  { search: 'éve' },
  { search: '%' },
  { search: 'ΣΊΣΥΦΟΣ' },
  { search: 'zoe' },
  { list_id: OPEN },
  { list_id: ASKING },
  { list_id: ARCHIVED },
  { list_id: OPEN, list_status: 'subscribed' },
  { list_id: OPEN, list_status: 'unsubscribed' },
  { list_id: ASKING, list_status: 'pending' },
  { list_id: ASKING, list_status: 'subscribed' },
  { list_status: 'pending' },
  { list_status: 'unsubscribed' },
  { tag_id: GOLD },
  { tag_id: SILVER },
  { filter: { op: 'and', rules: [LEAF] } },
  { filter: { op: 'not', rules: [LEAF, { field: 'tag', operator: 'in', value: GOLD }] } },
  { search: 'west', status: 'bounced', list_id: OPEN, list_status: 'unsubscribed', tag_id: SILVER },
  { search: 'lind', list_id: OPEN, tag_id: GOLD, filter: { op: 'or', rules: [LEAF] } },
]

const REFUSED = [
  { list_id: NEIGHBORS },
  { tag_id: NEIGHBORS_TAG },
  { list_id: 99 },
  { tag_id: 99 },
  { status: 'gone' },
  { list_status: 'left' },
  { search: 's'.repeat(321) },
  { filter: { op: 'and', rules: [{ field: 'custom.age', operator: 'eq', value: 1 }] } },
  { filter: { op: 'xor', rules: [] } },
]

async function lists(): Promise<void> {
  tour.heading('Who is found')
  await tour.call('One contact, whole.', 'contacts/list', { limit: 1 })
  await tour.call('The newest, whole.', 'contacts/list', { limit: 1, order: 'newest' })
  for (const filter of FILTERS) await pages('All.', filter)
  for (const limit of [1, 2, 4]) for (const order of ['oldest', 'newest']) await pages('In pages.', { limit, order })
  for (const order of ['oldest', 'newest']) {
    await pages('Of a list, in pages.', { list_id: OPEN, limit: 2, order })
    await pages('With a tag, in pages.', { tag_id: SILVER, limit: 1, order })
    await pages('Of a search, in pages.', { search: 'example', limit: 3, order })
  }

  tour.heading('Refused filters and cursors')
  for (const filter of REFUSED) await tour.call('Refused.', 'contacts/list', filter)
  const { next_cursor } = await world.ok('contacts/list', { limit: 2 })
  const more = { limit: 2, cursor: next_cursor }
  await tour.pages('The same filters.', 'contacts/list', { limit: 2, search: '' }, show)
  for (const other of [{ search: 'a' }, { status: 'subscribed' }, { order: 'newest' }, { list_id: OPEN }])
    await tour.call('A cursor of other filters.', 'contacts/list', { ...more, ...other })
  await tour.call('A cursor of another project.', 'contacts/list', more, { as: 'other' })
  await tour.call('A cursor of another list.', 'tags/list', { limit: 2, cursor: next_cursor })
}

async function stats(): Promise<void> {
  tour.heading('Counts')
  for (const filter of FILTERS) {
    const { total, by_status, by_list } = await world.ok('contacts/stats', filter)
    const lines = by_list.map((list: any) => Object.values(list).join(' '))
    tour.write(`${JSON.stringify(filter)}: ${total} = ${Object.values(by_status).join(' ')} | ${lines.join(' | ')}`)
  }
  await tour.call('All.', 'contacts/stats')
  await tour.call("A neighbor's.", 'contacts/stats', {}, { as: 'other' })
  for (const filter of REFUSED) await tour.call('Refused.', 'contacts/stats', filter)
}

async function exports(): Promise<void> {
  tour.heading('Exports')
  const call = (sentence: string, body: object = {}, as: 'owner' | 'member' | 'editor' | 'other' = 'owner') =>
    tour.call(sentence, 'contacts/export', { ...body }, { as })
  await call('Everything.')
  await call("A neighbor's.", {}, 'other')
  await call('A member may not.', {}, 'member')
  await call(
    'Some columns, in another order.',
    { columns: ['custom.crew', 'email', 'custom.boats', 'id', 'lists'] },
    'editor',
  )
  await call('Times and names.', { columns: ['updated_at', 'consent_at', 'full_name', 'tag_ids'], tag_id: SILVER })
  for (const filter of FILTERS) {
    const { body } = await world.call('contacts/export', { ...filter, columns: ['id'] })
    tour.write(`${JSON.stringify(filter)}: ${body.split('\r\n').join(' ')}`)
  }
  await tour.skip()
  const standing = { search: 'gus', columns: ['global_status', 'email'] }
  await call('Who left and bounced.', standing)
  await world.ok('suppressions/remove', { email: 'gus@west.example' })
  await call('Without the suppression.', standing)
  await call('Columns that are none.', { columns: ['email', 'custom.age', 'custom.town', 'custom.none'] })
  await call('A column that never is one.', { columns: ['phone'] })
  await call('A column twice.', { columns: ['email', 'email'] })
  await call('No column.', { columns: [] })
  for (const filter of REFUSED.slice(0, 2)) await call('Refused.', filter)
}

async function bulk(): Promise<void> {
  tour.heading('Bulk actions')
  const call = (sentence: string, body: object) => tour.call(sentence, 'contacts/bulk', { ...body })
  const all = { filter: { op: 'and', rules: [] } }
  const run = async (sentence: string, body: object) => {
    const { job } = await call(sentence, body)
    await world.service.drain('jobs')
    await tour.call('Its job.', 'jobs/get', { job_id: job.id })
    await tour.changes()
  }
  await run('Tags for some.', { action: 'add_tags', contact_ids: [12, 4, 1, 99, 4, 5], tag_ids: [SILVER, GOLD] })
  await run('A tag is taken away by a search.', { action: 'remove_tags', ...all, search: ' NORTH', tag_ids: [GOLD] })
  await run('Into a list.', { action: 'add_to_list', ...all, list_id: OPEN, consent_text: 'At the meeting.' })
  const asked = {
    op: 'and',
    rules: [{ field: 'email_domain', operator: 'in', value: ['west.example', 'south.example'] }],
  }
  await run('Into a list that asks.', { action: 'add_to_list', filter: asked, list_id: ASKING, consent_text: 'There.' })
  await run('Out of a list.', { action: 'remove_from_list', contact_ids: [4, 5, 6], list_id: OPEN })
  await run('Unsubscribed.', { action: 'unsubscribe', ...all, search: 'west' })
  await run('Deleted.', { action: 'delete', contact_ids: [12, 5, 8, 1] })
  await run('Nobody.', { action: 'delete', ...all, search: 'nobody' })

  tour.heading('Refused bulk actions')
  const ids = (count: number) => Array.from({ length: count }, () => 4)
  for (const [sentence, body] of [
    ['No action.', { contact_ids: [4] }],
    ['An action that is none.', { action: 'move', contact_ids: [4] }],
    ['Nobody named.', { action: 'unsubscribe' }],
    ['Named twice.', { action: 'unsubscribe', contact_ids: [4], ...all }],
    ['A search without a filter.', { action: 'unsubscribe', contact_ids: [4], search: 'a' }],
    ['No ids.', { action: 'unsubscribe', contact_ids: [] }],
    ['1000 ids, and a tag that is none.', { action: 'add_tags', contact_ids: ids(1000), tag_ids: [99] }],
    ['1001 ids.', { action: 'unsubscribe', contact_ids: ids(1001) }],
    ['No list.', { action: 'add_to_list', contact_ids: [4], consent_text: 'Yes.' }],
    ['No words.', { action: 'add_to_list', contact_ids: [4], list_id: OPEN }],
    ['Needless tags.', { action: 'add_to_list', contact_ids: [4], list_id: OPEN, consent_text: 'Yes.', tag_ids: [1] }],
    ['Needless words.', { action: 'remove_from_list', contact_ids: [4], list_id: OPEN, consent_text: 'Yes.' }],
    ['No tags.', { action: 'add_tags', contact_ids: [4] }],
    ['Tags for a deletion.', { action: 'delete', contact_ids: [4], tag_ids: [GOLD] }],
    ["A neighbor's tag.", { action: 'remove_tags', contact_ids: [4], tag_ids: [GOLD, NEIGHBORS_TAG] }],
    ["A neighbor's list.", { action: 'remove_from_list', contact_ids: [4], list_id: NEIGHBORS }],
    ['Rules that do not fit.', { action: 'delete', filter: { op: 'and', rules: [{ field: 'phone' }] } }],
  ] as const) {
    world.clock.advance(1000)
    const { status, body: answer } = await world.call('contacts/bulk', body)
    tour.write(`- ${sentence}`, `  ${status} ${answer.error.code} ${JSON.stringify(answer.error.details)}`)
  }

  tour.heading('What is gone before its job runs')
  await call('Into a list.', { action: 'remove_from_list', ...all, list_id: OPEN })
  await call('A tag of two.', { action: 'add_tags', ...all, tag_ids: [GOLD, SILVER] })
  await call('A tag alone.', { action: 'remove_tags', ...all, tag_ids: [GOLD] })
  await world.ok('lists/delete', { list_id: OPEN })
  await world.ok('tags/delete', { tag_id: GOLD })
  await tour.skip()
  await world.service.drain('jobs')
  await tour.changes()

  tour.heading('Room for jobs')
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.run(sql`
      INSERT INTO jobs (project_id, kind, status, payload, next_attempt_at, created_at, updated_at)
      SELECT 101, 'bulk', 'queued', '{"action":"unsubscribe","contact_ids":[]}', 0, 0, 0
      FROM json_each(${jsonText(Array.from({ length: 999 }))})`),
  )
  await call('The last that has room.', { action: 'remove_tags', contact_ids: [4], tag_ids: [SILVER] })
  await call('One too many.', { action: 'remove_tags', contact_ids: [4], tag_ids: [SILVER] })
  const { segment } = await world.ok('segments/create', { name: 'All', rules: all.filter })
  await tour.call('One too many of another kind.', 'segments/materialize', { segment_id: segment.id, tag_id: SILVER })
}
