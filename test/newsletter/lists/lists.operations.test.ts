import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { CAMPAIGN_STATUSES } from '../../../src/store/tables/delivery.ts'
import { createList } from '../../../src/newsletter/lists/lists.operations.ts'
import { createTag } from '../../../src/newsletter/lists/tags.operations.ts'
import { checker } from '../../../src/schema.ts'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

test('A list is public and without double opt-in by default.', async () => {
  const { list } = await world.ok('lists/create', { name: ' Weekly ' })
  const at = new Date(world.clock.now()).toISOString()
  expect(list).toEqual({
    id: expect.any(Number),
    name: 'Weekly',
    description: '',
    double_opt_in: false,
    public: true,
    archived: false,
    created_at: at,
    updated_at: at,
  })
  const { list: other } = await world.ok('lists/create', {
    name: 'Private',
    description: 'Two\nlines',
    double_opt_in: true,
    public: false,
  })
  expect(other).toMatchObject({ description: 'Two\nlines', double_opt_in: true, public: false })
  world.clock.advance(1000)
  const changed = (await world.ok('lists/update', { list_id: list.id, name: 'WEEKLY', double_opt_in: true })).list
  expect(changed).toEqual({
    ...list,
    name: 'WEEKLY',
    double_opt_in: true,
    updated_at: new Date(world.clock.now()).toISOString(),
  })
})

test('Names of lists are unique in the project, without case.', async () => {
  await world.ok('lists/create', { name: 'Straße Ünal' })
  const { list } = await world.ok('lists/create', { name: 'Another' })
  for (const [operation, body] of [
    ['lists/create', { name: ' straße u\u0308NAL ' }],
    ['lists/update', { list_id: list.id, name: 'STRAßE ÜNAL' }],
  ] as const) {
    const answer = await world.call(operation, body)
    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({ code: 'CONFLICT', details: [{ path: '/name' }] })
  }
  expect((await world.ok('lists/update', { list_id: list.id, description: 'still there' })).list.name).toBe('Another')
  await world.ok('lists/create', { name: 'Another' }, { as: world.keys.other })
  for (const name of ['', '   ', 'a\nb', 'x'.repeat(101), 7])
    expect((await world.call('lists/create', { name })).status).toBe(400)
})

test('Archived lists are listed only with include_archived.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Old' })
  expect((await world.ok('lists/update', { list_id: list.id, archived: true })).list.archived).toBe(true)
  const idsOf = async (body: object) =>
    (await world.ok('lists/list', { ...body, limit: 200 })).items.map(({ id }: any) => id)
  expect(await idsOf({})).not.toContain(list.id)
  expect(await idsOf({ include_archived: true })).toContain(list.id)
  expect((await world.ok('lists/update', { list_id: list.id, archived: false })).list.archived).toBe(false)
  expect(await idsOf({ include_archived: false })).toContain(list.id)
})

test('Lists are paged in the order of creation, and a cursor needs the same include_archived.', async () => {
  for (const name of ['One', 'Two', 'Three']) await world.ok('lists/create', { name })
  const all = (await world.ok('lists/list', { limit: 200 })).items
  expect(all.map(({ id }: any) => id)).toEqual(all.map(({ id }: any) => id).sort((a: number, b: number) => a - b))
  const first = await world.ok('lists/list', { limit: 2 })
  const second = await world.ok('lists/list', { limit: 200, cursor: first.next_cursor })
  expect([...first.items, ...second.items]).toEqual(all)
  expect((await world.call('lists/list', { cursor: first.next_cursor, include_archived: true })).body.error.code).toBe(
    'INVALID_CURSOR',
  )
  expect((await world.call('tags/list', { cursor: first.next_cursor })).body.error.code).toBe('INVALID_CURSOR')
})

test('Deleting a list deletes its memberships, keeps the contacts, and is for administrators.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Doomed' })
  const { contact } = await world.ok('contacts/upsert', {
    email: 'member@example.com',
    consent_text: 'x',
    list_ids: [list.id],
  })
  expect((await world.call('lists/delete', { list_id: list.id }, { as: world.keys.editor })).body.error.code).toBe(
    'INSUFFICIENT_ROLE',
  )
  expect((await world.call('lists/delete', { list_id: list.id }, { as: world.keys.other })).status).toBe(404)
  expect((await world.ok('lists/delete', { list_id: list.id }, { as: world.keys.administrator })).list).toEqual(list)
  expect((await world.ok('contacts/get', { contact_id: contact.id })).contact).toMatchObject({
    global_status: 'subscribed',
    lists: [],
  })
  expect((await world.call('lists/update', { list_id: list.id, name: 'x' })).body.error).toMatchObject({
    code: 'NOT_FOUND',
    details: [{ path: '/list_id' }],
  })
})

