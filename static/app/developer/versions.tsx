import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send } from '../api/calls.ts'
import { invalidate, useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { confirmed } from '../shell/confirm-identity.tsx'
import { link } from '../shell/place.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Empty } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { TextArea } from '../ui/field.tsx'
import { dateTime } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { StateMark, StatusBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { toast } from '../ui/toast.tsx'
import { type App, AppFrame, APPS } from './app-frame.tsx'

type Version = RouteResponse<'GET /user/developer/apps/:id/versions'>['versions'][number]

/** The versions of an app: what sites run, what waits for a review, and what was before. */
export default function Versions({ params }: PageProps) {
  const [isSubmitting, setSubmitting] = useState(false)
  return (
    <AppFrame
      id={params.id!}
      tab="versions"
      primary={
        <Button kind="primary" main onClick={() => setSubmitting(true)}>
          Submit for review…
        </Button>
      }
    >
      {(app) => (
        <>
          <List app={app} />
          {isSubmitting && <Submission app={app} onClose={() => setSubmitting(false)} />}
        </>
      )}
    </AppFrame>
  )
}

const nameOf = (id: string) => `${APPS}/${id}/versions`

function List({ app: { id } }: { app: App }) {
  const { data, error, busy, reload } = useQuery(nameOf(id), (signal) =>
    send('GET /user/developer/apps/:id/versions', {}, { params: { id }, signal }),
  )
  const reviews = useQuery('/user/review-requests own', (signal) =>
    send('GET /user/review-requests', {}, { query: { limit: 50 }, signal }),
  )
  const [restoring, setRestoring] = useState<Version | null>(null)
  const last = reviews.data?.review_requests.find(({ app_id }) => app_id === id)
  const rollBack: Column<Version> = {
    id: 'back',
    head: <span class="visually-hidden">Actions</span>,
    card: 'line',
    cell: (version) =>
      version.status === 'approved' &&
      !version.live && (
        <Button small onClick={() => setRestoring(version)}>
          Roll back to {version.number}…
        </Button>
      ),
  }
  if (error) return <ErrorNote title="Versions could not be loaded." error={error} retry={reload} />
  return (
    <>
      {last && last.comment !== '' && last.status !== 'approved' && (
        <Callout
          tone="wait"
          title={
            last.status === 'changes_requested'
              ? 'The reviewer asks for changes.'
              : 'The last version was not approved.'
          }
        >
          <p>{last.comment}</p>
        </Callout>
      )}
      <Table
        caption="Versions"
        rows={data?.versions.toSorted((a, b) => b.number - a.number) ?? null}
        busy={busy}
        row_key={(version) => String(version.id)}
        columns={[...COLUMNS, rollBack]}
        empty={<Empty sentence="Nothing was submitted yet. Sites get an app's scripts once a version is approved." />}
      />
      {restoring && (
        <ConfirmDialog
          title={`Roll back to version ${restoring.number}?`}
          verb={`Sites run version ${restoring.number}`}
          danger
          onClose={() => setRestoring(null)}
          onConfirm={async () => {
            const params = { id, versionId: restoring.id }
            await confirmed(() => send('POST /user/developer/apps/:id/versions/:versionId/rollback', {}, { params }))
            invalidate(APPS)
          }}
        >
          <p>Sites run version {restoring.number} again within seconds.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Version>[] = [
  {
    id: 'number',
    head: 'Version',
    card: 'title',
    cell: ({ number, live }) => (
      <>
        {number} {live && <StatusBadge tone="good">Sites run it</StatusBadge>}
      </>
    ),
  },
  { id: 'status', head: 'State', card: 'line', tight: true, cell: ({ status }) => <StateMark state={status} /> },
  { id: 'notes', head: 'Notes', card: 'line', cell: ({ notes }) => notes },
  { id: 'at', head: 'Made', card: 'line', tight: true, cell: ({ created_on }) => dateTime(created_on) },
]

/** What a reviewer looks for, and the notes that go with a version. */
function Submission({ app, onClose }: { app: App; onClose(): void }) {
  const { id } = app
  const [notes, setNotes] = useState('')
  const listing = useQuery(`${APPS}/${id}/listing`, (signal) =>
    send('GET /user/developer/apps/:id/listing', {}, { params: { id }, signal }),
  ).data?.listing
  const checks = [
    { ok: listing !== undefined && listing.icon_url !== '', text: 'An icon', href: link(`/apps/${id}/listing`) },
    {
      ok: listing !== undefined && listing.privacy_url !== '',
      text: 'The address of the privacy policy',
      href: link(`/apps/${id}/listing`),
    },
    {
      ok: app.scopes.every((scope) => (app.scope_reasons[scope] ?? '') !== ''),
      text: 'A reason for each permission',
      href: link(`/apps/${id}/permissions`),
    },
  ]
  const submit = useAction(
    async () => {
      const { version } = await send('POST /user/developer/apps/:id/versions', { notes }, { params: { id } })
      return send('POST /user/review-requests', { app_id: id, version_id: version.id })
    },
    {
      invalidates: [APPS, '/user/review-requests'],
      done: () => {
        toast({ text: 'Submitted. You get a message when it is decided.', tone: 'good' })
        onClose()
      },
    },
  )
  return (
    <Dialog
      title={`Submit ${app.displayName} for review`}
      onClose={onClose}
      actions={
        <>
          <Button kind="primary" busy={submit.busy} onClick={() => void submit.run(undefined)}>
            Submit 1 version
          </Button>
          <Button onClick={onClose}>Not yet</Button>
        </>
      }
    >
      <div class="stack">
        <FlawSummary title="Nothing was submitted." error={submit.error} />
        <Card title="What reviewers look for">
          <ul class="checks">
            {checks.map(({ ok, text, href }) => (
              <li key={text} class={`check-line tone-${ok ? 'good' : 'wait'}`}>
                <Icon name={ok ? 'check' : 'alert'} label={ok ? 'Done' : 'Missing'} />
                <span>{text}</span>
                {!ok && <a href={href}>Add it</a>}
              </li>
            ))}
          </ul>
        </Card>
        <TextArea label="Notes for the reviewer" rows={3} value={notes} onInput={setNotes} />
      </div>
    </Dialog>
  )
}
