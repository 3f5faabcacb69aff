import { messageLines, textOf } from '../support/tour-messages.ts'
import { createTour, type Tour } from '../support/tour.ts'
import type { World } from '../support/world.ts'

/** A tour of what may happen to the people of a newsletter. */
export interface PeopleTour extends Tour {
  /** Delivers what is queued, and writes the messages by address, the first `whole` ones with their source. */
  messages(whole?: number): Promise<string[]>
}

export function tourOfPeople(world: World): PeopleTour {
  const tour = createTour(world, TABLES, (row, table) => (table === 'address_keys' ? { ...row, key: 'random' } : row))
  return {
    ...tour,
    async messages(whole = 0) {
      await world.service.drain('delivery')
      // They are handed over side by side.
      const messages = (await tour.received()).sort((one, other) => (one.to[0]! < other.to[0]! ? -1 : 1))
      tour.write(...messageLines(messages.slice(0, whole), 'whole'), ...messageLines(messages.slice(whole)))
      return messages.map(textOf)
    },
  }
}

const TABLES = [
  ...['lists', 'tags', 'custom_fields', 'segments', 'contacts', 'memberships', 'contact_tags', 'consent_wordings'],
  ...['consents', 'suppressions', 'sign_up_forms', 'newsletter_settings', 'events', 'message_requests', 'deliveries'],
  ...['jobs', 'erasures', 'soft_bounces', 'project_usage', 'address_keys'],
]
