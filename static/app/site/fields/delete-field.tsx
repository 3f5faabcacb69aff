import { mutate } from '../../api/calls.ts'
import type { CustomField, Segment } from '../../api/operations.d.ts'
import { useRead } from '../../api/query.ts'
import { count } from '../../ui/format.ts'
import { DeleteInUse } from '../people/delete-in-use.tsx'

interface DeleteFieldProps {
  field: CustomField
  users: readonly Segment[]
  onClose: () => void
}

/**
 * Asks for confirmation before a field and all its values are deleted. Shows how many values there are, and what uses
 * the field.
 */
export function DeleteField({ field, users, onClose }: DeleteFieldProps) {
  const { data } = useRead('segments/preview', { rules: hasValue(field) })
  const values = data ? count(data.count, 'value', 'values') : 'all its values'
  const named =
    users.length === 0
      ? ''
      : ` Rules in ${users.map(({ name }) => `“${name}”`).join(', ')} name it: they find nobody then.`
  return (
    <DeleteInUse
      title={`Delete the field “${field.label}”?`}
      verb={`Delete the field and ${values}`}
      sentence={`What contacts have in it is gone for good.${named} Letters that say it show nothing in its place.`}
      act={(key) => mutate('custom-fields/delete', { field_id: field.id }, key)}
      done={`“${field.label}” is deleted.`}
      onClose={onClose}
    />
  )
}

/** The rule for contacts with a value; for a yes-or-no field, with either of the two. */
function hasValue({ key, type }: CustomField) {
  const field = `custom.${key}`
  if (type !== 'boolean') return { op: 'and' as const, rules: [{ field, operator: 'is_set' as const }] }
  const rules = [true, false].map((value) => ({ field, operator: 'eq' as const, value }))
  return { op: 'or' as const, rules }
}
