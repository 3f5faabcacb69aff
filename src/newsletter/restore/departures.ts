import { sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import { emailKey } from '../../address.ts'
import { hasRows } from '../../store/rows.ts'
import { unsubscribeAll, unsubscribeFromLists } from '../consent/unsubscribe.ts'
import { suppressMany } from '../suppressions/suppress-many.ts'
import { addSuppressions, suppressAddresses } from '../suppressions/suppression.ts'
import type { Departure } from '../facts.ts'
import type { Replayed } from './people.ts'

/**
 * Applies unsubscriptions and suppressions from after the backup again. Returns the hashes of the addresses for which
 * the database changed.
 */
export async function replayDepartures(tx: Tx, project: Replayed, departures: readonly Departure[]): Promise<string[]> {
  const replayed: string[] = []
  for (const departure of departures) if (await replayOne(tx, project, departure)) replayed.push(departure.mark)
  return replayed
}

async function replayOne(tx: Tx, { id: project_id, people }: Replayed, departure: Departure): Promise<boolean> {
  const { at, mark } = departure
  const contact = people.find('contact_id' in departure ? departure.contact_id : null, mark)
  const isOptOut = departure.what === 'left' || departure.reason === 'unsubscribe'
  const list_id = departure.what === 'left' ? departure.list_id : null
  if (isOptOut && contact && (await cameBack(tx, { contact_id: contact.id, list_id, at }))) return false
  if (departure.what === 'left' && contact) {
    const act = { now: at, source: 'restore' }
    if (list_id === null) await unsubscribeAll(tx, [contact], act)
    else await unsubscribeFromLists(tx, [contact], [list_id], act)
    return true
  }
  if (departure.what === 'left' && list_id !== null) return false
  const { reason, opted_out } =
    departure.what === 'suppressed' ? departure : { reason: 'unsubscribe' as const, opted_out: true }
  if (contact) {
    await suppressAddresses(tx, project_id, [{ email: contact.email, reason, opted_out }], at)
    await suppressMany(tx, project_id, [{ email: contact.email, reason }], at)
  }
  // An address without a contact in the backup may be added again, so it stays suppressed.
  else {
    const email = people.suppressed(mark)
    const address = email === null ? { email: '', email_key: mark } : { email, email_key: emailKey(email) }
    await addSuppressions(tx, project_id, [{ ...address, reason, opted_out }], at)
  }
  return true
}

/** Whether the backup holds a consent that is later than this unsubscription or suppression. */
async function cameBack(
  tx: Tx,
  { contact_id, list_id, at }: { contact_id: number; list_id: number | null; at: number },
): Promise<boolean> {
  return hasRows(
    await tx.all(sql`
      SELECT 1 FROM consents WHERE contact_id = ${contact_id} AND action IN ('given', 'confirmed') AND at > ${at}
      AND (list_id IS NULL OR ${list_id} IS NULL OR list_id = ${list_id}) LIMIT 1`),
  )
}
