import { expect, test } from 'bun:test'
import type { ProjectId } from '../../../src/ids.ts'
import { findWithHistory, type HistoryPages } from '../../../src/newsletter/contacts/contact-history.ts'
import { suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
import { wordingId } from '../../../src/newsletter/consent/wordings.ts'
import { consents } from '../../../src/store/tables/audience.ts'
import { events } from '../../../src/store/tables/delivery.ts'
import { newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const EMAIL = 'ada@example.com'
const find = async (project: ProjectId, which: Parameters<typeof findWithHistory>[2], pages: HistoryPages = {}) =>
  findWithHistory(await sharedStore(), project, which, pages)

test('A contact is found by its id or its address, with the suppression of its own project.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const contact_id = await newContact(project, EMAIL)
  await newContact(other, EMAIL)
  await write((tx) => suppressAddresses(tx, other, [{ email: EMAIL, reason: 'complaint' }], NOW))
  const found = await find(project, { contact_id })
  expect(found).toMatchObject({ contact: { id: contact_id }, suppression: null, activity: [], consents: [] })
  expect(await find(project, { email: ' ADA@example.com' })).toEqual(found)
  expect((await find(other, { email: EMAIL }))!.suppression).toEqual(['complaint', '', NOW])
  expect([await find(other, { contact_id }), await find(project, { email: 'no@example.com' })]).toEqual([null, null])
})

test('Each event has what is known of it, newest first, a hundred at a time.', async () => {
  const project = await newProject()
  const [contact_id, other] = [await newContact(project, EMAIL), await newContact(project, 'bo@example.com')]
  const event = { project_id: project, type: 'subscribed' as const, contact_id, at: NOW }
  const opened = { url: 'https://x.example', user_agent: 'Cat', machine: true, detail: 'd' }
  await write((tx) =>
    tx.insert(events).values([
      { ...event, list_id: 7 },
      { ...event, contact_id: other },
      { ...event, type: 'click' as const, campaign_id: 9, ...opened },
    ]),
  )
  const { activity } = (await find(project, { contact_id }))!
  const at = '2026-01-15T09:00:00.000Z'
  const id = expect.any(Number)
  expect(activity).toEqual([
    { id, type: 'click', at, list_id: null, campaign_id: 9, ...opened },
    { id, type: 'subscribed', at, list_id: 7, campaign_id: null },
  ])
  await write((tx) => tx.insert(events).values(Array.from({ length: 100 }, () => event)))
  const newest = (await find(project, { contact_id }))!.activity
  expect([newest.length, newest[0]!.id > newest[99]!.id]).toEqual([100, true])
  const older = (await find(project, { contact_id }, { activity_after_id: newest[99]!.id }))!
  expect(older.activity).toEqual(activity)
})

test('Evidence names the person and who spoke for the person, newest first, two hundred at a time.', async () => {
  const project = await newProject()
  const contact_id = await newContact(project, EMAIL)
  const consent = { project_id: project, contact_id, source: 'api', at: NOW }
  const caller = { caller_address: '192.0.2.7', caller_user_agent: 'Shop' }
  await write(async (tx) => {
    const wording_id = await wordingId(tx, project, 'Yes.')
    await tx.insert(consents).values([
      { ...consent, wording_id, address: '192.0.2.1', user_agent: 'Cat', list_id: 7 },
      { ...consent, action: 'withdrawn' as const, campaign_id: 9, user_agent: 'Dog', ...caller },
      { ...consent, address: '192.0.2.1', user_agent: 'Dog', caller_address: '192.0.2.7' },
    ])
  })
  const found = (await find(project, { contact_id }))!.consents
  const known = { id: expect.any(Number), at: '2026-01-15T09:00:00.000Z', source: 'api' }
  expect(found).toEqual([
    {
      ...{ ...known, list_id: null, action: 'given', text: '', ip: '192.0.2.1', user_agent: 'Dog', campaign_id: null },
      caller: { ip: '192.0.2.7', user_agent: '' },
    },
    {
      ...{ ...known, list_id: null, action: 'withdrawn', text: '', ip: null, user_agent: 'Dog', campaign_id: 9 },
      caller: { ip: '192.0.2.7', user_agent: 'Shop' },
    },
    { ...known, list_id: 7, action: 'given', text: 'Yes.', ip: '192.0.2.1', user_agent: 'Cat', campaign_id: null },
  ])
  await write((tx) => tx.insert(consents).values(Array.from({ length: 200 }, () => consent)))
  const newest = (await find(project, { contact_id }))!.consents
  expect([newest.length, newest[0]!.id > newest[199]!.id]).toEqual([200, true])
  const older = (await find(project, { contact_id }, { consents_after_id: newest[199]!.id }))!
  expect(older.consents).toEqual(found)
})
