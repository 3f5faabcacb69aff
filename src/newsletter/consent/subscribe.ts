import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import { valuesOf, withRows } from '../../store/rows.ts'
import type { GlobalStatus } from '../../store/tables/audience.ts'
import { type NewEvent, recordEvents } from '../tracking/events.ts'
import { enqueueConfirmations } from '../outbox/outbox.ts'
import { liftSuppression } from '../suppressions/suppression.ts'
import { isOut, keepsConsent, type Plan } from './consent-rule.ts'
import type { Membership } from '../contacts/contact.ts'

/** At most one confirmation message an address and list in this time, while it is pending (contract-details 22). */
const CONFIRMATION_PAUSE_MS = 10 * 60_000

/** What somebody agreed to, when and from where: kept as evidence with every subscription. */
export interface Consent {
  project_id: ProjectId
  text: string
  source: string
  now: number
  address: string
  user_agent: string
}

/** One person, and what the rule of consent decided for them. */
export interface Subscriber {
  contact_id: number
  email: string
  /** Null for a contact that was just made, with the plan's status and this consent on it. */
  status_before: GlobalStatus | null
  /** The wording that stands on the contact. */
  consent_text: string
  memberships: readonly Membership[]
  plan: Plan
}

export interface Subscribed {
  /** The person's memberships as they are now. */
  memberships: Membership[]
  /** Whether anything new was subscribed or asked: the contact carries this consent now. */
  is_new: boolean
  /** Whether the row of a contact that was there before changed. */
  changed: boolean
  /** Whether a confirmation message was queued. */
  confirms: boolean
}

/**
 * Carries out what the rule of consent decided: memberships, global status, evidence, history and confirmation
 * messages, in as many statements for a thousand people as for one. Answers in the same order.
 */
export async function subscribe(tx: Tx, people: readonly Subscriber[], consent: Consent): Promise<Subscribed[]> {
  const changes = people.map((person) => changesOf(person, consent.now))
  await keepMemberships(tx, people, changes)
  await keepContacts(tx, people, changes, consent)
  await keepEvidence(tx, people, changes, consent)
  for (const person of people) {
    if (person.plan.lifts_suppression)
      await liftSuppression(tx, { project_id: consent.project_id, email: person.email, now: consent.now })
  }
  await recordEvents(
    tx,
    people.flatMap((person, index) => eventsOf(person, changes[index]!, consent)),
  )
  const asked = people.map(({ contact_id, email }, index) => ({
    contact_id,
    email,
    list_ids: changes[index]!.to_confirm,
  }))
  await enqueueConfirmations(
    tx,
    consent.project_id,
    asked.filter(({ list_ids }) => list_ids.length > 0),
    consent.now,
  )
  return people.map((person, index) => outcome(person, changes[index]!))
}

interface Change {
  /** Memberships that are made or changed, as they become. */
  memberships: Membership[]
  /** What was not subscribed or asked before; null stands for the address itself. */
  fresh: { list_id: number | null; event: 'subscribed' | 'resubscribed' | null }[]
  /** What the consent is about again, without any change. */
  again: (number | null)[]
  /** Lists that the confirmation message is about. */
  to_confirm: number[]
}

function changesOf(person: Subscriber, now: number): Change {
  const change: Change = { memberships: [], fresh: [], again: [], to_confirm: [] }
  const comesBack = isOut(person.status_before)
  for (const { list_id, decision } of person.plan.decisions) {
    const before = person.memberships.find((membership) => membership.list_id === list_id)
    const event = comesBack || before?.status === 'unsubscribed' ? 'resubscribed' : 'subscribed'
    if (decision.act === 'keep') change.again.push(list_id)
    if (decision.act === 'subscribe') {
      change.fresh.push({ list_id, event })
      if (list_id !== null)
        change.memberships.push({
          list_id,
          status: 'subscribed',
          subscribed_at: now,
          unsubscribed_at: null,
          confirmation_sent_at: before?.confirmation_sent_at ?? null,
        })
    }
    if (decision.act === 'ask') ask(change, list_id!, before, now)
  }
  if (person.status_before === null && change.fresh.length === 0 && keepsConsent(person.plan))
    change.fresh.push({ list_id: null, event: null })
  return change
}

function ask(change: Change, list_id: number, before: Membership | undefined, now: number): void {
  const wasPending = before?.status === 'pending'
  if (wasPending) change.again.push(list_id)
  else change.fresh.push({ list_id, event: null })
  if (wasPending && before.confirmation_sent_at !== null && before.confirmation_sent_at > now - CONFIRMATION_PAUSE_MS)
    return
  change.memberships.push({
    list_id,
    status: 'pending',
    subscribed_at: null,
    unsubscribed_at: null,
    confirmation_sent_at: now,
  })
  change.to_confirm.push(list_id)
}

