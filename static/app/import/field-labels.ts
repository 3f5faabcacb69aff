import { CONTACT_FIELDS } from '../../../src/shared/contact-fields.ts'

/** What a column of a file may be, besides a custom field. */
export const FIELDS: readonly (readonly [value: string, label: string])[] = [
  ['email', 'Address'],
  ...CONTACT_FIELDS.map(({ name, label }) => [name, label] as const),
  ['full_name', 'Whole name'],
  ['tags', 'Tags'],
  ['lists', 'Lists'],
  ['status', 'Status'],
  ['opted_out', 'Has left'],
  ['bounced', 'Has bounced'],
  ['complained', 'Has complained'],
  ['consent_at', 'Time of the consent'],
  ['consent_text', 'Words of the consent'],
  ['consent_ip', 'Network address of the consent'],
  ['consent_source', 'Source of the consent'],
]

/** The label of a field; the key of a custom one. */
export function fieldLabel(field: string): string {
  return FIELDS.find(([value]) => value === field)?.[1] ?? field.replace(/^custom\./, '')
}
