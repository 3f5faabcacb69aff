import { useState } from 'preact/hooks'
import type { CustomField } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import { useEvery } from '../../rules/every.ts'
import { rulesOf } from '../../rules/tree.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DeleteField } from './delete-field.tsx'
import { FieldDialog, TYPES } from './field-dialog.tsx'

/** The custom fields of a project. */
export default function Fields() {
  const fields = useEvery('custom-fields/list', {})
  const segments = useEvery('segments/list', {}).data ?? []
  const [editing, edit] = useState<CustomField | 'new' | null>(null)
  const [deleting, remove] = useState<CustomField | null>(null)
  const isEditor = can('editor')
  const usersOf = ({ key }: CustomField) =>
    segments.filter(({ rules }) => rulesOf(rules).some(({ field }) => field === `custom.${key}`))
  const columns: Column<CustomField>[] = [
    { id: 'label', head: 'Name', card: 'title', cell: ({ label }) => <span class="cell-name">{label}</span> },
    { id: 'type', head: 'Type', cell: (field) => <TypeCell field={field} /> },
    { id: 'key', head: 'In letters and calls', cell: ({ key }) => <code>{`contact.${key}`}</code> },
    {
      id: 'used',
      head: 'Used by',
      cell: (field) => (
        <>
          {usersOf(field).map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <a href={link(`/segments/${id}`)}>{name}</a>
            </span>
          ))}
        </>
      ),
    },
  ]
  if (isEditor)
    columns.push({
      id: 'menu',
      head: <span class="visually-hidden">Actions</span>,
      align: 'end',
      cell: (field) => (
        <Menu
          icon="more"
          small
          label={`More to do with ${field.label}`}
          items={[
            { label: 'Change…', icon: 'pencil', onSelect: () => edit(field) },
            'line',
            { label: 'Delete…', icon: 'trash', danger: true, onSelect: () => remove(field) },
          ]}
        />
      ),
    })
  return (
    <>
      <PageHead
        title="Fields"
        lead={
          isEditor
            ? 'What you know of people beside their name: for segments, and to say it in a letter.'
            : whoMay('Changing fields', 'editor')
        }
        primary={
          isEditor && (
            <Button main kind="primary" icon="plus" onClick={() => edit('new')}>
              New field
            </Button>
          )
        }
      />
      {fields.error && !fields.data ? (
        <ErrorNote title="Fields could not be loaded." error={fields.error} retry={fields.reload} />
      ) : (
        <Table
          caption="Fields"
          columns={columns}
          rows={fields.data ?? null}
          row_key={({ id }) => String(id)}
          busy={fields.busy}
          empty={
            <Empty
              sentence="A field is something that you know of people: their country, their birthday, how many boats they have."
              action={
                isEditor && (
                  <Button kind="primary" icon="plus" onClick={() => edit('new')}>
                    New field
                  </Button>
                )
              }
            />
          }
        />
      )}
      {editing && <FieldDialog field={editing === 'new' ? null : editing} onClose={() => edit(null)} />}
      {deleting && <DeleteField field={deleting} users={usersOf(deleting)} onClose={() => remove(null)} />}
    </>
  )
}

function TypeCell({ field: { type, options } }: { field: CustomField }) {
  const word = TYPES.find(({ value }) => value === type)!.label
  return (
    <>
      {word}
      {options && <span class="cell-note">{options.join(', ')}</span>}
    </>
  )
}
