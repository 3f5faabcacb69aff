import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type RouteResponse, send } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../shell/place.ts'
import { Empty } from '../ui/callout.tsx'
import { Switch } from '../ui/choice.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { dateTime, number } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { keyPages } from '../ui/key-pages.ts'
import { Pager } from '../ui/table-parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useLater } from '../ui/use-later.ts'
import { AppFrame, APPS } from './app-frame.tsx'

type Call = RouteResponse<'GET /user/developer/apps/:id/requests'>['requests'][number]

const SIZE = 50
const LIVE_MS = 5_000
const PAUSE_MS = 300

/** The calls that an app has made in the last seven days. */
export default function Requests({ params, query }: PageProps) {
  return (
    <AppFrame id={params.id!} tab="requests">
      {({ id }) => <Calls id={id} query={query} />}
    </AppFrame>
  )
}

function Calls({ id, query }: { id: string; query: Record<string, string> }) {
  const { route } = useLocation()
  const [isLive, setLive] = useState(false)
  const [status, setStatus] = useState(query.status ?? '')
  const [error, setError] = useState(query.error ?? '')
  const asked = useLater(JSON.stringify({ status, error, before: query.before }), PAUSE_MS)
  const filters = JSON.parse(asked) as { status: string; error: string; before?: string }
  const answer = useQuery(
    `${APPS}/${id}/requests ${asked}`,
    (signal) =>
      send(
        'GET /user/developer/apps/:id/requests',
        {},
        {
          params: { id },
          query: {
            limit: SIZE,
            ...(/^\d{3}$/.test(filters.status) ? { status: Number(filters.status) } : {}),
            ...(filters.error === '' ? {} : { error: filters.error }),
            ...(filters.before === undefined ? {} : { before_id: Number(filters.before) }),
          },
          signal,
        },
      ),
    { every_ms: isLive ? LIVE_MS : null },
  )
  const rows = answer.data?.requests
  return (
    <>
      <div class="row">
        <TextField label="Status" placeholder="404" value={status} onInput={setStatus} />
        <TextField label="Error" placeholder="NOT_FOUND" value={error} onInput={setError} />
        <Switch label="Look again every 5 seconds" checked={isLive} onChange={setLive} />
      </div>
      {answer.error ? (
        <ErrorNote title="Calls could not be loaded." error={answer.error} retry={answer.reload} />
      ) : (
        <Table
          caption="Calls"
          rows={rows ?? null}
          busy={answer.busy}
          row_key={(call) => String(call.id)}
          columns={COLUMNS}
          dense
          empty={
            <Empty
              sentence={status === '' && error === '' ? 'It made no call in the last 7 days.' : 'No call matches.'}
            />
          }
        />
      )}
      <Pager
        {...keyPages({
          cursor: query.before,
          next: rows?.length === SIZE ? String(rows.at(-1)!.id) : null,
          go: (before) => route(link(`/apps/${id}/requests`, { status, error, before })),
        })}
      />
    </>
  )
}

const COLUMNS: readonly Column<Call>[] = [
  {
    id: 'route',
    head: 'Call',
    card: 'title',
    cell: ({ method, route }) => (
      <code class="address">
        {method} {route}
      </code>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    card: 'line',
    cell: ({ status, error }) => (
      <>
        <StatusBadge tone={status < 400 ? 'good' : status < 500 ? 'wait' : 'bad'}>{status}</StatusBadge> {error}
      </>
    ),
  },
  { id: 'ms', head: 'Took', align: 'end', card: 'line', cell: ({ duration_ms }) => `${number(duration_ms)} ms` },
  {
    id: 'project',
    head: 'Project',
    card: 'line',
    cell: ({ project_id }) => <span class="address">{project_id ?? ''}</span>,
  },
  {
    id: 'request',
    head: 'Request id',
    card: 'line',
    cell: ({ request_id }) => <code class="address">{request_id}</code>,
  },
  { id: 'time', head: 'When', card: 'line', tight: true, cell: ({ time }) => dateTime(time) },
]
