import type { CustomField } from '../../api/operations.d.ts'
import { day, number } from '../../ui/format.ts'

/** The value of a custom field in readable form. */
export function fieldText(value: string | number | boolean | undefined, { type }: CustomField): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return number(value)
  return type === 'date' ? day(value, 'UTC') : value
}
