import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { RadioCards } from '../ui/choice.tsx'
import { Code } from '../ui/code.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { day } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { StateMark } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { type App, APPS, useReviews } from '../app-review/app-data.ts'

/** The apps of the person and of the teams they are in. */
export default function Apps() {
  const { data, error, busy, reload } = useQuery(`${APPS} list`, (signal) =>
    send('GET /user/developer/apps', {}, { signal }),
  )
  const reviews = useReviews().data?.review_requests
  const [isNew, setNew] = useState(false)
  // The changes that a reviewer asked for, until the team submits another version.
  const comment: Column<App> = {
    id: 'comment',
    head: 'The reviewer says',
    card: 'line',
    cell: ({ id }) => {
      const last = reviews?.find(({ app_id }) => app_id === id)
      return last?.status === 'changes_requested' || last?.status === 'rejected' ? (
        <a href={link(`/apps/${id}/versions`)}>{last.comment}</a>
      ) : null
    },
  }
  const begin = (
    <Button kind="primary" icon="plus" main onClick={() => setNew(true)}>
      New app
    </Button>
  )
  return (
    <>
      <PageHead title="Apps" lead="An app acts for site owners who let it in." primary={begin} />
      {error ? (
        <ErrorNote title="Apps could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Apps"
          rows={data?.apps ?? null}
          busy={busy}
          row_key={({ id }) => id}
          row_href={({ id }) => link(`/apps/${id}`)}
          columns={[...COLUMNS, comment]}
          empty={<Empty sentence="Make your first app: a name and an address are enough to begin." action={begin} />}
        />
      )}
      {isNew && <NewApp onClose={() => setNew(false)} />}
    </>
  )
}

const COLUMNS: readonly Column<App>[] = [
  { id: 'name', head: 'App', card: 'title', cell: ({ displayName }) => displayName },
  {
    id: 'state',
    head: 'State',
    card: 'line',
    tight: true,
    cell: ({ status, suspended_on }) => <StateMark state={suspended_on === null ? status : 'suspended'} />,
  },
  { id: 'client', head: 'Client id', card: 'line', cell: ({ client_id }) => <code class="address">{client_id}</code> },
  { id: 'made', head: 'Made', card: 'line', tight: true, cell: ({ created_on }) => day(created_on) },
]

type Made = RouteResponse<'POST /user/developer/apps'>

function NewApp({ onClose }: { onClose(): void }) {
  const { route } = useLocation()
  const [displayName, setName] = useState('')
  const [redirect, setRedirect] = useState('http://127.0.0.1:3000/callback')
  const [client_type, setType] = useState<'confidential' | 'public'>('confidential')
  const [made, setMade] = useState<Made | null>(null)
  const make = useAction(
    () =>
      sendOnce('POST /user/developer/apps', {
        displayName,
        redirect_uris: [redirect],
        scopes: ['newsletter:read'],
        client_type,
      }),
    {
      invalidates: [APPS],
      done: (answer) => (answer.client_secret === undefined ? route(link(`/apps/${answer.app.id}`)) : setMade(answer)),
    },
  )
  if (made)
    return (
      <Dialog
        stays
        title={`${made.app.displayName} is made`}
        onClose={() => route(link(`/apps/${made.app.id}`))}
        actions={
          <Button kind="primary" onClick={() => route(link(`/apps/${made.app.id}`))}>
            I have copied the secret
          </Button>
        }
      >
        <div class="stack">
          <p>The secret is shown this once. It can be replaced at any time.</p>
          <Code label="Client id" text={made.app.client_id} wrap />
          <Code label="Client secret" text={made.client_secret!} wrap />
        </div>
      </Dialog>
    )
  return (
    <FormDialog
      title="New app"
      verb="Make the app"
      busy={make.busy}
      error={make.error}
      missing={displayName.trim() === '' || redirect.trim() === '' ? 'Write a name and an address first.' : null}
      onSubmit={() => void make.run(undefined)}
      onClose={onClose}
    >
      <TextField label="Name" flaw={make.error?.flawOf('/displayName')} value={displayName} onInput={setName} />
      <TextField
        label="Redirect address"
        type="url"
        flaw={make.error?.flawIn('/redirect_uris')}
        hint="Where people are sent back after they have let the app in. More can be added."
        value={redirect}
        onInput={setRedirect}
      />
      <RadioCards
        legend="Where it runs"
        value={client_type}
        onChange={setType}
        options={[
          { value: 'confidential', label: 'On a server', hint: 'It can keep a secret.' },
          { value: 'public', label: 'In a browser or on a device', hint: 'It has no secret and must use PKCE.' },
        ]}
      />
    </FormDialog>
  )
}
