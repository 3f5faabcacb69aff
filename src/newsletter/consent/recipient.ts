import { DAY_MS } from '../../clock.ts'
import { note } from '../../audit/record.ts'
import { translationsFor } from '../../i18n/languages.ts'
import type { ProjectId } from '../../ids.ts'
import { sql, type SQL } from 'drizzle-orm'
import type { Keys } from '../../secrets.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { one } from '../../store/rows.ts'
import type { MembershipStatus } from '../../store/tables/audience.ts'
import type { DeliveryKind } from '../../store/tables/delivery.ts'
import { recordEvents } from '../tracking/events.ts'
import { type ConfirmationToken, isSentTo, type RecipientToken } from '../tracking/tokens.ts'
import { CONSENT_SOURCES } from './consent-rule.ts'
import { type ContactRow, type Packed, packed, unpack } from '../contacts/contact.ts'
import { isOnAnyList, optOut, unsubscribeFromLists } from './unsubscribe.ts'
import { forgetConfirmations } from './message-requests.ts'
import { subscribeContact } from './subscribe.ts'
import { emailKey } from '../../address.ts'

/** The actions of recipients who follow a link in a message. The token in the link authenticates them. */

export interface Recipient extends ContactRow {
  project_id: ProjectId
  project_name: string
  locale: string | null
  brand_color: string | null
  logo_url: string | null
}

/** Names the recipient as the actor of a change of their own subscription. */
export function noteRecipient(tx: Tx, { id, project_id }: Pick<Recipient, 'id' | 'project_id'>): void {
  note(tx, { actor: `contact:${id}`, target: `contact:${id}`, project_id })
}

/** The time and origin of a recipient's action, stored as evidence. */
interface Evidence {
  keys: Keys
  now: number
  address: string
  user_agent: string
}

/**
 * The contact that a message went to. If it was deleted, the contact that has its address now: links in old messages
 * keep working for a person who subscribed again. Null when there is none.
 */
export async function findRecipient(
  db: Reader,
  { contact_id, delivery_id }: RecipientToken,
): Promise<Recipient | null> {
  const contact = await recipientWhere(db, sql`contact.id = ${contact_id}`)
  if (contact) return contact
  const [delivery] = await db.all<{ project_id: ProjectId; email: string }>(
    sql`SELECT project_id, email FROM deliveries WHERE id = ${delivery_id}`,
  )
  return delivery
    ? recipientWhere(
        db,
        sql`contact.project_id = ${delivery.project_id} AND contact.email_key = ${emailKey(delivery.email)}`,
      )
    : null
}

export async function findConfirming(db: Reader, token: ConfirmationToken): Promise<Recipient | null> {
  const recipient = await recipientWhere(db, sql`contact.id = ${token.contact_id}`)
  return recipient && isSentTo(token, recipient.email) ? recipient : null
}

/** Whether a message was a campaign's test, so that its links must not act on a contact. */
export async function isTestMessage(db: Reader, { delivery_id }: RecipientToken): Promise<boolean> {
  const [delivery] = await db.all<{ kind: DeliveryKind }>(sql`SELECT kind FROM deliveries WHERE id = ${delivery_id}`)
  return delivery?.kind === 'test'
}

/** The lists of a confirmation whose membership is still pending. */
export async function pendingLists(
  db: Reader,
  { contact_id, list_ids }: ConfirmationToken,
): Promise<{ id: number; name: string }[]> {
  return db.all(sql`
    SELECT list.id, list.name FROM memberships membership JOIN lists list ON list.id = membership.list_id
    WHERE membership.contact_id = ${contact_id} AND membership.status = 'pending'
    AND membership.list_id IN (SELECT value FROM json_each(${jsonText(list_ids)})) ORDER BY list.name`)
}

/**
 * Confirms pending memberships, which is evidence for the latest consent to each list. A pending contact becomes
 * subscribed. Answers the lists that were confirmed (docs/api/consent.md#double-opt-in).
 */
export async function confirm(
  tx: Tx,
  recipient: Recipient,
  list_ids: readonly number[],
  { keys, now, address, user_agent }: Evidence,
): Promise<number[]> {
  const confirmed = (
    await tx.all<{ list_id: number }>(sql`
    UPDATE memberships SET status = 'subscribed', subscribed_at = ${now}, unsubscribed_at = NULL
    WHERE contact_id = ${recipient.id} AND status = 'pending'
    AND list_id IN (SELECT value FROM json_each(${jsonText(list_ids)}))
    RETURNING list_id`)
  ).map(({ list_id }) => list_id)
  if (confirmed.length === 0) return []
  await forgetConfirmations(tx, { keys, project_id: recipient.project_id }, recipient.email)
  noteRecipient(tx, recipient)
  await tx.run(sql`
    UPDATE contacts SET global_status = iif(global_status = 'pending', 'subscribed', global_status), updated_at = ${now}
    WHERE id = ${recipient.id}`)
  await tx.run(sql`
    INSERT INTO consents (project_id, contact_id, list_id, action, wording_id, source, at, address, user_agent)
    SELECT given.project_id, given.contact_id, given.list_id, 'confirmed', given.wording_id, 'confirmation', ${now},
      ${address}, ${user_agent}
    FROM consents given WHERE given.id IN (
      SELECT max(id) FROM consents
      WHERE contact_id = ${recipient.id} AND action = 'given'
        AND list_id IN (SELECT value FROM json_each(${jsonText(confirmed)})) GROUP BY list_id)`)
  const { project_id, id: contact_id, email } = recipient
  await recordEvents(
    tx,
    confirmed.map((list_id) => ({
      project_id,
      type: 'confirmed' as const,
      contact_id,
      list_id,
      email,
      at: now,
      user_agent,
    })),
  )
  return confirmed
}

