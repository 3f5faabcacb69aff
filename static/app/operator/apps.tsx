import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { type RouteRequest, type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { callKey } from '../../../src/shared/app-document.ts'
import { useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { confirmed } from '../confirm-identity.ts'
import { link } from '../api/link.ts'
import { AddressSearch } from '../ui/address-search.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { TextArea } from '../ui/field.tsx'
import { count, day, number } from '../ui/format.ts'
import { keyPages } from '../ui/key-pages.ts'
import { PageHead } from '../ui/page.tsx'
import { StateMark, StatusBadge } from '../ui/state.tsx'
import { Pager } from '../ui/table-parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'

type App = RouteResponse<'POST /user/operator/apps/list'>['items'][number]
type Filter = Pick<RouteRequest<'POST /user/operator/apps/list'>, 'status' | 'suspended' | 'waiting'>
const NAME = '/user/operator/apps/'

/** The states that an address can name, and the filter of each. */
const STATES = [
  { id: 'all', label: 'All', filter: {} },
  { id: 'waiting', label: 'In review', filter: { waiting: true } },
  { id: 'approved', label: 'Approved', filter: { status: 'approved' } },
  { id: 'development', label: 'In development', filter: { status: 'development' } },
  { id: 'rejected', label: 'Rejected', filter: { status: 'rejected' } },
  { id: 'suspended', label: 'Suspended', filter: { suspended: true } },
] as const satisfies readonly { id: string; label: string; filter: Filter }[]

/** All apps of the service. */
export default function Apps({ query }: PageProps) {
  const { route } = useLocation()
  const { search, cursor } = query
  const { id: state, filter } = STATES.find(({ id }) => id === query.state) ?? STATES[0]
  const show = (change: Record<string, string | null | undefined>) =>
    link('/apps', { search, state: state === 'all' ? null : state, ...change })
  const body = { ...filter, search, cursor, limit: 50 }
  const { data, error, busy, reload } = useQuery(callKey(`${NAME}list`, body), (signal) =>
    send('POST /user/operator/apps/list', body, { signal }),
  )
  const [changing, setChanging] = useState<App | null>(null)
  const suspension: Column<App> = {
    id: 'suspend',
    head: <span class="visually-hidden">Actions</span>,
    card: 'line',
    cell: (app) => (
      <Button small kind={app.suspension ? 'secondary' : 'quiet'} onClick={() => setChanging(app)}>
        {app.suspension ? 'Lift…' : 'Suspend…'}
        <span class="visually-hidden"> {app.displayName}</span>
      </Button>
    ),
  }
  return (
    <>
      <PageHead title="Apps" lead="Who made them, where they run, and whether they may." />
      <AddressSearch
        label="Search name or maker"
        value={search ?? ''}
        onSearch={(text) => route(show({ search: text }), true)}
      />
      <Tabs
        label="State"
        tabs={STATES}
        value={state}
        onChange={(id) => route(show({ state: id === 'all' ? null : id }), true)}
      />
      {error ? (
        <ErrorNote title="Apps could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Apps"
          rows={data?.items ?? null}
          busy={busy}
          row_key={({ id }) => id}
          row_href={({ pending_review_id }) =>
            pending_review_id === null ? undefined : link(`/reviews/${pending_review_id}`)
          }
          columns={[...COLUMNS, suspension]}
          empty={
            search === undefined && state === 'all' ? (
              <Empty sentence="Nobody has made an app yet." />
            ) : (
              <Empty sentence="No app matches." action={<Button href={link('/apps')}>Clear filters</Button>} />
            )
          }
        />
      )}
      <Pager
        {...keyPages({
          cursor,
          next: data?.next_cursor,
          go: (to) => route(show({ cursor: to })),
        })}
      />
      {changing && <Suspension app={changing} onClose={() => setChanging(null)} />}
    </>
  )
}

function Suspension({ app, onClose }: { app: App; onClose(): void }) {
  const [comment, setComment] = useState('')
  const params = { id: app.id }
  const act = useAction(
    (): Promise<unknown> =>
      confirmed((): Promise<unknown> =>
        app.suspension
          ? sendOnce('POST /user/developer/apps/:id/unsuspend', {}, { params })
          : sendOnce('POST /user/developer/apps/:id/suspend', { comment }, { params }),
      ),
    { invalidates: [NAME], done: onClose },
  )
  const title = app.suspension ? `Lift the suspension of ${app.displayName}?` : `Suspend ${app.displayName}?`
  return (
    <Dialog
      alert
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button
            kind={app.suspension ? 'primary' : 'danger'}
            type="submit"
            form="suspension"
            busy={act.busy}
            disabled_reason={!app.suspension && comment.trim() === '' ? 'Say why.' : null}
          >
            {app.suspension ? 'Lift the suspension' : 'Suspend 1 app'}
          </Button>
          <Button onClick={onClose}>Not now</Button>
        </>
      }
    >
      <form
        id="suspension"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void act.run(undefined)
        }}
      >
        <FlawSummary error={act.error} />
        {app.suspension ? (
          <p>
            Suspended on {day(app.suspension.suspended_on)}: {app.suspension.comment}. Its access and its scripts come
            back at once.
          </p>
        ) : (
          <>
            <p>
              Its access to {count(app.projects, 'project', 'projects')} stops, and its scripts leave their pages, until
              it is lifted. The team gets your reason by mail.
            </p>
            <TextArea
              label="Reason"
              flaw={act.error?.flawOf('/comment')}
              value={comment}
              onInput={setComment}
              required
              rows={3}
            />
          </>
        )}
      </form>
    </Dialog>
  )
}

const COLUMNS: readonly Column<App>[] = [
  {
    id: 'name',
    head: 'App',
    card: 'title',
    cell: ({ displayName, suspension }) => (
      <>
        {displayName} {suspension && <StatusBadge tone="bad">Suspended</StatusBadge>}
      </>
    ),
  },
  { id: 'status', head: 'State', card: 'line', tight: true, cell: ({ status }) => <StateMark state={status} /> },
  { id: 'maker', head: 'Made by', card: 'line', cell: ({ creator }) => creator.email },
  { id: 'projects', head: 'Projects', align: 'end', card: 'line', cell: ({ projects }) => number(projects) },
  { id: 'users', head: 'People', align: 'end', card: 'line', cell: ({ users }) => number(users) },
  {
    id: 'scripts',
    head: 'Scripts',
    align: 'end',
    card: 'line',
    cell: ({ script_connections }) => number(script_connections),
  },
]
