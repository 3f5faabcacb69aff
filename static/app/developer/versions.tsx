import { useState } from 'preact/hooks'
import { sendOnce } from '../api/calls.ts'
import { invalidate } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { confirmed } from '../confirm-identity.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Empty, Skeleton } from '../ui/callout.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { count, dateTime } from '../ui/format.ts'
import { StateMark, StatusBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import {
  type App,
  APPS,
  useInstalls,
  useNextVersion,
  useReviews,
  useTeam,
  useVersion,
  useVersions,
  type Version,
} from '../app-review/app-data.ts'
import { AppFrame } from './app-frame.tsx'
import { Submission } from './submission.tsx'
import { VersionDiff } from '../app-review/version-diff.tsx'

/** The versions of an app: the one that sites run, those under review, and what the next one would change. */
export default function Versions({ params }: PageProps) {
  const id = params.id!
  const { data } = useVersions(id)
  const [isSubmitting, setSubmitting] = useState(false)
  return (
    <AppFrame
      id={id}
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
          {isSubmitting && data && (
            <Submission
              app={app}
              number={Math.max(0, ...data.versions.map(({ number }) => number)) + 1}
              onClose={() => setSubmitting(false)}
            />
          )}
        </>
      )}
    </AppFrame>
  )
}

function List({ app }: { app: App }) {
  const { id } = app
  const { data, error, busy, reload } = useVersions(id)
  const installs = useInstalls(id).data?.totals.projects
  const team = useTeam(id).data?.team
  const reviews = useReviews()
  const [restoring, setRestoring] = useState<Version | null>(null)
  const own = reviews.data?.review_requests.filter(({ app_id }) => app_id === id) ?? []
  const [last] = own
  const columns: Column<Version>[] = [
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
    {
      id: 'status',
      head: 'State',
      card: 'line',
      tight: true,
      // When a reviewer asks for changes, the version is rejected; its review has the distinction.
      cell: ({ id: version, status }) => (
        <StateMark
          state={
            status === 'rejected' ? (own.find(({ version_id }) => version_id === version)?.status ?? status) : status
          }
        />
      ),
    },
    {
      id: 'who',
      head: 'By',
      card: 'line',
      cell: ({ created_by }) =>
        team && (team.find(({ user_id }) => user_id === created_by)?.email ?? 'somebody who left the team'),
    },
    { id: 'at', head: 'Made', card: 'line', tight: true, cell: ({ created_on }) => dateTime(created_on) },
    { id: 'notes', head: 'Notes', card: 'line', cell: ({ notes }) => notes },
    {
      id: 'installs',
      head: 'Runs in',
      card: 'line',
      tight: true,
      cell: ({ live }) => live && installs !== undefined && count(installs, 'project', 'projects'),
    },
  ]
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
        row_href={(version) => link(`/apps/${id}/versions/${version.id}`)}
        columns={[...columns, rollBack]}
        empty={<Empty sentence="Nothing was submitted yet. Sites get an app's scripts once a version is approved." />}
      />
      {data && <Draft app={app} live={data.versions.find(({ live }) => live)} />}
      {restoring && (
        <ConfirmDialog
          title={`Roll back to version ${restoring.number}?`}
          verb={`Sites run version ${restoring.number}`}
          danger
          onClose={() => setRestoring(null)}
          onConfirm={async () => {
            const params = { id, versionId: restoring.id }
            await confirmed(() =>
              sendOnce('POST /user/developer/apps/:id/versions/:versionId/rollback', {}, { params }),
            )
            invalidate(APPS)
          }}
        >
          <p>Sites run version {restoring.number} again within seconds.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What the next version would change on sites. */
function Draft({ app, live }: { app: App; live: Version | undefined }) {
  const { contents, error } = useNextVersion(app)
  const before = useVersion(app.id, live?.id ?? null)
  const failed = error ?? before.error
  if (failed) return <ErrorNote title="The draft could not be compared." error={failed} retry={before.reload} />
  if (!contents || (live && !before.data)) return <Skeleton lines={4} />
  return (
    <section class="stack" aria-labelledby="draft">
      <h2 id="draft">{live ? `The draft, against version ${live.number}` : 'The draft'}</h2>
      <VersionDiff now={contents} before={before.data?.version ?? null} />
    </section>
  )
}
