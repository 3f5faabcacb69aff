import { HOUR_MS } from '../../clock.ts'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import { one, packedRows, withRows } from '../../store/rows.ts'
import type { GlobalStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { type NewEvent, recordEvents } from '../tracking/events.ts'
import { requestConfirmations } from './confirmations.ts'
import { findSuppression, liftSuppression } from '../suppressions/suppression.ts'
import { type ConsentSource, isBlocked, type ListKind, type Plan, plan, storesConsent } from './consent-rule.ts'
import type { ContactRow, Membership } from '../contacts/contact.ts'
import { type Consent, type Evidence, evidenceOf, type ToldConsent, wordingsOf, writeEvidence } from './evidence.ts'
import type { Wordings } from './wordings.ts'

/** A list is named in at most one confirmation message in this time (docs/api/consent.md#double-opt-in). */
const CONFIRMATION_PAUSE_MS = HOUR_MS

/** A contact, and what the consent rule decided for it. */
interface Subscriber {
  contact: ContactRow
  /** Null for a contact that was just created with the plan's status and this consent. */
  status_before: GlobalStatus | null
  plan: Plan
  told?: ToldConsent
}

interface Subscribed {
  /** The contact as it is now. */
  contact: ContactRow
  plan: Plan
  /** Whether a membership, the status or the evidence on the contact changed. */
  changed: boolean
  /** Whether a confirmation message was queued. */
  confirms: boolean
}

/** Asks the consent rule about a known contact. */
export function planFor(
  contact: ContactRow,
  suppression: SuppressionReason | null,
  lists: readonly ListKind[],
  source: ConsentSource,
): Plan {
  const { global_status, memberships } = contact
  const byList = new Map(memberships.map(({ list_id, status }) => [list_id, status]))
  return plan({ global_status, suppression }, byList, lists, source)
}

/** Subscribes one known contact to lists, as far as the consent rule allows. */
export async function subscribeContact(
  tx: Tx,
  contact: ContactRow,
  lists: readonly ListKind[],
  consent: Consent,
): Promise<Subscribed> {
  const suppression = await findSuppression(tx, consent.project_id, contact.email)
  const decided = planFor(contact, suppression?.reason ?? null, lists, consent.source)
  return one(await subscribe(tx, [{ contact, status_before: contact.global_status, plan: decided }], consent))
}

/**
 * Carries out what the consent rule decided: memberships, global status, evidence, history and confirmation messages.
 * The number of statements does not depend on the number of people. Answers in the same order.
 */
export async function subscribe(tx: Tx, people: readonly Subscriber[], consent: Consent): Promise<Subscribed[]> {
  const steps = people.map((person) => ({
    ...person,
    ...changesOf(person, consent.now),
    evidence: evidenceOf(consent, person.told),
  }))
  await askForConfirmation(tx, steps, consent)
  await writeMemberships(tx, steps)
  const wordings = await wordingsOf(tx, steps, consent)
  await writeContacts(tx, steps, wordings, consent.now)
  await writeEvidence(tx, steps, wordings, consent)
  for (const { contact, plan } of people) {
    if (plan.lifts_suppression)
      await liftSuppression(tx, { project_id: consent.project_id, email: contact.email, now: consent.now })
  }
  await recordEvents(
    tx,
    steps.flatMap((step) => eventsOf(step, consent)),
  )
  return steps.map((step) => outcome(step, consent.now))
}

/**
 * Queues a confirmation message to each person who is asked, naming all lists that wait. A message that did not leave
 * yet is extended. Who may get no further message stays pending without one.
 */
async function askForConfirmation(
  tx: Tx,
  steps: readonly Step[],
  { keys, project_id, source, now }: Consent,
): Promise<void> {
  const asked = steps
    .filter(({ to_confirm }) => to_confirm.length > 0)
    .map((step) => {
      const waiting = step.contact.memberships.filter(({ status }) => status === 'pending')
      const list_ids = [...new Set([...waiting.map(({ list_id }) => list_id), ...step.to_confirm])]
      return { contact_id: step.contact.id, email: step.contact.email, list_ids, step }
    })
  const due = await requestConfirmations(tx, { keys, project_id, now, by_stranger: source.by_stranger ?? false }, asked)
  for (const { contact_id, step } of asked) {
    const due_at = due.get(contact_id)
    if (due_at === undefined) step.to_confirm = []
    for (const membership of step.memberships)
      if (membership.status === 'pending') membership.confirmation_sent_at = due_at ?? membership.confirmation_sent_at
  }
}

interface Change {
  /** New and changed memberships, with their new values. */
  memberships: Membership[]
  /** Lists newly subscribed or newly asked for; null is the address itself, without a list. */
  fresh: { list_id: number | null; event: 'subscribed' | 'resubscribed' | null }[]
  /** Lists that were subscribed already; null is the address itself. */
  again: (number | null)[]
  /** Lists that the confirmation message names. */
  to_confirm: number[]
}

type Step = Subscriber & Change & { evidence: Evidence }

function changesOf({ contact, status_before, plan }: Subscriber, now: number): Change {
  const change: Change = { memberships: [], fresh: [], again: [], to_confirm: [] }
  const comesBack = isBlocked(status_before)
  for (const { list_id, decision } of plan.decisions) {
    const before = contact.memberships.find((membership) => membership.list_id === list_id)
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
  if (status_before === null && change.fresh.length === 0 && storesConsent(plan))
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
    confirmation_sent_at: before?.confirmation_sent_at ?? null,
  })
  change.to_confirm.push(list_id)
}

