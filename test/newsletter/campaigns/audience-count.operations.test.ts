import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { countQuery } from '../../../src/newsletter/campaigns/audience-count.ts'
import { eligible } from '../../../src/newsletter/campaigns/audience-spec.ts'
import type { AudienceSpec } from '../../../src/store/tables/delivery.ts'
import { createWorld, type World } from '../../support/world.ts'
import { addList, addPeople, addTag, draft, planOf } from './support.ts'

let world: World
let weekly: number
let daily: number
let vip: number
const NOBODY = { excluded_by_rule: 0, suppressed: 0, unsubscribed: 0, pending: 0, bounced: 0, complained: 0 }

beforeAll(async () => {
  world = await createWorld()
  weekly = await addList(world, 'weekly')
  daily = await addList(world, 'daily')
  vip = await addTag(world, 'vip')
  const on = (list: number) => ({ lists: { [list]: 'subscribed' as const } })
  await addPeople(world, [
    { email: 'ada@harbour.example', ...on(weekly), tags: [vip] },
    { email: 'ben@harbour.example', lists: { [weekly]: 'subscribed', [daily]: 'subscribed' } },
    { email: 'cleo@harbour.example', lists: { [weekly]: 'unsubscribed', [daily]: 'subscribed' } },
    { email: 'dan@harbour.example', status: 'pending', lists: { [weekly]: 'pending' } },
    { email: 'eve@harbour.example', lists: { [weekly]: 'pending' } },
    { email: 'Finn@harbour.example', ...on(weekly), suppressed: 'manual' },
    { email: 'gil@harbour.example', status: 'unsubscribed', lists: { [weekly]: 'unsubscribed' }, tags: [vip] },
    { email: 'hal@harbour.example', status: 'bounced', ...on(weekly), suppressed: 'hard_bounce' },
    {
      email: 'ida@harbour.example',
      status: 'complained',
      lists: { [weekly]: 'unsubscribed' },
      suppressed: 'complaint',
    },
    { email: 'jon@harbour.example' },
  ])
  await addPeople(world, [{ email: 'ada@harbour.example' }], world.other.id)
})
afterAll(() => world.close())

const MEMBERSHIPS_BY_LIST =
  /SEARCH membership USING COVERING INDEX \S+ \(list_id=\? AND status=\? AND contact_id>\? AND contact_id<\?\)/
const TAGGED_BY_TAG = /SEARCH tagged USING COVERING INDEX \S+ \(tag_id=\? AND contact_id>\? AND contact_id<\?\)/

const count = (audience_spec: Record<string, unknown>) => world.ok('campaigns/audience-count', { audience_spec })

test('A count of a list gives its subscribed members, and why the others are left out.', async () => {
  expect(await count({ include: [{ type: 'list', id: weekly }] })).toEqual({
    count: 2,
    excluded: { excluded_by_rule: 0, suppressed: 1, unsubscribed: 2, pending: 2, bounced: 1, complained: 1 },
  })
})

test('A count may be of all contacts, of a tag, and of nothing.', async () => {
  expect(await count({ include: [{ type: 'all' }] })).toEqual({
    count: 5,
    excluded: { excluded_by_rule: 0, suppressed: 1, unsubscribed: 1, pending: 1, bounced: 1, complained: 1 },
  })
  expect(await count({ include: [{ type: 'tag', id: vip }] })).toEqual({
    count: 1,
    excluded: { ...NOBODY, unsubscribed: 1 },
  })
  expect(await count({ include: [] })).toEqual({ count: 0, excluded: NOBODY })
  expect(await count({ include: [], exclude: [{ type: 'all' }] })).toEqual({ count: 0, excluded: NOBODY })
})

