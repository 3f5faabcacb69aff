import { createTour, type Tour } from '../support/tour.ts'
import type { Person } from '../support/tour-requests.ts'
import type { World } from '../support/world.ts'

/** A tour of what belongs to the sending of letters. Its calls need no sentences. */
export interface SendingTour extends Omit<Tour, 'call' | 'pages'> {
  call(...call: After<Parameters<Tour['call']>>): Promise<any>
  pages(...call: After<Parameters<Tour['pages']>>): Promise<void>
  /** Calls a route of the dashboard for the project as a user, a second later. */
  route(person: Person, path: string, body?: Record<string, unknown>): Promise<any>
}

/** What comes after the sentence. */
type After<Parts extends unknown[]> = Parts extends [sentence: string, ...rest: infer Rest] ? Rest : never

export function tourOfSending(world: World): SendingTour {
  const tour = createTour(world, TABLES)
  return {
    ...tour,
    call: (...call) => tour.call('', ...call),
    pages: (...call) => tour.pages('', ...call),
    route(person, path, body = {}) {
      world.clock.advance(1000)
      return tour.ask('', person, `POST ${path}`, { project_id: world.project.public_id, ...body })
    },
  }
}

const TABLES = [
  ...['newsletter_settings', 'connections', 'dkim_keys', 'templates', 'campaigns', 'campaign_links', 'deliveries'],
  ...['events', 'contacts', 'memberships', 'consents', 'suppressions', 'soft_bounces', 'provider_events'],
  ...['send_buckets', 'sending_hours', 'delivery_days', 'message_requests', 'jobs'],
]