test('A list of a campaign that has not ended cannot be deleted.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Used' })
  const { list: without } = await world.ok('lists/create', { name: 'Left out' })
  const spec = {
    include: [{ type: 'all' }, { type: 'tag', id: list.id }, { type: 'list', id: list.id }],
    exclude: [{ type: 'list', id: without.id }],
  }
  for (const status of CAMPAIGN_STATUSES) {
    await world.service.runtime.store.write(async (tx) => {
      await tx.run(sql`DELETE FROM campaigns`)
      await tx.run(sql`
        INSERT INTO campaigns (id, project_id, name, search_key, subject, editor_json, audience_spec,
          track_opens, track_clicks, status, created_at, updated_at)
        VALUES (41, ${world.project.id}, '', '', 's', '{}', ${JSON.stringify(spec)}, 1, 1, ${status}, 0, 0)`)
    })
    const keeps = ['draft', 'scheduled', 'preparing', 'sending', 'paused'].includes(status)
    for (const list_id of keeps ? [list.id, without.id] : []) {
      const answer = await world.call('lists/delete', { list_id })
      expect({ status, code: answer.body.error?.code, details: answer.body.error?.details }).toEqual({
        status,
        code: 'CONFLICT',
        details: { campaign_ids: [41] },
      })
    }
    if (!keeps) {
      const { list: free } = await world.ok('lists/create', { name: `Free ${status}` })
      await world.service.runtime.store.write((tx) =>
        tx.run(
          sql`UPDATE campaigns SET audience_spec = ${JSON.stringify({ include: [{ type: 'list', id: free.id }] })}`,
        ),
      )
      await world.ok('lists/delete', { list_id: free.id })
    }
  }
  // A tag with the same id is not the list; a deleted campaign uses nothing.
  await world.service.runtime.store.write((tx) =>
    tx.run(
      sql`
        UPDATE campaigns
        SET status = 'paused', audience_spec = ${JSON.stringify({ include: [{ type: 'tag', id: list.id }] })}`,
    ),
  )
  await world.ok('lists/delete', { list_id: list.id })
  await world.service.runtime.store.write((tx) =>
    tx.run(
      sql`
        UPDATE campaigns
        SET deleted_at = 1, audience_spec = ${JSON.stringify({ include: [{ type: 'list', id: without.id }] })}`,
    ),
  )
  await world.ok('lists/delete', { list_id: without.id })
})

test('A tag is created, changed, listed, and removed from all contacts when it is deleted.', async () => {
  const { tag } = await world.ok('tags/create', { name: 'Customer', color: '#Ff0000' })
  expect(tag).toEqual({
    id: expect.any(Number),
    name: 'Customer',
    color: '#Ff0000',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect((await world.ok('tags/update', { tag_id: tag.id, color: 'teal' })).tag).toMatchObject({
    name: 'Customer',
    color: 'teal',
  })
  world.clock.advance(1000)
  const { tag: renamed } = await world.ok('tags/update', { tag_id: tag.id, name: ' Guest ' })
  expect(renamed).toEqual({
    ...tag,
    name: 'Guest',
    color: 'teal',
    updated_at: expect.not.stringMatching(tag.updated_at),
  })
  expect((await world.ok('tags/update', { tag_id: tag.id, color: '' })).tag).toMatchObject({ name: 'Guest', color: '' })
  const { contact } = await world.ok('contacts/upsert', {
    email: 'tagged@example.com',
    consent_text: 'x',
    tag_ids: [tag.id],
  })
  expect(contact.tag_ids).toEqual([tag.id])
  expect((await world.ok('tags/list')).items.map(({ id }: any) => id)).toEqual([tag.id])
  await world.ok('tags/delete', { tag_id: tag.id })
  expect((await world.ok('contacts/get', { contact_id: contact.id })).contact.tag_ids).toEqual([])
  expect((await world.call('tags/delete', { tag_id: tag.id })).body.error).toMatchObject({
    code: 'NOT_FOUND',
    details: [{ path: '/tag_id' }],
  })
})

test('Tags names are unique without case, and invalid colors are refused.', async () => {
  const { tag } = await world.ok('tags/create', { name: 'Lead' })
  const { tag: other } = await world.ok('tags/create', { name: 'Old lead' })
  expect((await world.call('tags/create', { name: 'LEAD' })).body.error).toMatchObject({
    code: 'CONFLICT',
    details: [{ path: '/name' }],
  })
  expect((await world.call('tags/update', { tag_id: other.id, name: 'lead' })).status).toBe(409)
  expect((await world.ok('tags/update', { tag_id: tag.id, name: 'LEAD' })).tag.name).toBe('LEAD')
  expect((await world.call('tags/update', { tag_id: tag.id, name: 'x' }, { as: world.keys.other })).status).toBe(404)
  for (const color of ['red;background:url(x)', '#12', '#gggggg', 'rgb(1,2,3)'])
    expect((await world.call('tags/create', { name: 'c', color })).status).toBe(400)
})

test('A project has at most a thousand lists and two thousand tags.', async () => {
  const { store } = world.service.runtime
  for (const [kind, most] of [
    ['lists', 1000],
    ['tags', 2000],
  ] as const) {
    await store.write(async (tx) => {
      await tx.run(sql`DELETE FROM ${sql.raw(kind)} WHERE project_id = ${world.other.id}`)
      await tx.run(sql`
        WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < ${most - 1})
        INSERT INTO ${sql.raw(kind)} (project_id, name, name_key, created_at, updated_at)
        SELECT ${world.other.id}, 'n' || v, 'n' || v, 0, 0 FROM n`)
    })
    const create = (name: string) => world.call(`${kind}/create`, { name }, { as: world.keys.other })
    expect([kind, (await create('the last')).status, (await create('one more')).status]).toEqual([kind, 200, 409])
  }
})

test('A description of a list has at most a thousand characters, and a color is one.', () => {
  const list = (description: string) => checker(createList.request).Check({ name: 'x', description })
  expect([list('x'.repeat(1000)), list('x'.repeat(1001))]).toEqual([true, false])
  const tag = (color: string) => checker(createTag.request).Check({ name: 'x', color })
  for (const color of ['', '#fff', '#a0B1c2', 'teal', 'x'.repeat(20)])
    expect([color, tag(color)]).toEqual([color, true])
  for (const color of ['#ffff', 'fff1', '#ggg', 'x'.repeat(21), 'red;'])
    expect([color, tag(color)]).toEqual([color, false])
})
