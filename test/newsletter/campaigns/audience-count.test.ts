import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { RuleGroup } from '../../../src/store/tables/segments.ts'
import { createWorld, type World } from '../../support/world.ts'
import { addList, addPeople, addTag, draft, readyToSend } from './support.ts'

let home: World
let world: World
let weekly: number
let vip: number
/** Addresses at harbour.example, whatever their consent. */
let harbour: number
let tagged: number
const NOBODY = { excluded_by_rule: 0, suppressed: 0, unsubscribed: 0, pending: 0, bounced: 0, complained: 0 }

beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  await readyToSend(world)
  weekly = await addList(world, 'weekly')
  vip = await addTag(world, 'vip')
  const segment = async (name: string, ...rules: RuleGroup['rules']) =>
    (await world.ok('segments/create', { name, rules: { op: 'and', rules } })).segment.id
  harbour = await segment('Harbour', { field: 'email_domain', operator: 'eq', value: 'harbour.example' })
  tagged = await segment('Tagged', { field: 'tag', operator: 'in', value: [vip] })
  await addPeople(world, [
    { email: 'ada@harbour.example', tags: [vip], lists: { [weekly]: 'subscribed' } },
    { email: 'ben@harbour.example' },
    { email: 'cleo@harbour.example', status: 'unsubscribed' },
    { email: 'dan@harbour.example', suppressed: 'manual' },
    { email: 'eve@elsewhere.example', lists: { [weekly]: 'subscribed' } },
    { email: 'finn@elsewhere.example', lists: { [weekly]: 'pending' } },
  ])
  await addPeople(world, [{ email: 'gil@harbour.example' }], world.other.id)
})
afterAll(() => home.close())

const segments = (...ids: number[]) => ids.map((id) => ({ type: 'segment', id }))
const count = (include: unknown[], exclude: unknown[] = []) =>
  world.ok('campaigns/audience-count', { audience_spec: { include, exclude } })
const sentTo = async (campaign_id: number): Promise<string[]> =>
  (await world.ok('campaigns/recipients', { campaign_id })).items.map(({ email }: { email: string }) => email).sort()
const send = async (include: unknown[], exclude: unknown[] = []): Promise<number> => {
  const { id } = await draft(world, { audience_spec: { include, exclude } })
  await world.ok('campaigns/send', { campaign_id: id })
  await world.service.drain('jobs')
  return id
}

test('A segment is counted by the global status alone.', async () => {
  expect(await count(segments(harbour))).toEqual({ count: 2, excluded: { ...NOBODY, unsubscribed: 1, suppressed: 1 } })
  expect((await count(segments(harbour, tagged))).count).toBe(2)
})

test('A segment can be included beside a list, and excluded.', async () => {
  expect(await count([...segments(harbour), { type: 'list', id: weekly }])).toEqual({
    count: 3,
    excluded: { ...NOBODY, unsubscribed: 1, suppressed: 1, pending: 1 },
  })
  expect(await count([{ type: 'list', id: weekly }], segments(tagged))).toEqual({
    count: 1,
    excluded: { ...NOBODY, excluded_by_rule: 1, pending: 1 },
  })
  expect(await count([{ type: 'all' }], segments(harbour))).toEqual({
    count: 2,
    excluded: { ...NOBODY, excluded_by_rule: 4 },
  })
})

test('The counted contacts are the recipients.', async () => {
  expect(await sentTo(await send(segments(harbour)))).toEqual(['ada@harbour.example', 'ben@harbour.example'])
  expect(await sentTo(await send([{ type: 'all' }], segments(harbour)))).toEqual([
    'eve@elsewhere.example',
    'finn@elsewhere.example',
  ])
  expect(await sentTo(await send([...segments(tagged), { type: 'list', id: weekly }]))).toEqual([
    'ada@harbour.example',
    'eve@elsewhere.example',
  ])
})

test('A contact that leaves the list still gets a queued message when a segment includes it.', async () => {
  const campaign_id = await send([{ type: 'list', id: weekly }, ...segments(tagged)])
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`UPDATE memberships SET status = 'unsubscribed' WHERE list_id = ${weekly} AND status = 'subscribed'`),
  )
  await world.settle()
  const { items } = await world.ok('campaigns/recipients', { campaign_id })
  expect(items.map(({ email, status }: { email: string; status: string }) => [email, status])).toEqual([
    ['ada@harbour.example', 'sent'],
    ['eve@elsewhere.example', 'skipped'],
  ])
})

test('A deleted segment matches no contact.', async () => {
  const { segment } = await world.ok('segments/create', { name: 'Gone', rules: { op: 'and', rules: [] } })
  const { id } = await draft(world, { audience_spec: { include: [...segments(segment.id, tagged)] } })
  await world.service.runtime.store.write((tx) => tx.run(sql`DELETE FROM segments WHERE id = ${segment.id}`))
  expect((await world.ok('campaigns/audience-count', { campaign_id: id })).count).toBe(1)
})

test('An audience names at most ten segments, all of which exist.', async () => {
  const { segment: foreign } = await world.ok(
    'segments/create',
    { name: 'Theirs', rules: { op: 'and', rules: [] } },
    { as: world.keys.other },
  )
  const unknown = await world.call('campaigns/audience-count', {
    audience_spec: { include: segments(harbour, foreign.id), exclude: segments(999_999) },
  })
  expect([unknown.status, unknown.body.error.details]).toEqual([
    404,
    [{ path: '/audience_spec/include/1/id' }, { path: '/audience_spec/exclude/0/id' }],
  ])
  const many = await world.call('campaigns/create', {
    subject: 'x',
    audience_spec: { include: segments(...Array(8).fill(harbour)), exclude: segments(...Array(3).fill(tagged)) },
  })
  expect([many.status, many.body.error.details[0].path]).toEqual([400, '/audience_spec'])
})
