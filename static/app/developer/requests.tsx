import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type RouteResponse, send } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { APPS } from '../app-review/app-data.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { Switch } from '../ui/choice.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { dateTime, number } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { keyPages } from '../ui/key-pages.ts'
import { Pager } from '../ui/table-parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useLater } from '../ui/use-later.ts'
import { AppFrame } from './app-frame.tsx'
import { OneCall } from './one-call.tsx'

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

const WRITTEN = ['request_id', 'status', 'error', 'project', 'method', 'route'] as const
const FILTERS = ['outcome', ...WRITTEN] as const
type Filters = Record<(typeof FILTERS)[number], string>

const OUTCOMES = [
  { value: '2xx', label: 'Done (2xx)' },
  { value: '4xx', label: 'Refused (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
] as const

const HINTS: Record<(typeof WRITTEN)[number], string> = {
  request_id: 'req_…',
  status: '404',
  error: 'NOT_FOUND',
  project: 'prj_…',
  method: 'POST',
  route: '/newsletter/contacts/upsert',
}
const LABELS: typeof HINTS = {
  request_id: 'Request id',
  status: 'Status',
  error: 'Error',
  project: 'Project',
  method: 'Method',
  route: 'Call',
}

function Calls({ id, query }: { id: string; query: Record<string, string> }) {
  const { route } = useLocation()
  const path = `/apps/${id}/requests`
  const [isLive, setLive] = useState(false)
  const [written, setWritten] = useState(() => filtersIn(query))
  const settled = useLater(JSON.stringify(written), PAUSE_MS)
  const current = JSON.stringify(filtersIn(query))
  useEffect(() => {
    if (settled !== current) route(link(path, JSON.parse(settled) as Filters), true)
  }, [settled])
  const { outcome, status, ...texts } = filtersIn(query)
  const status_class = OUTCOMES.find(({ value }) => value === outcome)?.value
  const answer = useQuery(
    `${APPS}/${id}/requests ${current} ${query.before ?? ''}`,
    (signal) =>
      send(
        'GET /user/developer/apps/:id/requests',
        {},
        {
          params: { id },
          query: {
            limit: SIZE,
            ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
            ...(/^\d{3}$/.test(status) ? { status: Number(status) } : {}),
            ...(status_class === undefined ? {} : { status_class }),
            ...(query.before === undefined ? {} : { before_id: Number(query.before) }),
          },
          signal,
        },
      ),
    { every_ms: isLive ? LIVE_MS : null },
  )
  const rows = answer.data?.requests
  const isFiltered = Object.values(written).some((text) => text !== '')
  return (
    <>
      <div class="filters">
        <Select
          label="Outcome"
          value={written.outcome}
          placeholder="Any"
          options={OUTCOMES}
          onInput={(outcome) => setWritten({ ...written, outcome })}
        />
        {WRITTEN.map((name) => (
          <TextField
            key={name}
            label={LABELS[name]}
            placeholder={HINTS[name]}
            value={written[name]}
            onInput={(text) => setWritten({ ...written, [name]: text })}
          />
        ))}
      </div>
      <Switch label="Look again every 5 seconds" checked={isLive} onChange={setLive} />
      {answer.error ? (
        <ErrorNote title="Calls could not be loaded." error={answer.error} retry={answer.reload} />
      ) : (
        <Table
          caption="Calls"
          rows={rows ?? null}
          busy={answer.busy}
          row_key={(call) => String(call.id)}
          row_href={(call) => link(path, { ...query, open: call.id })}
          columns={COLUMNS}
          dense
          empty={
            isFiltered ? (
              <Empty
                sentence="No call matches."
                action={<Button onClick={() => setWritten(filtersIn({}))}>Clear filters</Button>}
              />
            ) : (
              <Empty sentence="It made no call in the last 7 days." />
            )
          }
        />
      )}
      <Pager
        {...keyPages({
          cursor: query.before,
          next: rows?.length === SIZE ? String(rows.at(-1)!.id) : null,
          go: (before) => route(link(path, { ...filtersIn(query), before })),
        })}
      />
      {query.open && (
        <OneCall app_id={id} id={query.open} onClose={() => route(link(path, { ...query, open: null }), true)} />
      )}
    </>
  )
}

function filtersIn(query: Record<string, string>): Filters {
  return Object.fromEntries(FILTERS.map((name) => [name, query[name] ?? ''])) as Filters
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
  {
    id: 'ms',
    head: 'Took',
    align: 'end',
    card: 'line',
    tight: true,
    cell: ({ duration_ms }) => `${number(duration_ms)} ms`,
  },
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
