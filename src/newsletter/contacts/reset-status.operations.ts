import { sql } from 'drizzle-orm'
import { invalidState } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import type { Tx } from '../../store/open.ts'
import type { GlobalStatus } from '../../store/tables/audience.ts'
import { findSuppression, liftSuppression } from '../suppressions/suppression.ts'
import { Contact, type ContactRow, getContact, toContact } from './contact.ts'

export const resetStatus = mutation({
  path: '/contacts/reset-status',
  scope: 'write',
  summary:
    'Takes a bounced contact back to subscribed, or to unsubscribed where they had left as well, and ends the suppression that the bounce left.',
  request: obj({ contact_id: Id }),
  response: obj({ contact: Contact }),
  async run({ contact_id }, { tx, project_id, now }) {
    const contact = await getContact(tx, project_id, contact_id)
    if (contact.global_status !== 'bounced')
      throw invalidState('Only a bounced contact can be reset.', contact.global_status)
    const suppression = await findSuppression(tx, project_id, contact.email)
    if (suppression?.reason === 'hard_bounce') await liftSuppression(tx, { project_id, email: contact.email, now })
    await tx.run(
      sql`UPDATE contacts SET global_status = ${(await hadLeft(tx, contact_id)) ? 'unsubscribed' : statusWithoutBounce(contact)}, opted_out = 0, updated_at = ${now} WHERE id = ${contact_id}`,
    )
    return { contact: toContact(await getContact(tx, project_id, contact_id)) }
  },
})

/** A bounce is no way around an opt-out either. */
async function hadLeft(tx: Tx, contact_id: number): Promise<boolean> {
  return (await tx.all(sql`SELECT 1 FROM contacts WHERE id = ${contact_id} AND opted_out`)).length > 0
}

/** Whoever has confirmed nothing yet goes on waiting: a bounce is no way around a confirmation. */
function statusWithoutBounce({ memberships }: ContactRow): GlobalStatus {
  const has = (status: string) => memberships.some((membership) => membership.status === status)
  return has('pending') && !has('subscribed') ? 'pending' : 'subscribed'
}
