import { NO_TEXTS } from '../../src/shared/contact-fields.ts'
import type { ResponseOf } from '../../static/app/api/calls.ts'
import type {
  Campaign,
  CampaignCounts,
  Contact,
  CustomField,
  List,
  Segment,
  Tag,
} from '../../static/app/api/operations.d.ts'

/** Things as the service answers them, each with what a test says of it. */

export const AT = '2026-05-03T12:00:00.000Z'
const times = { created_at: AT, updated_at: AT }

export function contact(more: Partial<Contact> = {}): Contact {
  return {
    ...NO_TEXTS,
    ...{ id: 7, email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper', full_name: 'Grace Hopper' },
    ...{ global_status: 'subscribed', custom_fields: {}, lists: [], tag_ids: [] },
    ...{ consent_text: 'Yes.', consent_source: 'signup', consent_at: AT },
    ...times,
    ...more,
  }
}

export function list(id: number, name: string, more: Partial<List> = {}): List {
  return { id, name, description: '', double_opt_in: false, public: true, archived: false, ...times, ...more }
}

export function tag(id: number, name: string): Tag {
  return { id, name, color: '#0b5a6e', ...times }
}

export function field(key: string, label: string, more: Partial<CustomField> = {}): CustomField {
  return { id: 1, key, label, type: 'text', options: null, ...times, ...more }
}

export function segment(id: number, name: string, more: Partial<Segment> = {}): Segment {
  return { id, name, rules: { op: 'and', rules: [] }, ...times, ...more }
}

type Listed = ResponseOf<'connections/list'>['items'][number]

/** A tested connection to a server of one's own. */
export function connection(more: Partial<Listed> = {}): Listed {
  return {
    ...{ id: 1, name: 'Relay', provider: 'smtp', host: 'relay.example', port: 587, secure: 'starttls' },
    ...{ username: 'ada', password_set: true, from_domain: 'a.example', max_per_second: null, max_per_day: null },
    ...{ max_connections: 5, mailbox_limits: null, message_stream: '', warm_up: false, bounce_domain: '' },
    ...{ webhook_secret_set: false, webhook_topic: null, dkim_selector: '', dns: null, dkim_keys: [] },
    ...{ verified_at: AT, last_error: null },
    ...times,
    ...more,
  }
}

/** A draft that goes to one list. */
export function campaign(more: Partial<Campaign & { tests: object[] }> = {}): Campaign {
  return {
    ...{ id: 5, name: 'May', subject: 'High water', preheader: 'At noon', template_id: null, connection_id: null },
    audience_spec: { include: [{ type: 'list', id: 1 }] },
    ...{ from_name: '', from_email: '', reply_to: '', track_opens: true, track_clicks: true },
    ...{ utm_source: '', utm_medium: '', utm_campaign: '', status: 'draft', scheduled_at: null, timezone: null },
    ...{ started_at: null, finished_at: null, failure: null },
    editor_json: { blocks: [] } as unknown as Campaign['editor_json'],
    ...{ tests: [] },
    ...times,
    ...more,
  }
}

/** Numbers of a campaign that reached everybody. */
export function counts(more: Partial<CampaignCounts> = {}): CampaignCounts {
  const { sent = 1_200, in_sandbox = 0, bounces = { hard: 0, soft: 0 } } = more
  return {
    ...{ recipients: 1_200, sent, in_sandbox, reached: sent - in_sandbox - bounces.hard - bounces.soft },
    ...{ failed: 0, skipped: 0, queued: 0, uncertain: 0, cancelled: 0 },
    ...{ opens: 900, unique_opens: 600, clicks: 90, unique_clicks: 60, machine_opens: 0, machine_clicks: 0 },
    ...{ unsubscribes: 0, bounces, complaints: 0 },
    ...more,
  }
}

/** A page of a list that is the last one. */
export function page<T>(...items: T[]): { items: T[]; next_cursor: null } {
  return { items, next_cursor: null }
}
