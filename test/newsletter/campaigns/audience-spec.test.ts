import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import {
  eligible,
  listsOnly,
  requireAudience,
  resolveAudience,
} from '../../../src/newsletter/campaigns/audience-spec.ts'
import type { AudienceEntry, AudienceSpec } from '../../../src/store/tables/delivery.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { addList, addPeople, addTag } from './support.ts'

let world: World
let weekly: number
let vip: number
let foreign: number
beforeAll(async () => {
  world = await createWorld()
  weekly = await addList(world, 'weekly')
  vip = await addTag(world, 'vip')
  foreign = await addList(world, 'foreign', world.other.id)
  await addPeople(world, [
    { email: 'ada@harbour.example', lists: { [weekly]: 'subscribed' }, tags: [vip] },
    { email: 'ben@harbour.example', lists: { [weekly]: 'subscribed' } },
    { email: 'cleo@harbour.example', lists: { [weekly]: 'pending' } },
    { email: 'dan@harbour.example', lists: { [weekly]: 'subscribed' }, suppressed: 'manual' },
    { email: 'eve@harbour.example', status: 'unsubscribed', tags: [vip] },
  ])
  await addPeople(world, [{ email: 'gil@elsewhere.example' }], world.other.id)
})
afterAll(() => world.close())

const db = () => world.service.runtime.store.db
const list = (id: number): AudienceEntry => ({ type: 'list', id })
const tag = (id: number): AudienceEntry => ({ type: 'tag', id })
const refusal = (spec: AudienceSpec, before?: AudienceSpec) =>
  requireAudience(db(), world.project.id, spec, before).then(
    () => null,
    ({ code, details }) => ({ code, details }),
  )

test('Each entry that the project does not have is named by its path.', async () => {
  const spec = { include: [list(weekly), list(foreign), { type: 'all' as const }], exclude: [tag(vip), tag(vip + 1)] }
  expect(await refusal(spec)).toEqual({
    code: 'NOT_FOUND',
    details: [{ path: '/audience_spec/include/1/id' }, { path: '/audience_spec/exclude/1/id' }],
  })
  expect(await refusal({ include: [list(weekly)], exclude: [tag(vip)] })).toBeNull()
})

test('The id of a list does not stand for a tag.', async () => {
  const lone = await addList(world, 'lone')
  await addList(world, 'lonelier')
  expect(await refusal({ include: [tag(lone + 1)] })).toMatchObject({ code: 'NOT_FOUND' })
})

test('An entry of the earlier audience stays valid after what it names was deleted.', async () => {
  const deleted = list(9_000)
  expect(await refusal({ include: [deleted] }, { include: [], exclude: [deleted] })).toBeNull()
  expect(await refusal({ include: [deleted] }, { include: [tag(9_000)] })).toMatchObject({ code: 'NOT_FOUND' })
})

test('A new campaign may name what the project had and deleted, and nothing that another project had.', async () => {
  const { list: kept } = await world.ok('lists/create', { name: 'Soon gone' })
  await world.ok('lists/delete', { list_id: kept.id })
  const body = { subject: 'Tides', audience_spec: { include: [{ type: 'list', id: kept.id }] } }
  const { campaign } = await world.ok('campaigns/create', body)
  expect((await world.ok('campaigns/audience-count', { campaign_id: campaign.id })).count).toBe(0)
  expect((await world.call('campaigns/create', body, { as: world.keys.other })).status).toBe(404)
})

test('An audience names at most ten segments, in both parts together.', async () => {
  const segments = (count: number): AudienceEntry[] =>
    Array.from({ length: count }, (_, index) => ({ type: 'segment', id: index + 1 }))
  const earlier = { include: segments(11) }
  expect(await refusal({ include: segments(10) }, earlier)).toBeNull()
  expect(await refusal({ include: segments(10), exclude: segments(1) }, earlier)).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: '/audience_spec' }],
  })
})

const emails = async (spec: AudienceSpec): Promise<string[]> => {
  const audience = await resolveAudience(db(), world.project.id, spec, START)
  const rows = await db().all<{ email: string }>(sql`
    SELECT contact.email FROM contacts contact WHERE ${eligible(world.project.id, audience)} ORDER BY contact.id`)
  return rows.map(({ email }) => email.split('@')[0]!)
}

test('The eligible contacts are included, not excluded, and may be written to.', async () => {
  expect(await emails({ include: [{ type: 'all' }] })).toEqual(['ada', 'ben', 'cleo'])
  expect(await emails({ include: [list(weekly)] })).toEqual(['ada', 'ben'])
  expect(await emails({ include: [list(weekly)], exclude: [tag(vip)] })).toEqual(['ben'])
  expect(await emails({ include: [tag(vip), list(weekly)] })).toEqual(['ada', 'ben'])
  expect(await emails({ include: [list(9_000)] })).toEqual([])
  expect(await emails({ include: [] })).toEqual([])
})

test('A segment is compiled with its rules as they are now.', async () => {
  const rules = { op: 'and', rules: [{ field: 'email', operator: 'starts_with', value: 'b' }] }
  const { segment } = await world.ok('segments/create', { name: 'B', rules })
  const spec: AudienceSpec = { include: [{ type: 'all' }], exclude: [{ type: 'segment', id: segment.id }] }
  expect(await emails(spec)).toEqual(['ada', 'cleo'])
  await world.ok('segments/update', {
    segment_id: segment.id,
    rules: { op: 'and', rules: [{ field: 'email', operator: 'starts_with', value: 'a' }] },
  })
  expect(await emails(spec)).toEqual(['ben', 'cleo'])
})

test.each<[AudienceEntry[], number[] | null]>([
  [
    [list(3), list(5)],
    [3, 5],
  ],
  [[list(3), tag(5)], null],
  [[{ type: 'all' }], null],
  [[], null],
])('The lists of the audience %j are %j.', (include, ids) => {
  expect(listsOnly({ include, exclude: [tag(1)] })).toEqual(ids)
})
