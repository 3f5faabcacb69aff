import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { operations } from '../../../src/newsletter/operations.ts'
import { createConfirmationToken, createRecipientToken } from '../../../src/newsletter/tracking/tokens.ts'
import { samples, seed, type Seed } from '../../operation/samples.ts'
import { createWorld, type World } from '../../support/world.ts'

/** Whatever changes a contact as clients see it changes `updated_at` (docs/api/contacts.md). */

let world: World
let seeded: Seed
beforeAll(async () => {
  world = await createWorld()
  seeded = await seed(world)
})
afterAll(() => world.close())

interface Shown {
  updated_at: string
  /** The rest of the contact, and its suppression. */
  rest: string
}

async function shown(): Promise<Map<number, Shown>> {
  const all = new Map<number, Shown>()
  let cursor: string | null = null
  do {
    const page: any = await world.ok('contacts/list', { limit: 200, ...(cursor ? { cursor } : {}) })
    for (const { id } of page.items) {
      const { contact, suppression } = await world.ok('contacts/get', { contact_id: id })
      const { updated_at, ...rest } = contact
      all.set(id, { updated_at, rest: JSON.stringify([rest, suppression]) })
    }
    cursor = page.next_cursor
  } while (cursor)
  return all
}

/** Does something a minute later; answers how many contacts it changed, and those whose `updated_at` did not move. */
async function changesOf(act: () => Promise<unknown>): Promise<{ changed: number; silent: string[][] }> {
  const before = await shown()
  world.clock.advance(60_000)
  await act()
  await world.settle()
  const now = new Date(world.clock.now()).toISOString()
  const after = await shown()
  const changed = [...after].filter(([id, { rest }]) => before.has(id) && before.get(id)!.rest !== rest)
  const silent = changed
    .filter(([, { updated_at }]) => updated_at !== now)
    .map(([id, { rest }]) => [before.get(id)!.rest, rest])
  return { changed: changed.length, silent }
}

/** Puts every contact on every list and gives it every field and every tag but the one that campaigns exclude. */
const attachEverything = () =>
  world.service.runtime.store.write(async (tx) => {
    await tx.run(sql`
      INSERT INTO contact_tags SELECT contact.id, tag.id FROM contacts contact, tags tag
      WHERE tag.id <> ${seeded.tag_id} ON CONFLICT DO NOTHING`)
    await tx.run(sql`
      INSERT INTO memberships (contact_id, list_id, status) SELECT contact.id, list.id, 'subscribed'
      FROM contacts contact, lists list WHERE true ON CONFLICT DO NOTHING`)
    await tx.run(sql`
      UPDATE contacts SET custom_fields = (
        SELECT json_group_object(field.key, 'value') FROM custom_fields field WHERE field.type = 'text')`)
  })

const CHANGING = [
  '/contacts/membership',
  '/contacts/reset-status',
  '/contacts/tags',
  '/contacts/unsubscribe',
  '/contacts/update',
  '/custom-fields/delete',
  '/lists/delete',
  '/segments/materialize',
  '/tags/delete',
]

test('Every operation that changes a contact as clients see it moves updated_at.', async () => {
  const changing = new Set<string>()
  for (const { path, act } of operations)
    for (const attached of [false, true]) {
      if (act.kind !== 'mutation') continue
      const body = await samples[path]!(seeded, world)
      if (attached) await attachEverything()
      const { changed, silent } = await changesOf(() => world.ok(path, body))
      expect([path, silent]).toEqual([path, []])
      if (changed > 0) changing.add(path)
      // The contacts of this sample would slow down the next operation, which looks at every contact four times.
      await world.service.runtime.store.write((tx) =>
        tx.run(sql`DELETE FROM contacts WHERE id <> ${seeded.contact_id}`),
      )
    }
  expect(CHANGING.filter((path) => !changing.has(path))).toEqual([])
}, 120_000)

test('Changes that people make through their links move updated_at, and so do suppressions and tags.', async () => {
  const { list_id } = seeded
  const { list } = await world.ok('lists/create', { name: 'Doubtful', double_opt_in: true })
  const { keys } = world.service.runtime
  const made = async (email: string, list_ids: number[]) =>
    (await world.ok('contacts/upsert', { email, consent_text: 'Yes', list_ids })).contact
  const post = (path: string, fields: Record<string, string> = {}) =>
    world.fetch(`/general/newsletter/${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  const ada = await made('ada.reader@example.com', [list_id, list.id])
  const [delivery] = await world.service.runtime.store.write((tx) =>
    tx.all<{ id: number }>(sql`
      INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at)
      SELECT project_id, 'link', id, email, 'sent', 0, 0 FROM contacts WHERE id = ${ada.id} RETURNING id`),
  )
  const token = createRecipientToken(keys, { delivery_id: delivery!.id, contact_id: ada.id, campaign_id: 0 })
  const confirmation = createConfirmationToken(keys, { contact_id: ada.id, email: ada.email, list_ids: [list.id] })
  const signup = (list_ids: number[]) =>
    world.fetch('/general/newsletter/signup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ project_id: world.project.public_id, email: ada.email, list_ids, consent_text: 'Yes' }),
    })
  const { list: third } = await world.ok('lists/create', { name: 'Third' })
  const bulk = (action: string, more: Record<string, unknown>) => () =>
    world.ok('contacts/bulk', { contact_ids: [ada.id], action, ...more })
  const acts: (() => Promise<unknown>)[] = [
    () => post(`confirm/${confirmation}`),
    () => signup([third.id]),
    () => post(`preferences/${token}`, { list_ids: String(list_id) }),
    () => post(`unsubscribe/${token}`),
    () => post(`preferences/${token}`, { list_ids: String(list_id) }),
    () => world.ok('suppressions/add', { email: ada.email, reason: 'hard_bounce' }),
    () => world.ok('contacts/reset-status', { contact_id: ada.id }),
    () => world.ok('suppressions/add', { email: ada.email, reason: 'manual' }),
    () => world.ok('suppressions/remove', { email: ada.email }),
    () => world.ok('suppressions/add', { email: ada.email, reason: 'complaint' }),
    bulk('add_tags', { tag_ids: [seeded.tag_id] }),
    bulk('remove_tags', { tag_ids: [seeded.tag_id] }),
    () => world.ok('contacts/upsert', { email: ada.email, consent_text: 'Yes', tag_ids: [seeded.tag_id] }),
  ]
  for (const [index, act] of acts.entries())
    expect([index, await changesOf(act)]).toEqual([index, { changed: 1, silent: [] }])
  const before = await shown()
  world.clock.advance(60_000)
  // The contact has this tag already, and has not that one.
  await bulk('add_tags', { tag_ids: [seeded.tag_id] })()
  await bulk('remove_tags', { tag_ids: [(await world.ok('tags/create', { name: 'New' })).tag.id] })()
  await world.settle()
  expect((await shown()).get(ada.id)).toEqual(before.get(ada.id)!)
})
