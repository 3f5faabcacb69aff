import { useLocation } from 'preact-iso'
import { type RouteResponse, send } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { Empty } from '../ui/callout.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { dateTime, relative } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { StateMark } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useAppNames } from './app-names.ts'
import { reviewState } from './review-state.ts'

type Review = RouteResponse<'GET /user/review-requests'>['review_requests'][number]

const TABS = [
  { id: 'pending', label: 'Waiting' },
  { id: 'changes_requested', label: 'Changes asked for' },
  { id: 'approved', label: 'Approved' },
  { id: 'rejected', label: 'Rejected' },
] as const

type Status = (typeof TABS)[number]['id']

/** Versions of apps under review, the longest waiting first. */
export default function Reviews({ query }: PageProps) {
  const { route } = useLocation()
  const status = (query.status ?? 'pending') as Status
  const { data, error, busy, reload } = useQuery(`/user/review-requests ${status}`, (signal) =>
    send('GET /user/review-requests', {}, { query: { status, limit: 100 }, signal }),
  )
  const names = useAppNames()
  const rows = data?.review_requests.toSorted((a, b) => (status === 'pending' ? a.id - b.id : b.id - a.id))
  return (
    <>
      <PageHead title="Reviews" lead="A version reaches sites only when it is approved." />
      <Tabs
        label="State"
        tabs={TABS}
        value={status}
        onChange={(id) => route(link('/reviews', { status: id === 'pending' ? null : id }), true)}
      />
      {error ? (
        <ErrorNote title="Reviews could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Reviews"
          rows={rows ?? null}
          busy={busy}
          row_key={({ id }) => String(id)}
          row_href={({ id }) => link(`/reviews/${id}`)}
          columns={columns(names)}
          empty={<Empty sentence={status === 'pending' ? 'Nothing waits for you.' : 'None is in this state.'} />}
        />
      )}
    </>
  )
}

function columns(names: ReadonlyMap<string, string>): Column<Review>[] {
  return [
    { id: 'app', head: 'App', card: 'title', cell: ({ app_id }) => names.get(app_id) ?? app_id },
    {
      id: 'status',
      head: 'State',
      card: 'line',
      tight: true,
      cell: ({ status }) => <StateMark state={reviewState(status)} />,
    },
    {
      id: 'since',
      head: 'Submitted',
      card: 'line',
      tight: true,
      cell: ({ created_on, status }) =>
        status === 'pending' ? relative(created_on, Date.now()) : dateTime(created_on),
    },
    { id: 'comment', head: 'Comment', card: 'line', cell: ({ comment }) => comment },
  ]
}
