import { mutate } from '../../api/calls.ts'
import { invalidate } from '../../api/query.ts'
import { MultiCombobox, type Option } from '../../ui/combobox.tsx'

export interface TagChoiceProps {
  tags: readonly { id: number; name: string }[]
  value: readonly number[]
  /** Whether tags that do not exist can be created. */
  create: boolean
  onChange: (ids: number[]) => void
  label?: string
  label_hidden?: boolean
  optional?: boolean
}

/** Chooses tags, and creates those that are missing. */
export function TagChoice({ tags, value, create, onChange, label = 'Tags', label_hidden, optional }: TagChoiceProps) {
  return (
    <MultiCombobox
      label={label}
      label_hidden={label_hidden}
      optional={optional}
      options={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
      create={create ? createTag : undefined}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
    />
  )
}

async function createTag(name: string): Promise<Option> {
  const { tag } = await mutate('tags/create', { name })
  invalidate('tags/')
  return { value: String(tag.id), label: tag.name }
}