async function keepMemberships(tx: Tx, people: readonly Subscriber[], changes: readonly Change[]): Promise<void> {
  const rows = people.flatMap(({ contact_id }, index) =>
    changes[index]!.memberships.map((membership) => [
      contact_id,
      membership.list_id,
      membership.status,
      membership.subscribed_at,
      membership.unsubscribed_at,
      membership.confirmation_sent_at,
    ]),
  )
  if (rows.length === 0) return
  await tx.run(sql`
    ${withRows(rows)} INSERT INTO memberships (contact_id, list_id, status, subscribed_at, unsubscribed_at, confirmation_sent_at)
    SELECT ${valuesOf(0, 6)} FROM r WHERE true
    ON CONFLICT (contact_id, list_id) DO UPDATE SET status = excluded.status, subscribed_at = excluded.subscribed_at,
      unsubscribed_at = excluded.unsubscribed_at, confirmation_sent_at = excluded.confirmation_sent_at`)
}

/** The status of those who were there before, and the consent of those who agreed to something new (contract-details 24). An import may have no words for it: then those that are there stay. */
async function keepContacts(
  tx: Tx,
  people: readonly Subscriber[],
  changes: readonly Change[],
  { text, source, now }: Consent,
): Promise<void> {
  const rows = people.flatMap((person, index) => {
    const change = changes[index]!
    return changesContact(person, change)
      ? [[person.contact_id, person.plan.global_status, change.fresh.length > 0 ? 1 : 0]]
      : []
  })
  if (rows.length === 0) return
  await tx.run(sql`
    ${withRows(rows)} UPDATE contacts SET global_status = v->>1, updated_at = ${now},
      consent_text = iif(v->>2 AND ${text} <> '', ${text}, consent_text), consent_source = iif(v->>2, ${source}, consent_source), consent_at = iif(v->>2, ${now}, consent_at)
    FROM r WHERE contacts.id = v->>0`)
}

function changesContact({ status_before, plan }: Subscriber, { fresh }: Change): boolean {
  return status_before !== null && (fresh.length > 0 || plan.global_status !== status_before)
}

/** A row for each new subscription; for what they have already, one for every wording that differs from those kept. */
async function keepEvidence(
  tx: Tx,
  people: readonly Subscriber[],
  changes: readonly Change[],
  { project_id, text, source, now, address, user_agent }: Consent,
): Promise<void> {
  const rows = people.flatMap(({ contact_id, consent_text }, index) => [
    ...changes[index]!.fresh.map(({ list_id }) => [contact_id, list_id, 1]),
    ...(consent_text === text || text === '' ? [] : changes[index]!.again.map((list_id) => [contact_id, list_id, 0])),
  ])
  if (rows.length === 0) return
  await tx.run(sql`
    ${withRows(rows)} INSERT INTO consents (project_id, contact_id, list_id, text, source, at, address, user_agent)
    SELECT ${project_id}, v->>0, v->>1, ${text}, ${source}, ${now}, ${address}, ${user_agent} FROM r
    WHERE v->>2 OR NOT EXISTS (SELECT 1 FROM consents k WHERE k.contact_id = v->>0 AND k.list_id IS v->>1 AND k.text = ${text} AND k.source = ${source})`)
}

function eventsOf(
  { contact_id, email, status_before, plan }: Subscriber,
  change: Change,
  { project_id, now }: Consent,
): NewEvent[] {
  const about = { project_id, contact_id, email, at: now }
  const comesBackToTheirLists =
    isOut(status_before) && plan.global_status === 'subscribed' && !change.fresh.some(({ event }) => event)
  return [
    ...change.fresh.flatMap(({ list_id, event }) => (event ? [{ ...about, type: event, list_id }] : [])),
    ...(comesBackToTheirLists ? [{ ...about, type: 'resubscribed' as const }] : []),
    ...change.to_confirm.map((list_id) => ({ ...about, type: 'confirmation_sent' as const, list_id })),
  ]
}

function outcome(person: Subscriber, change: Change): Subscribed {
  const kept = person.memberships.filter(
    ({ list_id }) => !change.memberships.some((membership) => membership.list_id === list_id),
  )
  return {
    memberships: [...kept, ...change.memberships].sort((a, b) => a.list_id - b.list_id),
    is_new: change.fresh.length > 0,
    changed: changesContact(person, change),
    confirms: change.to_confirm.length > 0,
  }
}
