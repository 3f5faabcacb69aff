import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { mutate } from '../../api/calls.ts'
import type { Tag } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import type { Query } from '../../api/query.ts'
import { packRules } from '../../rules/address.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { day } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { DeleteInUse } from '../people/delete-in-use.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

/** With at least this many tags there is a search field. */
const MANY = 12

/** The tags of a project. */
export function TagsCard({ tags }: { tags: Query<readonly Tag[]> }) {
  const [editing, edit] = useState<Tag | 'new' | null>(null)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const rows = tags.data?.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? null
  const columns: Column<Tag>[] = [
    { id: 'name', head: 'Name', card: 'title', cell: (tag) => <Name tag={tag} /> },
    { id: 'since', head: 'Since', tight: true, card: 'hidden', cell: ({ created_at }) => day(created_at) },
    {
      id: 'menu',
      head: <span class="visually-hidden">Actions</span>,
      align: 'end',
      cell: (tag) => <TagMenu tag={tag} onEdit={() => edit(tag)} />,
    },
  ]
  const newTag = can('editor') && (
    <Button icon="plus" onClick={() => edit('new')}>
      New tag
    </Button>
  )
  return (
    <Card title="Tags" actions={(tags.data?.length ?? 0) > 0 && newTag} flush>
      {tags.error && !tags.data ? (
        <ErrorNote title="Tags could not be loaded." error={tags.error} retry={tags.reload} />
      ) : (
        <>
          {(tags.data?.length ?? 0) >= MANY && (
            <div class="card-search">
              <SearchField
                label="Search tags"
                label_hidden
                placeholder="Search tags"
                value={search}
                onInput={setSearch}
              />
            </div>
          )}
          <Table
            caption="Tags"
            columns={columns}
            rows={rows}
            row_key={({ id }) => String(id)}
            busy={tags.busy}
            empty={
              wanted === '' ? (
                <Empty sentence="A tag is a label that only you see: customer, press, met in Bergen." action={newTag} />
              ) : (
                <Empty
                  sentence="No tag matches."
                  action={<Button onClick={() => setSearch('')}>Clear the search</Button>}
                />
              )
            }
          />
        </>
      )}
      {editing && <TagDialog tag={editing === 'new' ? null : editing} onClose={() => edit(null)} />}
    </Card>
  )
}

function tagHref(id: number): string {
  return link('/contacts', { filter: packRules({ op: 'and', rules: [{ field: 'tag', operator: 'in', value: [id] }] }) })
}

function Name({ tag: { id, name, color } }: { tag: Tag }) {
  return (
    <span class="tag-name">
      <span class="tag-color" style={color === '' ? undefined : `background:${color}`} aria-hidden="true" />
      <a class="table-link" href={tagHref(id)}>
        {name}
      </a>
    </span>
  )
}

function TagMenu({ tag, onEdit }: { tag: Tag; onEdit: () => void }) {
  const [asking, ask] = useState(false)
  return (
    <>
      <Menu
        icon="more"
        small
        label={`More to do with ${tag.name}`}
        items={[
          { label: 'See these people', icon: 'users', href: tagHref(tag.id) },
          can('editor') && { label: 'Change…', icon: 'pencil', onSelect: onEdit },
          can('editor') && 'line',
          can('editor') && { label: 'Delete…', icon: 'trash', danger: true, onSelect: () => ask(true) },
        ]}
      />
      {asking && (
        <DeleteInUse
          title={`Delete the tag “${tag.name}”?`}
          verb="Delete 1 tag"
          sentence="It is taken off everybody who has it. Rules of segments that name it find nobody then."
          act={(key) => mutate('tags/delete', { tag_id: tag.id }, key)}
          done={`“${tag.name}” is deleted.`}
          onClose={() => ask(false)}
        />
      )}
    </>
  )
}

const FIRST_COLOR = '#0b5a6e'

function TagDialog({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const [name, setName] = useState(tag?.name ?? '')
  const [color, setColor] = useState(tag?.color ?? '')
  const options = {
    invalidates: ['tags/'],
    done: () => {
      toast({ text: `“${name.trim()}” is saved.`, tone: 'good' as const })
      onClose()
    },
  }
  const create = useMutation('tags/create', options)
  const update = useMutation('tags/update', options)
  const { busy, error } = tag === null ? create : update
  const submit = () => {
    if (tag === null) void create.run({ name, color })
    else void update.run({ tag_id: tag.id, name, color })
  }
  return (
    <FormDialog
      title={tag === null ? 'New tag' : `Change “${tag.name}”`}
      verb={tag === null ? 'Make the tag' : 'Save'}
      busy={busy}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxlength={100}
        autocomplete="off"
        value={name}
        onInput={setName}
        flaw={error?.flawOf('/name')}
      />
      <Checkbox label="With a color" checked={color !== ''} onChange={(on) => setColor(on ? FIRST_COLOR : '')} />
      {color !== '' && (
        <TextField label="Color" type="color" value={color} onInput={setColor} flaw={error?.flawOf('/color')} />
      )}
    </FormDialog>
  )
}
