import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { invalid, invalidState } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { Id, obj, enumOf } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import { one, oneOrNotFound } from '../../store/rows.ts'
import type { Reader } from '../../store/open.ts'
import { CONSENT_SOURCES, type ListKind, type SkipReason } from './consent-rule.ts'
import { Contact, getContact, toContact } from '../contacts/contact.ts'
import { unsubscribeFromLists } from './unsubscribe.ts'
import { requireAll } from '../names.ts'
import { subscribeContact } from './subscribe.ts'
import { confirmationOutcomes } from '../outbox/confirmation-block.ts'
import { ConfirmationsBlocked, ConsentText, pendingAmong } from '../contacts/upsert.operations.ts'

const ACTIONS = ['subscribe', 'unsubscribe'] as const

export const changeMembership = mutation({
  path: '/contacts/membership',
  audit: { target: { kind: 'contact', input: 'contact_id' }, ids: { list_id: 'list_id' }, details: ['action'] },
  scope: 'write',
  errors: ['INVALID_STATE'],
  summary:
    'Subscribes a contact to a list, with a confirmation where the list asks for one, or unsubscribes it. A ' +
    'contact that opted out of everything, or whose address is suppressed, is not subscribed.',
  request: obj(
    { contact_id: Id, list_id: Id, action: enumOf(ACTIONS), consent_text: Type.Optional(ConsentText) },
    {
      oneOf: [
        { properties: { action: { const: 'subscribe' } }, required: ['consent_text'] },
        { properties: { action: { const: 'unsubscribe' } }, not: { required: ['consent_text'] } },
      ],
    },
  ),
  response: obj({
    contact: Contact,
    confirmations_queued: Type.Integer({ minimum: 0 }),
    confirmations_blocked: Type.Optional(ConfirmationsBlocked),
  }),
  async run(
    { contact_id, list_id, action, consent_text },
    { tx, keys, project_id, now, address, user_agent, afterCommit, wake },
  ) {
    if (action === 'subscribe' && consent_text === undefined) throw invalid('/consent_text', 'Required for subscribe.')
    if (action === 'unsubscribe' && consent_text !== undefined) throw invalid('/consent_text', 'Only for subscribe.')
    const contact = await getContact(tx, project_id, contact_id)
    const list = await getListKind(tx, project_id, list_id)
    if (action === 'unsubscribe') {
      await unsubscribeFromLists(tx, [{ ...contact, project_id }], [list_id], { now, source: 'api' })
      const after = toContact(await getContact(tx, project_id, contact_id))
      return { contact: after, confirmations_queued: 0 }
    }
    const text = consent_text!.toWellFormed()
    const consent = { keys, project_id, text, source: CONSENT_SOURCES.membership, now, address, user_agent }
    const subscribed = await subscribeContact(tx, contact, [list], consent)
    const { decision } = one(subscribed.plan.decisions)
    if (decision.act === 'skip')
      throw invalidState(`The contact cannot be subscribed: ${WHY[decision.reason]}`, decision.reason)
    if (subscribed.confirms) afterCommit(() => wake('delivery'))
    const waiting = pendingAmong(subscribed.contact, [list_id])
    const { confirms } = subscribed
    const outcome = one(await confirmationOutcomes(tx, { project_id, now }, [{ waiting, confirms }]))
    return { contact: toContact(subscribed.contact), ...outcome }
  },
})

const WHY: Readonly<Record<SkipReason, string>> = {
  suppressed: 'its address is suppressed.',
  unsubscribed: 'it unsubscribed from everything. contacts/upsert with resubscribe brings it back.',
  bounced: 'its address bounced. contacts/reset-status clears that.',
  complained: 'it complained.',
  left_list: 'it left the list.',
}

/** Throws NOT_FOUND, pointing at `list_id`, for a list that the project does not have. */
export async function getListKind(db: Reader, project_id: ProjectId, list_id: number): Promise<ListKind> {
  return oneOrNotFound(await findLists(db, project_id, [list_id]), 'list', '/list_id')
}

/** Throws NOT_FOUND, pointing below `path`, for the first list that the project does not have. */
export async function requireLists(
  db: Reader,
  project_id: ProjectId,
  list_ids: readonly number[],
  path: string,
): Promise<void> {
  requireAll('list', path, list_ids, await findLists(db, project_id, list_ids))
}

/** Those of the lists that the project has. */
export async function findLists(db: Reader, project_id: ProjectId, list_ids: readonly number[]): Promise<ListKind[]> {
  if (list_ids.length === 0) return []
  const rows = await db.all<{ id: number; double_opt_in: number }>(sql`
    SELECT id, double_opt_in FROM lists WHERE project_id = ${project_id}
      AND id IN (SELECT value FROM json_each(${jsonText(list_ids)})) ORDER BY id`)
  return rows.map(({ id, double_opt_in }) => ({ id, double_opt_in: double_opt_in === 1 }))
}
