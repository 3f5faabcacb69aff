import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { mutate } from '../../api/calls.ts'
import type { List } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { count } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { DeleteInUse } from '../people/delete-in-use.tsx'
import { LettersDialog } from './letters-dialog.tsx'
import { ListDialog } from './list-dialog.tsx'

/** The actions on a list. */
export function ListMenu({ list, people }: { list: List; people: number | undefined }) {
  const [asking, ask] = useState<'edit' | 'letters' | 'delete' | null>(null)
  const update = useMutation('lists/update', { invalidates: ['lists/', 'contacts/stats', 'overview'] })
  const archive = async (archived: boolean) => {
    if (!(await update.run({ list_id: list.id, archived }))) return
    toast({
      text: archived ? `“${list.name}” is archived: it is hidden, and its members stay.` : `“${list.name}” is back.`,
      undo: () => void update.run({ list_id: list.id, archived: !archived }),
    })
  }
  const isEditor = can('editor')
  return (
    <>
      <Menu
        icon="more"
        small
        label={`More to do with ${list.name}`}
        items={[
          { label: 'Sign-up form', icon: 'code', href: link(`/lists/${list.id}/form`) },
          { label: 'Sent letters…', icon: 'eye', onSelect: () => ask('letters') },
          isEditor && { label: 'Change…', icon: 'pencil', onSelect: () => ask('edit') },
          isEditor &&
            (list.archived
              ? { label: 'Bring back', icon: 'undo', onSelect: () => void archive(false) }
              : { label: 'Archive', icon: 'layers', onSelect: () => void archive(true) }),
          isEditor && 'line',
          isEditor && {
            label: 'Delete…',
            icon: 'trash',
            danger: true,
            disabled_reason: !can('administrator') && whoMay('Deleting a list', 'administrator'),
            onSelect: () => ask('delete'),
          },
        ]}
      />
      {asking === 'edit' && <ListDialog list={list} onClose={() => ask(null)} />}
      {asking === 'letters' && <LettersDialog list={list} onClose={() => ask(null)} />}
      {asking === 'delete' && (
        <DeleteInUse
          title={`Delete the list “${list.name}”?`}
          verb="Delete 1 list"
          sentence={`${people === undefined ? 'Everybody' : count(people, 'person', 'people')} on it will be on it no more. They stay contacts, and the words that they agreed to stay with them. This cannot be undone; archiving can.`}
          act={(key) => mutate('lists/delete', { list_id: list.id }, key)}
          done={`“${list.name}” is deleted.`}
          onClose={() => ask(null)}
        />
      )}
    </>
  )
}
