import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { type RouteRequest, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { DIRECTORY, type Item } from './content.ts'
import { fieldsOf, rowsOf } from './item-fields.ts'

type Fields = RouteRequest<'POST /project/directory/items/create'>['fields']

interface ItemDialogProps {
  /** Null: a new entry. */
  item: Item | null
  directory: string
  onClose: () => void
}

/** One entry of a directory, with any fields. */
export function ItemDialog({ item, directory, onClose }: ItemDialogProps) {
  const [name, setName] = useState(item?.directory ?? directory)
  const [title, setTitle] = useState(item?.title ?? '')
  const [slug, setSlug] = useState(item?.slug ?? '')
  const [rows, setRows] = useState(() => rowsOf(item?.fields ?? {}))
  const fields = fieldsOf(rows)
  const save = useAction(
    () => {
      const given = { project_id: projectId(), directory: name.trim(), title, fields: fields.value as Fields }
      const slugged = slug.trim() === '' ? given : { ...given, slug: slug.trim() }
      return item
        ? sendOnce('POST /project/directory/items/update', { ...slugged, item_id: item.id })
        : sendOnce('POST /project/directory/items/create', slugged)
    },
    {
      invalidates: [DIRECTORY],
      done: () => {
        toast({ text: `“${title}” is saved.`, tone: 'good' })
        onClose()
      },
    },
  )
  const change = (index: number, part: { name?: string; text?: string }) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <FormDialog
      title={item ? 'Change the entry' : 'New entry'}
      verb="Save the entry"
      busy={save.busy}
      error={save.error}
      missing={name.trim() === '' || title.trim() === '' ? 'Write the directory and the title first.' : fields.flaw}
      onSubmit={() => void save.run(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Directory"
        flaw={save.error?.flawOf('/directory')}
        required
        hint="The name of the list, such as Shops."
        maxlength={100}
        value={name}
        onInput={setName}
      />
      <TextField
        label="Title"
        flaw={save.error?.flawOf('/title')}
        required
        maxlength={300}
        value={title}
        onInput={setTitle}
      />
      <TextField
        label="Slug"
        flaw={save.error?.flawOf('/slug')}
        optional
        hint="For addresses; made from the title when it is left empty."
        dir="ltr"
        spellcheck={false}
        value={slug}
        onInput={setSlug}
      />
      {rows.map((row, index) => (
        <div class="item-field" key={index}>
          <TextField
            label={`Name of field ${index + 1}`}
            maxlength={100}
            value={row.name}
            onInput={(next) => change(index, { name: next })}
          />
          <TextField
            label={row.is_json ? 'Value, as JSON' : 'Value'}
            value={row.text}
            onInput={(text) => change(index, { text })}
          />
          <Button small kind="quiet" onClick={() => setRows(rows.filter((_, at) => at !== index))}>
            Remove<span class="visually-hidden"> field {index + 1}</span>
          </Button>
        </div>
      ))}
      <div class="row">
        <Button small icon="plus" onClick={() => setRows([...rows, { name: '', text: '', is_json: false }])}>
          Add a field
        </Button>
      </div>
    </FormDialog>
  )
}