test('campaigns/audience-count counts every contact once, and exclude wins.', async () => {
  expect(
    (
      await count({
        include: [
          { type: 'list', id: weekly },
          { type: 'list', id: daily },
          { type: 'tag', id: vip },
        ],
      })
    ).count,
  ).toBe(3)
  const { count: left, excluded } = await count({
    include: [{ type: 'list', id: weekly }],
    exclude: [
      { type: 'list', id: daily },
      { type: 'tag', id: vip },
    ],
  })
  // Gil has the tag, so it is the exclude part that keeps him out; Cleo and Ben are on the daily list.
  expect([left, excluded]).toEqual([
    0,
    { excluded_by_rule: 4, suppressed: 1, unsubscribed: 0, pending: 2, bounced: 1, complained: 1 },
  ])
  expect(await count({ include: [{ type: 'all' }], exclude: [{ type: 'all' }] })).toEqual({
    count: 0,
    excluded: { ...NOBODY, excluded_by_rule: 10 },
  })
})

test('campaigns/audience-count counts exactly the contacts that a campaign would freeze.', async () => {
  const parts = [
    [],
    [{ type: 'all' }],
    [{ type: 'list', id: weekly }],
    [{ type: 'list', id: daily }],
    [{ type: 'tag', id: vip }],
    [
      { type: 'list', id: weekly },
      { type: 'tag', id: vip },
    ],
  ] as AudienceSpec['include'][]
  for (const include of parts) {
    for (const exclude of parts) {
      const frozen = await world.service.runtime.store.db.all<{ n: number }>(
        sql`
          SELECT count(*) AS n FROM contacts contact
          WHERE ${eligible(world.project.id, { include, exclude, segments: new Map() })}`,
      )
      expect([include, exclude, (await count({ include, exclude })).count]).toEqual([include, exclude, frozen[0]!.n])
    }
  }
})

test('The audience of a campaign may name deleted lists, tags and segments.', async () => {
  const gone = await addList(world, 'gone')
  const { id } = await draft(world, {
    audience_spec: {
      include: [
        { type: 'list', id: gone },
        { type: 'tag', id: vip },
      ],
    },
  })
  await world.service.runtime.store.write((tx) => tx.run(sql`DELETE FROM lists WHERE id = ${gone}`))
  expect(await world.ok('campaigns/audience-count', { campaign_id: id })).toEqual({
    count: 1,
    excluded: { ...NOBODY, unsubscribed: 1 },
  })
})

test('campaigns/audience-count requires either a campaign or an audience.', async () => {
  const { id } = await draft(world)
  for (const wrong of [
    {},
    { campaign_id: id, audience_spec: { include: [] } },
    { campaign_id: 'one' },
    { audience_spec: { include: [{ type: 'everyone' }] } },
  ]) {
    expect((await world.call('campaigns/audience-count', wrong)).status).toBe(400)
  }
  const foreign = await addList(world, 'theirs', world.other.id)
  const { status, body } = await world.call('campaigns/audience-count', {
    audience_spec: { include: [{ type: 'list', id: foreign }] },
  })
  expect([status, body.error.details]).toEqual([404, [{ path: '/audience_spec/include/0/id' }]])
})

test('campaigns/audience-count finds the contacts by indexes.', async () => {
  for (const include of [
    [
      { type: 'list', id: weekly },
      { type: 'tag', id: vip },
    ],
    [{ type: 'all' }],
  ] as AudienceSpec['include'][]) {
    const plan = await planOf(
      world,
      countQuery(
        world.project.id,
        { include, exclude: [{ type: 'list', id: daily }], segments: new Map() },
        { after: 0, upto: 100 },
      ),
    )
    expect(plan.filter((step) => /SCAN (?!json_each|\(subquery)/.test(step))).toEqual([])
    expect(plan.some((step) => /SEARCH contact USING/.test(step))).toBe(true)
    if (include[0]!.type === 'list')
      expect(plan.filter((step) => MEMBERSHIPS_BY_LIST.test(step) || TAGGED_BY_TAG.test(step))).toHaveLength(2)
  }
})
