import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { mutate } from '../../api/calls.ts'
import type { Segment } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import { packRules } from '../../rules/address.ts'
import { useEvery } from '../../rules/every.ts'
import { link } from '../../api/link.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { DeleteInUse } from '../people/delete-in-use.tsx'

interface SegmentMenuProps {
  segment: Segment
  onDeleted?: () => void
}

/** The actions on a segment other than changing its rules. */
export function SegmentMenu({ segment, onDeleted }: SegmentMenuProps) {
  const { route } = useLocation()
  const [asking, ask] = useState<'tag' | 'delete' | null>(null)
  const filter = packRules(segment.rules)
  return (
    <>
      <Menu
        icon="more"
        small
        label={`More to do with ${segment.name}`}
        items={[
          { label: 'See these people', icon: 'users', href: link('/contacts', { filter }) },
          can('editor') && {
            label: 'Duplicate',
            icon: 'copy',
            onSelect: () => route(link('/segments/new', { filter, name: `${segment.name} (copy)` })),
          },
          can('editor') && { label: 'Tag who is in it now…', icon: 'tag', onSelect: () => ask('tag') },
          can('editor') && 'line',
          can('editor') && { label: 'Delete…', icon: 'trash', danger: true, onSelect: () => ask('delete') },
        ]}
      />
      {asking === 'tag' && <TagDialog segment={segment} onClose={() => ask(null)} />}
      {asking === 'delete' && (
        <DeleteInUse
          title={`Delete the segment “${segment.name}”?`}
          verb="Delete 1 segment"
          sentence="The people in it stay. Only the question is deleted."
          act={(key) => mutate('segments/delete', { segment_id: segment.id }, key)}
          done={`“${segment.name}” is deleted.`}
          after={onDeleted}
          onClose={() => ask(null)}
        />
      )}
    </>
  )
}

function TagDialog({ segment, onClose }: { segment: Segment; onClose: () => void }) {
  const tags = useEvery('tags/list', {}).data ?? []
  const [chosen, choose] = useState<string | null>(null)
  const [made, make] = useState<string | null>(null)
  const tag = useMutation('segments/materialize', {
    invalidates: ['jobs/', 'tags/'],
    done: () => {
      toast({ text: `Tagging who is in “${segment.name}” has begun. You can leave this page.` })
      onClose()
    },
  })
  const submit = () =>
    void tag.run({
      segment_id: segment.id,
      ...(made !== null && chosen === NEW ? { tag_name: made } : { tag_id: Number(chosen) }),
    })
  return (
    <FormDialog
      title={`Tag who is in “${segment.name}” now`}
      verb="Tag them"
      busy={tag.busy}
      error={tag.error}
      missing={chosen === null ? 'Choose a tag first.' : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <Combobox
        label="Tag"
        required
        hint="Whoever joins the segment later does not get the tag by itself."
        options={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosen}
        chosen={made === null ? null : { value: NEW, label: made }}
        onChange={choose}
        create={(name) => {
          make(name)
          return { value: NEW, label: name }
        }}
      />
    </FormDialog>
  )
}

/** The option for a tag that the job creates. */
const NEW = 'new'
