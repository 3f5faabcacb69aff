import type { ResponseOf } from '../../api/calls.ts'

/** The history of a contact: consents and events in one list. */

export type ContactAnswer = ResponseOf<'contacts/get'>
export type Consent = ContactAnswer['consents'][number]
export type Activity = ContactAnswer['activity'][number]

/** A consent for one or more lists, with its confirmation. */
export interface ConsentDocument {
  kind: 'consent'
  id: string
  at: string
  given: Consent
  list_ids: (number | null)[]
  confirmed: Consent | null
}
interface ActivityEntry {
  kind: 'activity'
  id: string
  at: string
  event: Activity
}
export type Entry = ConsentDocument | ActivityEntry

export type Show = 'all' | 'consent' | 'messages' | 'engagement' | 'lists'

const MESSAGES: ReadonlySet<string> = new Set([
  'sent',
  'failed',
  'uncertain',
  'bounce',
  'complaint',
  'skipped',
  'confirmation_sent',
])
const ENGAGEMENT: ReadonlySet<string> = new Set(['open', 'click'])
/** Events that a consent shows in more detail; they are left out beside it. */
const TOLD_BY_CONSENT: ReadonlySet<string> = new Set([
  'subscribed',
  'resubscribed',
  'confirmed',
  'unsubscribe',
  'left_list',
])

/** The entries of one kind, newest first. */
export function historyOf(consents: readonly Consent[], activity: readonly Activity[], show: Show): Entry[] {
  const documents = show === 'all' || show === 'consent' ? consentDocuments(consents) : []
  const told = new Set(consents.map(({ at }) => at))
  const events = activity.filter((event) => {
    if (show === 'all') return !(TOLD_BY_CONSENT.has(event.type) && told.has(event.at))
    return kindOf(event) === show
  })
  const entries: Entry[] = [
    ...documents,
    ...events.map((event): ActivityEntry => ({ kind: 'activity', id: `a${event.id}`, at: event.at, event })),
  ]
  return entries.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function kindOf({ type }: Activity): Exclude<Show, 'all' | 'consent'> {
  if (MESSAGES.has(type)) return 'messages'
  return ENGAGEMENT.has(type) ? 'engagement' : 'lists'
}

/** Consents are newest first, so a confirmation comes before the consent that it confirms. */
function consentDocuments(consents: readonly Consent[]): ConsentDocument[] {
  const documents: ConsentDocument[] = []
  const waiting = new Map<number | null, Consent>()
  for (const consent of consents) {
    if (consent.action === 'confirmed' && hasGiven(consents, consent)) {
      waiting.set(consent.list_id, consent)
      continue
    }
    const confirmed = consent.action === 'given' ? (waiting.get(consent.list_id) ?? null) : null
    waiting.delete(consent.list_id)
    const same = documents.at(-1)
    if (same && isSame(same, consent, confirmed)) same.list_ids.push(consent.list_id)
    else {
      const { id, at, list_id } = consent
      documents.push({ kind: 'consent', id: `c${id}`, at, given: consent, list_ids: [list_id], confirmed })
    }
  }
  return documents
}

function hasGiven(consents: readonly Consent[], { id, list_id }: Consent): boolean {
  return consents.some((other) => other.action === 'given' && other.list_id === list_id && other.id < id)
}

/** Whether two rows are one consent: the same wording at the same moment. */
function isSame({ given, confirmed }: ConsentDocument, other: Consent, otherConfirmed: Consent | null): boolean {
  return (
    given.at === other.at &&
    given.action === other.action &&
    given.text === other.text &&
    given.source === other.source &&
    confirmed?.at === otherConfirmed?.at
  )
}
