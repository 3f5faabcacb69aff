import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { wordingId, wordingIds } from '../../../src/newsletter/consent/wordings.ts'
import { newProject, write } from '../../support/shared-store.ts'
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

const idOf = (text: string, of: 'project' | 'other' = 'project') =>
  world.service.runtime.store.write((tx) => wordingId(tx, world[of].id, text))
const texts = async () =>
  (
    await world.service.runtime.store.db.all<{ text: string }>(sql`
      SELECT text FROM consent_wordings WHERE project_id IN (${world.project.id}, ${world.other.id}) ORDER BY text`)
  ).map(({ text }) => text)
const contact = async (email: string, consent_text: string): Promise<number> =>
  (await world.ok('contacts/upsert', { email, consent_text })).contact.id

test('A consent wording is stored once in a project, and once more in another one.', async () => {
  const id = await idOf('I agree')
  expect(id).toBeNumber()
  expect(await idOf('I agree')).toBe(id)
  expect(await idOf('i agree')).not.toBe(id)
  expect(await idOf('I agree', 'other')).not.toBe(id)
  expect(await texts()).toEqual(['I agree', 'I agree', 'i agree'])
})

test('A consent wording that is empty is not stored.', async () => {
  expect(await idOf('')).toBeNull()
})

test('A consent wording is shared by contacts, and deleted with the last one that agreed to it.', async () => {
  const ann = await contact('ann@example.com', 'Ann agrees')
  const bo = await contact('bo@example.com', 'Ann agrees')
  expect((await texts()).filter((text) => text === 'Ann agrees')).toHaveLength(1)
  await world.ok('contacts/delete', { contact_id: ann })
  expect((await world.ok('contacts/get', { contact_id: bo })).contact.consent_text).toBe('Ann agrees')
  await world.ok('contacts/delete', { contact_id: bo })
  expect(await texts()).not.toContain('Ann agrees')
})

test('A consent wording of a blocked contact, which consents to nothing, is not stored.', async () => {
  const email = 'left@example.com'
  const contact_id = await contact(email, 'First words')
  await world.ok('contacts/unsubscribe', { contact_id })
  await world.ok('contacts/upsert', { email, consent_text: 'An unused wording' })
  expect(await texts()).not.toContain('An unused wording')
  expect((await world.ok('contacts/get', { contact_id })).contact.consent_text).toBe('First words')
})

test('A project has at most 20,000 consent wordings; those that it has go on being found.', async () => {
  const project = await newProject()
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 19998)
      INSERT INTO consent_wordings (project_id, hash, text) SELECT ${project}, 'h' || v, 't' || v FROM n`),
  )
  const ids = (...texts: string[]) => write((tx) => wordingIds(tx, project, texts))
  const full = { code: 'INVALID_STATE' }
  await expect(ids('a', 'b', 'c')).rejects.toMatchObject(full)
  const known = await ids('a', 'b', '', 'a')
  expect([...known.keys()].sort()).toEqual(['a', 'b'])
  expect(await ids('b', 'a')).toEqual(known)
  await expect(ids('c')).rejects.toMatchObject(full)
  await expect(ids('a', 'c')).rejects.toMatchObject(full)
  expect(await ids('a')).toEqual(new Map([['a', known.get('a')!]]))
})