export interface Choice {
  id: number
  name: string
  description: string
  double_opt_in: boolean
  /** The recipient's membership; null when there never was one. */
  status: MembershipStatus | null
}

/**
 * The lists that a recipient sees and may choose, those that they joined first (docs/api/consent.md#preferences). Names
 * are in the order of the language, and numbers in them count as numbers.
 */
export async function choices(db: Reader, { id, project_id, locale }: Recipient): Promise<Choice[]> {
  const rows = await db.all<Omit<Choice, 'double_opt_in'> & { double_opt_in: number }>(sql`
    SELECT list.id, list.name, list.description, list.double_opt_in, membership.status FROM lists list
    LEFT JOIN memberships membership ON membership.list_id = list.id AND membership.contact_id = ${id}
    WHERE list.project_id = ${project_id} AND list.public = 1 AND list.archived_at IS NULL ORDER BY list.name_key`)
  const { compare } = new Intl.Collator(translationsFor(locale).lang, { numeric: true })
  return rows
    .map((row) => ({ ...row, double_opt_in: row.double_opt_in === 1 }))
    .toSorted((one, other) => place(one) - place(other) || compare(one.name, other.name))
}

/** Lists that a contact joined, or asked to join, come first. */
const place = ({ status }: Choice): number => (status === 'subscribed' || status === 'pending' ? 0 : 1)

const CHOSEN = 'Chosen by the recipient in the preference center.'

/**
 * Subscribes to the public lists that the recipient ticked, and unsubscribes from the others. A pending membership that
 * is not ticked stays pending. Who leaves the last list leaves everything. Answers false when a ticked list was not
 * subscribed: the address is suppressed, the message went to another address, or the contact joined many lists today.
 */
export async function choose(
  tx: Tx,
  recipient: Recipient,
  { ticked, message }: { ticked: ReadonlySet<number>; message: RecipientToken },
  { keys, now, address, user_agent }: Evidence,
): Promise<boolean> {
  const offered = await choices(tx, recipient)
  const withdrawal = { now, address, user_agent, source: CONSENT_SOURCES.preferences.name }
  const left = await unsubscribeFromLists(
    tx,
    [recipient],
    offered.filter(({ id, status }) => !ticked.has(id) && status === 'subscribed').map(({ id }) => id),
    withdrawal,
  )
  const wanted = offered.filter(({ id, status }) => ticked.has(id) && status !== 'subscribed')
  const joined = wanted.length > 0 && (await mayJoin(tx, recipient, message, now)) ? wanted : []
  if (left.length + joined.length > 0) noteRecipient(tx, recipient)
  if (joined.length === 0) {
    if (left.length > 0 && !(await isOnAnyList(tx, recipient.id))) await optOut(tx, recipient, withdrawal)
    return wanted.length === 0
  }
  const { plan } = await subscribeContact(tx, recipient, joined, {
    keys,
    project_id: recipient.project_id,
    text: CHOSEN,
    source: CONSENT_SOURCES.preferences,
    now,
    address,
    user_agent,
  })
  return plan.decisions.every(({ decision }) => decision.act !== 'skip')
}

/** Lists that a contact can join on its page in a day: each joining is stored, and the page has no rate limit. */
const JOINED_A_DAY = 50

/**
 * A message proves only the address that it went to. The holder of a contact's former address may unsubscribe the
 * contact, but not subscribe it.
 */
async function mayJoin(tx: Tx, { id, email }: Recipient, { delivery_id }: RecipientToken, now: number) {
  const found = one(
    await tx.all<{ joined: number; email: string | null }>(sql`
      SELECT (SELECT count(*) FROM consents WHERE contact_id = ${id} AND action = 'given'
          AND source = ${CONSENT_SOURCES.preferences.name} AND at > ${now - DAY_MS}) AS joined,
        (SELECT email FROM deliveries WHERE id = ${delivery_id}) AS email`),
  )
  return found.joined < JOINED_A_DAY && found.email !== null && emailKey(found.email) === emailKey(email)
}

async function recipientWhere(db: Reader, which: SQL): Promise<Recipient | null> {
  const [row] = await db.all<{
    packed: string
    project_id: ProjectId
    project_name: string
    locale: string | null
    brand_color: string | null
    logo_url: string | null
  }>(sql`
    SELECT ${packed} AS packed, contact.project_id, project.name AS project_name, settings.locale, settings.brand_color,
      settings.logo_url
    FROM contacts contact JOIN projects project ON project.id = contact.project_id
    LEFT JOIN newsletter_settings settings ON settings.project_id = project.id
    WHERE ${which}`)
  if (!row) return null
  const { packed: contact, ...project } = row
  return { ...unpack(JSON.parse(contact) as Packed), ...project }
}
