import { day } from '../../ui/format.ts'
import type { ContactAnswer } from './history.ts'

type Suppression = NonNullable<ContactAnswer['suppression']>

export const REASONS: Readonly<Record<Suppression['reason'], string>> = {
  hard_bounce: 'hard bounce',
  complaint: 'complaint',
  unsubscribe: 'opted out',
  manual: 'by hand',
}

/** The subscription status of a contact, as a state and a sentence. */
export function standingOf({ contact, suppression }: Pick<ContactAnswer, 'contact' | 'suppression'>) {
  if (suppression) {
    const { reason, created_at } = suppression
    const sentence = `Suppressed: ${REASONS[reason]} on ${day(created_at)}. Mail to this address is never sent.`
    return { state: 'suppressed', sentence }
  }
  const { global_status, consent_at, created_at } = contact
  const sentences: Record<typeof global_status, string> = {
    subscribed: `Subscribed since ${day(consent_at ?? created_at)}.`,
    pending: 'Waits for a confirmation. No campaign is sent before that.',
    unsubscribed: 'Opted out of everything.',
    bounced: 'Mail to this address bounced.',
    complained: 'Reported a message as spam.',
  }
  return { state: global_status, sentence: sentences[global_status] }
}

/** Whether deleting the contact leaves a suppression. */
export function leavesSuppression({
  contact: { global_status },
  suppression,
}: Pick<ContactAnswer, 'contact' | 'suppression'>) {
  return suppression !== null || ['unsubscribed', 'bounced', 'complained'].includes(global_status)
}

/** Whether the contact can be subscribed: not after an opt-out, and not while the address is suppressed. */
export function canJoin({ contact: { global_status }, suppression }: Pick<ContactAnswer, 'contact' | 'suppression'>) {
  return suppression === null && (global_status === 'subscribed' || global_status === 'pending')
}
