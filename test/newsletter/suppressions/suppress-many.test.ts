import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { enqueueConfirmations } from '../../../src/newsletter/outbox/enqueue.ts'
import { suppressMany } from '../../../src/newsletter/suppressions/suppress-many.ts'
import { newContact, newList, newProject, write } from '../../support/shared-store.ts'
import { contact, events, found, LATER, memberships, rows } from './stored.ts'

test('Many contacts are suppressed at once: those that changed are named, and others stay.', async () => {
  const project = await newProject()
  const list = await newList(project)
  const joined = { [list]: 'subscribed' as const }
  const [ada, bo, cy] = [
    await newContact(project, 'ada@example.com', {}, joined),
    await newContact(project, 'bo@example.com', { global_status: 'complained' }, joined),
    await newContact(project, 'cy@example.com', {}, joined),
  ]
  const other = await newProject()
  const elsewhere = await newContact(other, 'ada@example.com', {}, { [await newList(other)]: 'subscribed' })
  const changed = await write((tx) =>
    suppressMany(
      tx,
      project,
      [
        { email: 'Ada@example.com', reason: 'unsubscribe' },
        { email: 'bo@example.com', reason: 'hard_bounce' },
        { email: ' New@Example.com ', reason: 'manual' },
      ],
      LATER,
    ),
  )
  expect([...changed]).toEqual(['ada@example.com'])
  expect([await memberships(ada), await memberships(bo), await memberships(cy)]).toEqual([
    ['unsubscribed'],
    ['subscribed'],
    ['subscribed'],
  ])
  expect(await events(ada)).toEqual([{ type: 'suppressed', detail: 'unsubscribe' }])
  expect([await events(bo), await events(elsewhere)]).toEqual([[{ type: 'suppressed', detail: 'hard_bounce' }], []])
  const withdrawn = await rows(sql`
    SELECT contact_id, list_id, action, source, at FROM consents WHERE project_id = ${project}`)
  expect(withdrawn).toEqual([{ contact_id: ada, list_id: null, action: 'withdrawn', source: 'unsubscribe', at: LATER }])
  expect([(await contact(elsewhere)).global_status, await memberships(elsewhere)]).toEqual([
    'subscribed',
    ['subscribed'],
  ])
  expect(await found(project, 'new@example.com')).toMatchObject({ reason: 'manual', email: 'New@Example.com' })
  expect([...(await write((tx) => suppressMany(tx, project, [], LATER)))]).toEqual([])
})

test('A contact that has the status of its reason already has an event of the suppression, and no more.', async () => {
  const project = await newProject()
  const id = await newContact(project, 'bounced@example.com', { global_status: 'bounced' })
  const bounced = [{ email: 'bounced@example.com', reason: 'hard_bounce' as const }]
  const again = (now: number) => write((tx) => suppressMany(tx, project, [...bounced, ...bounced], now))
  expect([...(await again(LATER))]).toEqual([])
  const after = { global_status: 'bounced', opted_out: 0, updated_at: LATER }
  expect([await contact(id), await events(id)]).toEqual([after, [{ type: 'suppressed', detail: 'hard_bounce' }]])
  expect([...(await again(LATER + 1))]).toEqual([])
  expect([await contact(id), (await events(id)).length]).toEqual([after, 1])
})

test('A contact suppressed for a complaint is no longer asked to confirm, and a bounce ends nothing.', async () => {
  const project = await newProject()
  const list = await newList(project)
  const waiting = [
    await newContact(project, 'ada@example.com', {}, { [list]: 'pending' }),
    await newContact(project, 'bo@example.com', {}, { [list]: 'pending' }),
    await newContact(project, 'cy@example.com', {}, { [list]: 'pending' }),
  ]
  const people = waiting.map((contact_id) => ({ contact_id, email: '', list_ids: [list], due_at: LATER }))
  await write((tx) => enqueueConfirmations(tx, project, people, LATER))
  await write((tx) =>
    suppressMany(
      tx,
      project,
      [
        { email: 'ada@example.com', reason: 'complaint' },
        { email: 'bo@example.com', reason: 'hard_bounce' },
      ],
      LATER,
    ),
  )
  expect(await rows(sql`SELECT contact_id FROM deliveries WHERE project_id = ${project} ORDER BY contact_id`)).toEqual([
    { contact_id: waiting[1]! },
    { contact_id: waiting[2]! },
  ])
})

test('A contact who leaves in a file leaves with the addresses before, and a bounce does not.', async () => {
  const project = await newProject()
  const [ada, bo] = [await newContact(project, 'ada@new.example'), await newContact(project, 'bo@new.example')]
  const change = (contact_id: number, detail: string) =>
    sql`INSERT INTO events (project_id, type, contact_id, at, detail)
      VALUES (${project}, 'address_changed', ${contact_id}, ${LATER}, ${detail})`
  await write(async (tx) => {
    await tx.run(change(ada, 'Ada@old.example'))
    await tx.run(change(bo, 'bo@old.example'))
    await suppressMany(
      tx,
      project,
      [
        { email: 'ada@new.example', reason: 'complaint' },
        { email: 'bo@new.example', reason: 'hard_bounce' },
      ],
      LATER,
    )
  })
  expect(await found(project, 'ada@old.example')).toMatchObject({ reason: 'complaint', created_at: LATER })
  expect(await found(project, 'bo@old.example')).toBeNull()
})

test('A contact who leaves in a file after a bounce leaves with the addresses before.', async () => {
  const project = await newProject()
  const id = await newContact(project, 'cy@new.example')
  const suppressed = (reason: 'hard_bounce' | 'unsubscribe') =>
    write((tx) => suppressMany(tx, project, [{ email: 'cy@new.example', reason }], LATER))
  await write((tx) =>
    tx.run(sql`
      INSERT INTO events (project_id, type, contact_id, at, detail)
      VALUES (${project}, 'address_changed', ${id}, ${LATER}, 'cy@old.example')`),
  )
  await suppressed('hard_bounce')
  expect(await found(project, 'cy@old.example')).toBeNull()
  await suppressed('unsubscribe')
  expect(await contact(id)).toMatchObject({ global_status: 'bounced', opted_out: 1 })
  expect(await found(project, 'cy@old.example')).toMatchObject({
    reason: 'unsubscribe',
    opted_out: 1,
    created_at: LATER,
  })
})
