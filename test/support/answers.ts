import type {
  Campaign,
  Connection,
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

/** A page of a list that is the last one. */
export function page<T>(...items: T[]): { items: T[]; next_cursor: null } {
  return { items, next_cursor: null }
}

export type { Campaign, Connection }
