import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { CONSENT_SOURCES } from '../../../src/newsletter/consent/consent-rule.ts'
import { requirePublicLists, signUp } from '../../../src/newsletter/consent/sign-up.ts'
import { suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
import { custom_fields } from '../../../src/store/tables/audience.ts'
import { KEYS, newContact, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const EMAIL = 'ada@example.com'
const all = async <T>(query: ReturnType<typeof sql>) => (await sharedStore()).db.all<T>(query)
const join = (
  project_id: ProjectId,
  given: Partial<Parameters<typeof signUp>[2]> = {},
  contacts_per_project = 1000,
): Promise<{ confirms: boolean }> => {
  const origin = { keys: KEYS, by: CONSENT_SOURCES.signup, now: NOW, address: '192.0.2.1', user_agent: 'Cat' }
  const person = { email: EMAIL, consent_text: 'Yes.', ...given }
  return write((tx) => signUp(tx, project_id, person, { ...origin, contacts_per_project }))
}

test('A person who signs up is subscribed, with evidence, and asked to confirm where a list asks.', async () => {
  const project = await newProject()
  const [open, asks] = [await newList(project), await newList(project, { double_opt_in: true })]
  expect(await join(project, { list_ids: [open], first_name: 'Ada' })).toEqual({ confirms: false })
  expect(await join(project, { list_ids: [asks] })).toEqual({ confirms: true })
  expect(await all(sql`SELECT email, first_name FROM contacts WHERE project_id = ${project}`)).toEqual([
    { email: EMAIL, first_name: 'Ada' },
  ])
  const evidence = { source: 'signup (unverified text)', address: '192.0.2.1', user_agent: 'Cat', caller_address: null }
  expect(
    await all(sql`
      SELECT list_id, source, address, user_agent, caller_address FROM consents
      WHERE project_id = ${project} ORDER BY id`),
  ).toEqual([
    { list_id: open, ...evidence },
    { list_id: asks, ...evidence },
  ])
})

test('A known contact keeps its profile except for empty parts, and who left stays away.', async () => {
  const project = await newProject()
  const list = await newList(project)
  const id = await newContact(project, EMAIL, { first_name: 'Ada' }, { [list]: 'unsubscribed' })
  await join(project, { list_ids: [list], first_name: 'Mallory', last_name: 'Lind' })
  expect(await all(sql`SELECT first_name, last_name FROM contacts WHERE id = ${id}`)).toEqual([
    { first_name: 'Ada', last_name: 'Lind' },
  ])
  expect(await all(sql`SELECT status FROM memberships WHERE contact_id = ${id}`)).toEqual([{ status: 'unsubscribed' }])
})

test('A full plan takes nobody, and the answer is the same.', async () => {
  const project = await newProject()
  const list_ids = [await newList(project, { double_opt_in: true })]
  expect(await join(project, { list_ids }, 0)).toEqual({ confirms: false })
  expect(await all(sql`SELECT 1 FROM contacts WHERE project_id = ${project}`)).toEqual([])
})

test('Custom values that the project does not have are refused.', async () => {
  const project = await newProject()
  await expect(join(project, { custom_fields: { town: 'Kiel' } })).rejects.toMatchObject({
    ...{ code: 'VALIDATION_FAILED', details: [{ path: '/custom_fields/town' }] },
  })
  const field = { key: 'town', label: 'Town', type: 'text' as const, created_at: NOW, updated_at: NOW }
  await write((tx) => tx.insert(custom_fields).values({ ...field, project_id: project }))
  await join(project, { custom_fields: { town: 'Kiel' } })
  expect(await all(sql`SELECT custom_fields AS custom FROM contacts WHERE project_id = ${project}`)).toEqual([
    { custom: '{"town":"Kiel"}' },
  ])
})

test('Only public lists of the project that are in use can be named, and the first other one is.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const open = await newList(project)
  const required = (...list_ids: number[]) => write((tx) => requirePublicLists(tx, project, list_ids, '/list_ids'))
  await required(open)
  await required()
  for (const closed of [
    await newList(project, { public: false }),
    await newList(project, { archived_at: NOW }),
    await newList(other),
    999_999_999,
  ])
    await expect(required(open, closed, 999_999_999)).rejects.toMatchObject({
      details: [{ path: '/list_ids/1', message: 'There is no such list.' }],
    })
})

test.each([
  ['unsubscribe', undefined, 'unsubscribed', 0],
  ['hard_bounce', true, 'bounced', 1],
  ['hard_bounce', false, 'bounced', 0],
  ['complaint', true, 'complained', 0],
] as const)(
  'A person who signs up with the suppression %s, opted out %p, is %s and remembers it: %d.',
  async (...given) => {
    const [reason, opted_out, global_status, remembered] = given
    const project = await newProject()
    const suppressed = { email: EMAIL, reason, ...(opted_out !== undefined && { opted_out }) }
    await write((tx) => suppressAddresses(tx, project, [suppressed], NOW))
    await join(project, { list_ids: [await newList(project)] })
    expect(await all(sql`SELECT global_status, opted_out FROM contacts WHERE project_id = ${project}`)).toEqual([
      { global_status, opted_out: remembered },
    ])
  },
)
