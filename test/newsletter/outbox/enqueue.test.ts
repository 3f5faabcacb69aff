import { expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import {
  enqueueCampaign,
  enqueueConfirmations,
  enqueueLink,
  enqueueTests,
  extendConfirmations,
  withdrawConfirmations,
} from '../../../src/newsletter/outbox/enqueue.ts'
import { AT_ONCE } from '../../../src/newsletter/outbox/outbox.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { deliveries, type DeliveryStatus } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const messagesOf = async (project: ProjectId) =>
  (await sharedStore()).db.select().from(deliveries).where(eq(deliveries.project_id, project)).orderBy(deliveries.id)
const settle = (project: ProjectId, status: DeliveryStatus) =>
  write((tx) => tx.update(deliveries).set({ status }).where(eq(deliveries.project_id, project)))

test('A confirmation that waits names further lists; one that was sent does not, so another is needed.', async () => {
  const project = await newProject()
  const contact_id = await newContact(project, 'ada@example.com')
  const message = { contact_id, email: 'ada@example.com', list_ids: [1], due_at: NOW }
  await write((tx) => enqueueConfirmations(tx, project, [message], NOW))
  const extend = (list_ids: number[]) => write((tx) => extendConfirmations(tx, [{ contact_id, list_ids }]))
  expect(await extend([1, 2])).toEqual([contact_id])
  await settle(project, 'sent')
  expect(await extend([1, 2, 3])).toEqual([])
  expect((await messagesOf(project)).map(({ content }) => content)).toEqual([{ list_ids: [1, 2] }])
})

test('A confirmation is due at once or at its time, and is withdrawn only while it waits.', async () => {
  const project = await newProject()
  const [ada, bo] = [await newContact(project, 'ada@x.example'), await newContact(project, 'bo@x.example')]
  const to = (contact_id: number, due_at: number) => ({
    contact_id,
    email: `${due_at}@x.example`,
    list_ids: [7],
    due_at,
  })
  await write((tx) => enqueueConfirmations(tx, project, [to(ada, NOW), to(bo, NOW + 1)], NOW))
  await write((tx) => enqueueConfirmations(tx, project, [], NOW))
  await write((tx) => enqueueLink(tx, { project_id: project, contact_id: ada, email: 'ada@x.example', now: NOW }))
  const queued = { project_id: project, status: 'queued', campaign_id: null, created_at: NOW }
  expect(await messagesOf(project)).toMatchObject([
    { ...queued, kind: 'confirmation', contact_id: ada, email: `${NOW}@x.example`, next_attempt_at: AT_ONCE },
    { ...queued, kind: 'confirmation', contact_id: bo, email: `${NOW + 1}@x.example`, next_attempt_at: NOW + 1 },
    { ...queued, kind: 'link', contact_id: ada, email: 'ada@x.example', next_attempt_at: AT_ONCE, content: null },
  ])
  const kinds = async () => (await messagesOf(project)).map(({ kind, contact_id }) => [kind, contact_id])
  await write((tx) => withdrawConfirmations(tx, []))
  await write((tx) => withdrawConfirmations(tx, [ada]))
  expect(await kinds()).toEqual([
    ['confirmation', bo],
    ['link', ada],
  ])
  await settle(project, 'sending')
  await write((tx) => withdrawConfirmations(tx, [ada, bo]))
  expect(await kinds()).toHaveLength(2)
})

test('New tests empty the documents of the earlier tests of their campaign that ended, and of no other.', async () => {
  const project = await newProject()
  const [campaign_id, other] = [await newCampaign(project), await newCampaign(project)]
  const contact_id = await newContact(project, 'ada@x.example')
  const content = { subject: 'Tides', preheader: '', editor_json: { version: 1 }, posts: [] } as never
  const ask = (of: number, ...emails: string[]) =>
    write((tx) => enqueueTests(tx, { project_id: project, campaign_id: of, contact_id, emails, content, now: NOW }))
  await ask(campaign_id, 'sent', 'failed', 'bounced', 'skipped', 'sending', 'queued')
  await ask(other, 'sent')
  await write((tx) => tx.run(sql`UPDATE deliveries SET status = email WHERE project_id = ${project}`))
  await ask(campaign_id, 'one', 'two')
  const rows = await messagesOf(project)
  expect(rows.map(({ email, content: kept }) => [email, kept !== null])).toEqual([
    ...[
      ['sent', false],
      ['failed', false],
      ['bounced', false],
      ['skipped', false],
      ['sending', true],
      ['queued', true],
    ],
    ...[
      ['sent', true],
      ['one', true],
      ['two', true],
    ],
  ] as never)
  expect(rows.at(-1)).toMatchObject({
    ...{ kind: 'test', status: 'queued', campaign_id, contact_id, content, next_attempt_at: AT_ONCE },
    created_at: NOW,
  })
})

test('A recipient is added once to a campaign, and again only after its message was canceled.', async () => {
  const project = await newProject()
  const campaign_id = await newCampaign(project)
  const [ada, bo, cy] = [
    await newContact(project, 'ada@x.example'),
    await newContact(project, 'bo@x.example'),
    await newContact(project, 'cy@x.example'),
  ]
  const contacts = sql`FROM contacts contact WHERE contact.project_id = ${project} ORDER BY contact.id`
  const add = (now: number) => write((tx) => enqueueCampaign(tx, { campaign_id, contacts, now }))
  expect([await add(NOW), await add(NOW + 1)]).toEqual([3, 0])
  await write(async (tx) => {
    await tx.run(sql`UPDATE contacts SET email = 'new@x.example' WHERE id = ${bo}`)
    await tx
      .update(deliveries)
      .set({ status: 'cancelled', last_error: 'Stopped.', next_attempt_at: NOW })
      .where(inArray(deliveries.contact_id, [ada, bo]))
    await tx.update(deliveries).set({ status: 'sent' }).where(eq(deliveries.contact_id, cy))
  })
  expect(await add(NOW + 2)).toBe(2)
  const again = { status: 'queued', last_error: null, next_attempt_at: AT_ONCE, created_at: NOW }
  expect(await messagesOf(project)).toMatchObject([
    { ...again, contact_id: ada, email: 'ada@x.example' },
    { ...again, contact_id: bo, email: 'new@x.example' },
    { contact_id: cy, status: 'sent' },
  ])
})
