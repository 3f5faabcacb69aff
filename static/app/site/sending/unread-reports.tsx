import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import { Skeleton } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { bytes, number, relative } from '../../ui/format.ts'
import { type Column, Table } from '../../ui/table.tsx'

type Unread = RouteResponse<'POST /project/connections/unread-reports'>['unread_reports'][number]

const REASONS: Record<Unread['reason'], string> = {
  no_report: 'Not a report',
  nobody: 'About nobody in this project',
  unknown_event: 'An event of an unknown kind',
}
/** As many as are kept. */
const MOST = 100

/** What the webhook of a connection received and did not understand. */
export function UnreadReports({ connection_id }: { connection_id: number }) {
  const { data, error, reload } = useQuery(
    `/project/connections/unread-reports ${connection_id}`,
    (signal) =>
      send('POST /project/connections/unread-reports', { project_id: projectId(), connection_id }, { signal }),
    { every_ms: 30_000 },
  )
  const unread = data?.unread_reports
  return (
    <section class="unread-reports" aria-labelledby="unread-reports">
      <h3 id="unread-reports">Not understood</h3>
      {error && !unread && <ErrorNote title="The list could not be loaded." error={error} retry={reload} />}
      {!unread && !error && <Skeleton lines={2} />}
      {unread?.length === 0 && <p class="quiet">Nothing in 30 days. What arrives and is no report is listed here.</p>}
      {unread && unread.length > 0 && (
        <>
          <p class="quiet">
            What arrived in 30 days and changed nothing{unread.length === MOST && `, the newest ${MOST}`}.
          </p>
          <Table
            caption="Reports that were not understood"
            rows={unread}
            row_key={({ reason, about, media_type, sender_domain }) =>
              [reason, about, media_type, sender_domain].join('\n')
            }
            columns={COLUMNS}
            dense
          />
        </>
      )}
    </section>
  )
}

const COLUMNS: Column<Unread>[] = [
  {
    id: 'about',
    head: 'What arrived',
    card: 'title',
    cell: ({ about, reason, media_type }) => (
      <>
        <span class="address">{about || 'Without a subject'}</span>
        <br />
        <small class="quiet">
          {REASONS[reason]}
          {media_type !== '' && ` · ${media_type}`}
        </small>
      </>
    ),
  },
  {
    id: 'from',
    head: 'From',
    card: 'line',
    cell: ({ sender_domain }) => <span class="address">{sender_domain || '–'}</span>,
  },
  { id: 'bytes', head: 'Size', align: 'end', card: 'line', tight: true, cell: (row) => bytes(row.bytes) },
  { id: 'times', head: 'Times', align: 'end', card: 'line', cell: ({ times }) => number(times) },
  { id: 'last', head: 'Last', card: 'line', tight: true, cell: ({ last_at }) => relative(last_at, Date.now()) },
]
