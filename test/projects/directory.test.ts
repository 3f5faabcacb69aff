import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { HOUR_MS } from '../../src/clock.ts'
import { listAllProjects, type ProjectQuery } from '../../src/projects/directory.ts'
import { members } from '../../src/store/tables/accounts.ts'
import { sending_hours } from '../../src/store/tables/delivery.ts'
import { KEYS, newContact, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const list = async (query: ProjectQuery) => (await listAllProjects(await sharedStore(), KEYS, query, NOW)).items

test('A project is found by a part of its name, slug or domain, or of the address of an owner.', async () => {
  const served = await newProject({ name: 'Lantern Club', slug: 'lc-1', domain: 'glow.listing.example' })
  const claimed = await newProject({ name: 'Other', slug: 'lantern-two', domain_claim: 'claim.listing.example' })
  await newProject({ name: 'Lantern gone', slug: 'lantern-gone', deleted_at: NOW })
  await newUser({ email: 'keeper@listing.example' }, [served, 'owner'])
  await newUser({ email: 'guest@listing.example' }, [claimed, 'editor'])
  const ids = async (search: string) => (await list({ search })).map(({ id }) => id)
  expect(await ids(' LANTERN ')).toEqual([claimed, served])
  expect([await ids('glow.listing'), await ids('claim.listing')]).toEqual([[served], [claimed]])
  expect([await ids('Keeper@listing'), await ids('guest@listing')]).toEqual([[served], []])
})

test('A project shows its contacts, the messages of the month, its members and its owners.', async () => {
  const [project_id, other] = [await newProject({ name: 'Counted Quay' }), await newProject()]
  const owners = []
  for (const email of ['one@counted.example', 'two@counted.example'])
    owners.push({ user_id: await newUser({ email }, [project_id, 'owner']), email })
  await newUser({}, [project_id, 'member'])
  // Who joined first stands first, whatever the ids.
  owners.sort((a, b) => (a.user_id < b.user_id ? 1 : -1))
  for (const [at, { user_id }] of owners.entries())
    await write((tx) =>
      tx
        .update(members)
        .set({ added_at: NOW + at })
        .where(eq(members.user_id, user_id)),
    )
  const first_hour = Date.UTC(2026, 0, 1) / HOUR_MS
  for (const name of ['a', 'b', 'c']) await newContact(project_id, `${name}@counted.example`)
  await write(async (tx) => {
    const row = { connection_id: 1, sent: 5 }
    await tx.insert(sending_hours).values([
      { ...row, project_id, hour: first_hour },
      { ...row, project_id, hour: first_hour - 1 },
      { ...row, project_id, hour: first_hour + 9, sent: 2 },
      { ...row, project_id: other, hour: first_hour },
    ])
  })
  const [shown] = await list({ search: 'counted quay' })
  expect(shown).toMatchObject({ contacts: 3, sent_this_month: 7, members: 3, monthly_limit: null })
  expect(shown!.owners).toEqual(owners)
})

test('Projects are listed in pages, the newest first.', async () => {
  const ids = []
  for (const name of ['Paged one', 'Paged two', 'Paged three']) ids.unshift(await newProject({ name }))
  const store = await sharedStore()
  const first = await listAllProjects(store, KEYS, { search: 'paged', limit: 2 }, NOW)
  const next = await listAllProjects(store, KEYS, { search: 'paged', limit: 2, cursor: first.next_cursor! }, NOW)
  expect([...first.items, ...next.items].map(({ id }) => id)).toEqual(ids)
  expect(next.next_cursor).toBeNull()
})