async function writeMemberships(tx: Tx, steps: readonly Step[]): Promise<void> {
  const rows = steps.flatMap(({ contact, memberships }) =>
    memberships.map((membership) => [
      contact.id,
      membership.list_id,
      membership.status,
      membership.subscribed_at,
      membership.unsubscribed_at,
      membership.confirmation_sent_at,
    ]),
  )
  if (rows.length === 0) return
  const { with_rows, values, from } = packedRows(rows)
  await tx.later(sql`
    ${with_rows}
    INSERT INTO memberships (contact_id, list_id, status, subscribed_at, unsubscribed_at, confirmation_sent_at)
    SELECT ${values} ${from} WHERE true
    ON CONFLICT (contact_id, list_id) DO UPDATE SET status = excluded.status, subscribed_at = excluded.subscribed_at,
      unsubscribed_at = excluded.unsubscribed_at, confirmation_sent_at = excluded.confirmation_sent_at`)
}

/**
 * Writes the status of known contacts, and the consent of those that agreed to something new. An empty wording keeps
 * the stored one.
 */
async function writeContacts(tx: Tx, steps: readonly Step[], wordings: Wordings, now: number): Promise<void> {
  const rows = steps
    .filter(changesContact)
    .map(({ contact, plan, fresh, evidence }) => [
      contact.id,
      plan.global_status,
      fresh.length > 0 ? 1 : 0,
      wordings.get(evidence.text) ?? null,
      evidence.source,
      evidence.at,
    ])
  if (rows.length === 0) return
  await tx.later(sql`
    ${withRows(rows)} UPDATE contacts SET global_status = v->>1, updated_at = ${now},
      consent_wording_id = iif(v->>2, coalesce(v->>3, consent_wording_id), consent_wording_id),
      consent_source = iif(v->>2, v->>4, consent_source), consent_at = iif(v->>2, v->>5, consent_at)
    FROM r WHERE contacts.id = v->>0`)
}

function changesContact({ status_before, plan, fresh }: Step): boolean {
  return status_before !== null && (fresh.length > 0 || plan.global_status !== status_before)
}

function eventsOf(
  { contact: { id: contact_id, email }, status_before, plan, fresh, to_confirm }: Step,
  { project_id, now }: Consent,
): NewEvent[] {
  const about = { project_id, contact_id, email, at: now }
  const comesBackToItsLists =
    isBlocked(status_before) && plan.global_status === 'subscribed' && !fresh.some(({ event }) => event)
  return [
    ...fresh.flatMap(({ list_id, event }) => (event ? [{ ...about, type: event, list_id }] : [])),
    ...(comesBackToItsLists ? [{ ...about, type: 'resubscribed' as const }] : []),
    ...to_confirm.map((list_id) => ({ ...about, type: 'confirmation_sent' as const, list_id })),
  ]
}

function outcome(step: Step, now: number): Subscribed {
  const { contact, plan, evidence } = step
  const is_new = step.fresh.length > 0
  const changed = changesContact(step)
  const confirms = step.to_confirm.length > 0
  const after: ContactRow = {
    ...contact,
    global_status: plan.global_status,
    memberships: mergeMemberships(contact.memberships, step.memberships),
  }
  if (is_new) {
    after.consent_text = evidence.text || contact.consent_text
    after.consent_source = evidence.source
    after.consent_at = evidence.at
  }
  if (changed) after.updated_at = now
  return { contact: after, plan, changed: is_new || changed || confirms, confirms }
}

function mergeMemberships(before: readonly Membership[], changed: readonly Membership[]): Membership[] {
  const unchanged = before.filter(({ list_id }) => !changed.some((membership) => membership.list_id === list_id))
  return [...unchanged, ...changed].sort((a, b) => a.list_id - b.list_id)
}
