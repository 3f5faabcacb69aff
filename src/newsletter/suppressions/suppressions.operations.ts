import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { invalid, notFound } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { requireUsage, USAGE_LIMITS } from '../../projects/usage.ts'
import { emailKey, isEmail } from '../../address.ts'
import { Cursor, Email, Id, Limit, nullable, obj, Order, prose, Timestamp, enumOf } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import { comparison, type CursorPosition, inOrder, page } from '../../store/page.ts'
import { SUPPRESSION_REASONS } from '../../store/tables/audience.ts'
import { addressMarks } from './address-marks.ts'
import { findSuppression, liftSuppression, suppress, type Suppression } from './suppression.ts'
import { searchedText } from '../contacts/contact.ts'

/** Applies to `suppressions/add` only: no opt-out, bounce or complaint is ever refused. */

const SuppressionEntry = obj({
  id: Id,
  email: nullable(Type.String({ description: 'Null where the contact was deleted: a hash of the address is left.' })),
  reason: enumOf(SUPPRESSION_REASONS),
  note: Type.String(),
  created_at: Timestamp,
})

export const listSuppressions = read({
  path: '/suppressions/list',
  scope: 'read',
  summary: 'Lists the addresses that get no messages, oldest first unless asked otherwise.',
  request: obj({
    search: Type.Optional(
      Type.String({
        maxLength: 320,
        description: 'Part of the address. Those of deleted contacts are found by the whole address only.',
      }),
    ),
    reason: Type.Optional(enumOf(SUPPRESSION_REASONS)),
    order: Type.Optional(Order),
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Cursor),
  }),
  response: obj({ items: Type.Array(SuppressionEntry), next_cursor: nullable(Type.String()) }),
  async run({ search, reason, order, limit, cursor }, { db, store, keys, project_id }) {
    const text = searchedText(search ?? '')
    const ofReason = reason ? sql` AND reason = ${reason}` : sql``
    const key = emailKey(text)
    const keys_of_address = isEmail(text) ? [key, ...(await addressMarks(db, project_id, [key])).keys()] : []
    const matching =
      text === ''
        ? sql``
        : sql` AND (email <> '' AND (instr(email_key, ${text}) > 0 OR instr(lower(email), ${text}) > 0)
          OR email_key IN (SELECT value FROM json_each(${jsonText(keys_of_address)})))`
    const query = (after: CursorPosition | null, most: number) => sql`
      SELECT * FROM suppressions
      WHERE project_id = ${project_id}${ofReason}${matching}${
        after ? sql` AND (created_at, id) ${comparison(order)} (${after.created_at}, ${after.id})` : sql``
      }
      ORDER BY ${inOrder({ created_at: sql`created_at`, id: sql`id` }, order)} LIMIT ${most}`
    // A search may read all of them.
    const fetch = (after: CursorPosition | null, most: number): Promise<Suppression[]> =>
      text === '' ? db.all(query(after, most)) : store.heavy(query(after, most))
    return page(
      { keys, operation: '/suppressions/list', project_id, filters: { search: text, reason }, order, cursor, limit },
      fetch,
      toEntry,
    )
  },
})

export const addSuppression = mutation({
  path: '/suppressions/add',
  scope: 'write',
  audit: { target: { answer: 'suppression' } },
  errors: ['INVALID_STATE'],
  summary:
    'Suppresses an address, with or without a contact. Of two reasons the stronger stays: complaint, ' +
    'hard_bounce, unsubscribe, manual.',
  request: obj({
    email: Email,
    reason: Type.Optional(enumOf(SUPPRESSION_REASONS, { default: 'manual' })),
    note: Type.Optional(prose(1000)),
  }),
  response: obj({ suppression: SuppressionEntry }),
  async run({ email, reason = 'manual', note }, { tx, project_id, now }) {
    const suppression = await suppress(tx, { project_id, email, reason, note, now })
    await requireUsage(tx, project_id, USAGE_LIMITS.suppressions)
    return { suppression: toEntry(suppression) }
  },
})

export const removeSuppression = mutation({
  path: '/suppressions/remove',
  scope: 'write',
  audit: { target: { answer: 'suppression' } },
  errors: ['NOT_FOUND'],
  summary:
    'Ends the suppression of an address; a complaint needs confirm. A contact keeps its global status; ' +
    'contacts/upsert with resubscribe subscribes it again.',
  request: obj({
    email: Email,
    confirm: Type.Optional(Type.Boolean({ description: 'Needed to remove a complaint.' })),
  }),
  response: obj({ suppression: SuppressionEntry }),
  async run({ email, confirm }, { tx, project_id, now }) {
    const suppression = await findSuppression(tx, project_id, email)
    if (!suppression) throw notFound('suppression', '/email')
    if (suppression.reason === 'complaint' && confirm !== true)
      throw invalid('/confirm', 'Must be true to remove a complaint.')
    await liftSuppression(tx, { project_id, email, now })
    return { suppression: toEntry(suppression) }
  },
})

function toEntry({ id, email, reason, note, created_at }: Suppression) {
  return { id, email: email || null, reason, note, created_at: iso(created_at) }
}
