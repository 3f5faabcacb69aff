import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { findForSaving } from '../../../src/newsletter/contacts/found.ts'
import { hideSuppressions } from '../../../src/newsletter/suppressions/address-marks.ts'
import { suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
import { wordingId } from '../../../src/newsletter/consent/wordings.ts'
import { custom_fields } from '../../../src/store/tables/audience.ts'
import { newContact, newList, newProject, NOW, write } from '../../support/shared-store.ts'

const find = (project: ProjectId, more: Partial<Parameters<typeof findForSaving>[2]> = {}) => {
  const wanted = { emails: [], with_fields: false, consent_text: 'Yes.', contacts_per_project: 7, ...more }
  return write((tx) => findForSaving(tx, project, wanted))
}

test('Contacts and suppressions are found by the keys of their addresses, in their own project only.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const id = await newContact(project, 'Ada@example.com')
  await newContact(other, 'bo@example.com')
  await write(async (tx) => {
    await suppressAddresses(tx, project, [{ email: 'cy@example.com', reason: 'unsubscribe' }], NOW)
    await suppressAddresses(tx, project, [{ email: 'di@example.com', reason: 'hard_bounce', opted_out: true }], NOW)
    await suppressAddresses(tx, project, [{ email: 'ed@example.com', reason: 'complaint' }], NOW)
    await suppressAddresses(tx, other, [{ email: 'ada@example.com', reason: 'manual' }], NOW)
  })
  const emails = [' ADA@example.com', 'bo@example.com', 'Cy@example.com', 'di@example.com', 'ed@example.com']
  const { known, suppressed, opted_out } = await find(project, { emails })
  expect([...known].map(([key, contact]) => [key, contact.id, contact.email])).toEqual([
    ['ada@example.com', id, 'Ada@example.com'],
  ])
  expect([...suppressed]).toEqual([
    ['cy@example.com', 'unsubscribe'],
    ['di@example.com', 'hard_bounce'],
    ['ed@example.com', 'complaint'],
  ])
  expect([...opted_out]).toEqual(['cy@example.com', 'di@example.com'])
})

test('A suppression whose address was forgotten is found again by the address.', async () => {
  const project = await newProject()
  const email = 'ada@example.com'
  await write(async (tx) => {
    await suppressAddresses(tx, project, [{ email, reason: 'complaint' }], NOW)
    await hideSuppressions(tx, project, [email])
  })
  expect([...(await find(project, { emails: ['bo@example.com'] })).suppressed]).toEqual([])
  expect([...(await find(project, { emails: [email] })).suppressed]).toEqual([[email, 'complaint']])
})

test('The plan of a project comes before the limit of all, and its contacts are counted.', async () => {
  const [own, usual] = [await newProject({ contact_limit: 3 }), await newProject()]
  await write((tx) => tx.run(sql`UPDATE project_usage SET rows = 2 WHERE project_id = ${own} AND kind = 'contacts'`))
  expect(await find(own)).toMatchObject({ contacts: 2, contact_limit: 3 })
  expect(await find(usual)).toMatchObject({ contacts: 0, contact_limit: 7 })
})

test('Lists, fields and the wording are those of the project, as far as they are asked for.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [plain, asking] = [await newList(project), await newList(project, { double_opt_in: true })]
  const foreign = await newList(other)
  const field = { key: 'town', label: 'Town', type: 'text' as const, created_at: NOW, updated_at: NOW }
  const wording_id = await write(async (tx) => {
    await tx.insert(custom_fields).values([
      { ...field, project_id: project },
      { ...field, project_id: other, key: 'foreign' },
    ])
    await wordingId(tx, other, 'Sure.')
    return wordingId(tx, project, 'Yes.')
  })
  const last_id = await newContact(other, 'ada@example.com')
  const found = await find(project, { list_ids: [foreign, asking, plain], with_fields: true })
  expect(found.lists.toSorted((a, b) => a.id - b.id)).toEqual([
    { id: plain, double_opt_in: false },
    { id: asking, double_opt_in: true },
  ])
  expect([found.fields.map(({ key }) => key), found.wording_id, found.last_id]).toEqual([['town'], wording_id, last_id])
  const less = await find(project, { consent_text: 'Sure.' })
  expect([less.lists, less.fields, less.wording_id]).toEqual([[], [], null])
})
