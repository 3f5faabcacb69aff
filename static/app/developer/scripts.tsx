import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAction } from '../api/action.ts'
import { sendOnce } from '../api/calls.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { CopyButton } from '../ui/code.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { bytes, dateTime } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { APPS, type Script, useScripts } from '../app-review/app-data.ts'
import { AppFrame } from './app-frame.tsx'
import { TestProjects } from './test-projects.tsx'

export const TYPES: readonly Script['type'][] = ['Essential', 'Functional', 'Analytics', 'Advertising']
export const PLACEMENTS: readonly Script['placement'][] = ['HTML Head', 'HTML Body start', 'HTML Body end']
const MAX_NAME = 25

/** The drafts of an app's scripts. Sites get those of the approved version. */
export default function Scripts({ params }: PageProps) {
  const id = params.id!
  const [isNew, setNew] = useState(false)
  const begin = (
    <Button kind="primary" icon="plus" main onClick={() => setNew(true)}>
      New script
    </Button>
  )
  return (
    <AppFrame id={id} tab="scripts" primary={begin}>
      {() => (
        <>
          <List id={id} begin={begin} />
          <TestProjects id={id} />
          {isNew && <NewScript id={id} onClose={() => setNew(false)} />}
        </>
      )}
    </AppFrame>
  )
}

function List({ id, begin }: { id: string; begin: preact.ComponentChildren }) {
  const { data, error, busy, reload } = useScripts(id)
  if (error) return <ErrorNote title="Scripts could not be loaded." error={error} retry={reload} />
  return (
    <Table
      caption="Scripts"
      rows={data?.scripts ?? null}
      busy={busy}
      row_key={(script) => String(script.id)}
      row_href={(script) => link(`/apps/${id}/scripts/${script.id}`)}
      columns={COLUMNS}
      empty={<Empty sentence="A script is code that site owners let onto their pages." action={begin} />}
    />
  )
}

const COLUMNS: readonly Column<Script>[] = [
  { id: 'name', head: 'Script', card: 'title', cell: ({ name }) => name },
  {
    id: 'id',
    head: 'Id',
    card: 'line',
    cell: ({ id, name }) => (
      <span class="row">
        <code>{id}</code> <CopyButton label={`Copy ID of ${name}`} text={String(id)} />
      </span>
    ),
  },
  { id: 'type', head: 'Type', card: 'line', cell: ({ type }) => <StatusBadge>{type}</StatusBadge> },
  { id: 'placement', head: 'Placement', card: 'line', cell: ({ placement }) => placement },
  { id: 'size', head: 'Size', align: 'end', card: 'line', cell: ({ code }) => bytes(new Blob([code]).size) },
  { id: 'at', head: 'Changed', card: 'line', tight: true, cell: ({ last_update }) => dateTime(last_update) },
]

function NewScript({ id, onClose }: { id: string; onClose(): void }) {
  const { route } = useLocation()
  const [name, setName] = useState('')
  const [type, setType] = useState<Script['type']>('Functional')
  const [placement, setPlacement] = useState<Script['placement']>('HTML Body end')
  const make = useAction(
    () =>
      sendOnce(
        'POST /user/developer/apps/:id/scripts',
        { name, type, placement, code: '<script>\n  // {{greeting}}\n</script>\n', parameters: { greeting: 'Hello' } },
        { params: { id } },
      ),
    { invalidates: [`${APPS}/${id}/scripts`], done: ({ script }) => route(link(`/apps/${id}/scripts/${script.id}`)) },
  )
  return (
    <FormDialog
      title="New script"
      verb="Make the script"
      busy={make.busy}
      error={make.error}
      missing={name.trim() === '' ? 'Write a name first.' : null}
      onSubmit={() => void make.run(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        flaw={make.error?.flawOf('/name')}
        hint={`At most ${MAX_NAME} characters.`}
        maxlength={MAX_NAME}
        value={name}
        onInput={setName}
      />
      <Select
        label="Type"
        hint="Visitors who were asked decide by it."
        value={type}
        onInput={(value) => setType(value as Script['type'])}
        options={TYPES.map((value) => ({ value, label: value }))}
      />
      <Select
        label="Placement"
        value={placement}
        onInput={(value) => setPlacement(value as Script['placement'])}
        options={PLACEMENTS.map((value) => ({ value, label: value }))}
      />
    </FormDialog>
  )
}
