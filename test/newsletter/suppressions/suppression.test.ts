import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { liftSuppression, suppress, suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
import { suppressMany } from '../../../src/newsletter/suppressions/suppress-many.ts'
import {
  GLOBAL_STATUSES,
  type GlobalStatus,
  SUPPRESSION_REASONS,
  type SuppressionReason,
} from '../../../src/store/tables/audience.ts'
import { newContact, newList, newProject, NOW, write } from '../../support/shared-store.ts'
import { contact, events, found, LATER, memberships, rows } from './stored.ts'

const ways = {
  suppress: (project_id: ProjectId, email: string, reason: SuppressionReason) =>
    write(async (tx) => void (await suppress(tx, { project_id, email, reason, now: LATER }))),
  suppressMany: (project_id: ProjectId, email: string, reason: SuppressionReason) =>
    write(async (tx) => void (await suppressMany(tx, project_id, [{ email, reason }], LATER))),
}

/** The status after each reason, in the order of SUPPRESSION_REASONS: hard_bounce, complaint, unsubscribe, manual. */
const AFTER: Record<GlobalStatus, GlobalStatus[]> = {
  pending: ['bounced', 'complained', 'unsubscribed', 'pending'],
  subscribed: ['bounced', 'complained', 'unsubscribed', 'subscribed'],
  unsubscribed: ['bounced', 'complained', 'unsubscribed', 'unsubscribed'],
  bounced: ['bounced', 'complained', 'bounced', 'bounced'],
  complained: ['complained', 'complained', 'complained', 'complained'],
}

test.each(Object.entries(ways))(
  'By %s a contact gets the status of the reason unless its own is stronger.',
  async (_, way) => {
    const project = await newProject()
    const list = await newList(project)
    for (const before of GLOBAL_STATUSES)
      for (const [at, reason] of SUPPRESSION_REASONS.entries()) {
        const email = `${before}-${reason}@example.com`
        const id = await newContact(project, email, { global_status: before }, { [list]: 'subscribed' })
        await way(project, email.toUpperCase(), reason)
        const after = await contact(id)
        expect([email, after.global_status]).toEqual([email, AFTER[before][at]!])
        // A bounce that is reset later must not forget the opt-out.
        const remembers = after.global_status === 'bounced' && (before === 'unsubscribed' || reason === 'unsubscribe')
        expect([email, after.opted_out]).toEqual([email, remembers ? 1 : 0])
        const ends = reason === 'complaint' || reason === 'unsubscribe'
        expect([email, await memberships(id)]).toEqual([email, [ends ? 'unsubscribed' : 'subscribed']])
      }
  },
)

test.each(Object.entries(ways))(
  'By %s the stronger of two reasons stays, and an opt-out is remembered.',
  async (_, way) => {
    const project = await newProject()
    const strength = ['manual', 'unsubscribe', 'hard_bounce', 'complaint'] as const
    for (const [at, first] of strength.entries())
      for (const [by, second] of strength.entries()) {
        const email = `${first}-${second}@example.com`
        await way(project, email, first)
        await way(project, email, second)
        expect(await found(project, email)).toMatchObject({
          reason: strength[Math.max(at, by)]!,
          opted_out: first === 'unsubscribe' || second === 'unsubscribe' ? 1 : 0,
        })
      }
  },
)

test('An existing suppression keeps its id, its time and its note, and a new note replaces the old one.', async () => {
  const project = await newProject()
  const email = 'ada@example.com'
  const add = (note: string | undefined, now: number) =>
    write((tx) =>
      suppress(tx, {
        project_id: project,
        email: ` ${email} `,
        reason: 'manual',
        now,
        ...(note !== undefined && { note }),
      }),
    )
  const { id } = await add('First.', NOW)
  expect(await add(undefined, LATER)).toMatchObject({ id, created_at: NOW, note: 'First.', email })
  expect(await add('Second.', LATER)).toMatchObject({ id, note: 'Second.' })
})

test('The history has an event where the reason changed, and evidence where consent ended.', async () => {
  const project = await newProject()
  const id = await newContact(project, 'ada@example.com')
  const add = (reason: SuppressionReason) => ways.suppress(project, 'ada@example.com', reason)
  await add('manual')
  await add('manual')
  await add('complaint')
  await add('unsubscribe')
  expect(await events(id)).toEqual([
    { type: 'suppressed', detail: 'manual' },
    { type: 'suppressed', detail: 'complaint' },
  ])
  expect(await rows(sql`SELECT action, source, list_id FROM consents WHERE contact_id = ${id}`)).toEqual([
    { action: 'withdrawn', source: 'complaint', list_id: null },
  ])
})

test('A bounce is no withdrawal of a consent.', async () => {
  const project = await newProject()
  const [one, many] = [await newContact(project, 'ada@example.com'), await newContact(project, 'bo@example.com')]
  await ways.suppress(project, 'ada@example.com', 'hard_bounce')
  await ways.suppressMany(project, 'bo@example.com', 'hard_bounce')
  expect(await rows(sql`SELECT action FROM consents WHERE contact_id IN (${one}, ${many})`)).toEqual([])
})

test.each(['suppress', 'suppressMany'] as const)(
  'Events and evidence of an opt-out are the same by any way: %s.',
  async (name) => {
    const project = await newProject()
    const list = await newList(project)
    const after = async (status: GlobalStatus, ...reasons: SuppressionReason[]) => {
      const email = `${status}-${reasons.join('-')}@example.com`
      const id = await newContact(project, email, { global_status: status }, { [list]: 'subscribed' })
      for (const reason of reasons) await ways[name](project, email, reason)
      const evidence = await rows<{ action: string; source: string }>(
        sql`SELECT action, source FROM consents WHERE contact_id = ${id} AND list_id IS NULL ORDER BY id`,
      )
      return [
        ...evidence.map(({ action, source }) => `${action} ${source}`),
        ...(await events(id)).map(({ type, detail }) => `${type} ${detail}`),
        ...(await memberships(id)),
      ]
    }
    expect(await after('subscribed', 'manual', 'manual')).toEqual(['suppressed manual', 'subscribed'])
    expect(await after('subscribed', 'hard_bounce', 'unsubscribe', 'unsubscribe')).toEqual([
      'withdrawn unsubscribe',
      'suppressed hard_bounce',
      'unsubscribed',
    ])
    expect(await after('bounced', 'unsubscribe')).toEqual([
      'withdrawn unsubscribe',
      'suppressed unsubscribe',
      'unsubscribed',
    ])
    expect(await after('subscribed', 'unsubscribe', 'hard_bounce', 'complaint')).toEqual([
      'withdrawn unsubscribe',
      'withdrawn complaint',
      'suppressed unsubscribe',
      'suppressed hard_bounce',
      'suppressed complaint',
      'unsubscribed',
    ])
  },
)

test('A suppression ends once, in its own project, and the contact keeps its status.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const id = await newContact(project, 'ada@example.com')
  await ways.suppress(project, 'ada@example.com', 'complaint')
  await ways.suppress(other, 'ada@example.com', 'manual')
  const lift = () =>
    write((tx) => liftSuppression(tx, { project_id: project, email: 'ADA@example.com', now: LATER + 1 }))
  expect(await lift()).toMatchObject({ reason: 'complaint' })
  expect(await lift()).toBeNull()
  expect(await contact(id)).toMatchObject({ global_status: 'complained', updated_at: LATER + 1 })
  expect((await events(id)).at(-1)).toEqual({ type: 'unsuppressed', detail: 'complaint' })
  expect(await found(other, 'ada@example.com')).not.toBeNull()
})

test('A bounce ends the memberships of an address that opted out, and no others.', async () => {
  const project = await newProject()
  const list = await newList(project)
  const after = async (email: string, opted_out: boolean) => {
    await write((tx) => suppressAddresses(tx, project, [{ email, reason: 'hard_bounce', opted_out }], NOW))
    const id = await newContact(project, email, {}, { [list]: 'subscribed' })
    await ways.suppress(project, email, 'hard_bounce')
    const { global_status, opted_out: remembered } = await contact(id)
    return [global_status, remembered, ...(await memberships(id))]
  }
  expect(await after('ada@example.com', true)).toEqual(['bounced', 1, 'unsubscribed'])
  expect(await after('bo@example.com', false)).toEqual(['bounced', 0, 'subscribed'])
})
