import { useMutation } from '../../api/action.ts'
import type { Contact, Tag } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import { Card } from '../../ui/card.tsx'
import { StatusBadge } from '../../ui/state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { keepContact } from './keep-contact.ts'
import { later } from '../../later.tsx'
import type { TagChoiceProps } from '../people/tag-choice.tsx'

const TagChoice = later<TagChoiceProps>(async () => (await import('../people/tag-choice.tsx')).TagChoice)

/** The tags of a contact. */
export function Tags({ contact, tags }: { contact: Contact; tags: readonly Tag[] }) {
  const change = useMutation('contacts/tags', {
    invalidates: ['contacts/'],
    done: (answer) => keepContact(answer.contact),
  })
  const { tag_ids } = contact
  const set = (next: readonly number[]) => {
    const add = next.filter((id) => !tag_ids.includes(id))
    const remove = tag_ids.filter((id) => !next.includes(id))
    void change.run({ contact_id: contact.id, ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) })
  }
  return (
    <Card title="Tags">
      {can('editor') ? (
        <div class="stack stack-tight">
          {change.error && <ErrorNote error={change.error} />}
          <TagChoice label="Tags" label_hidden tags={tags} value={tag_ids} create onChange={set} />
        </div>
      ) : tag_ids.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <p class="row">
          {tag_ids.map((id) => (
            <StatusBadge key={id}>{tags.find((tag) => tag.id === id)?.name}</StatusBadge>
          ))}
        </p>
      )}
    </Card>
  )
}
