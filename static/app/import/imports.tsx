import { useLocation } from 'preact-iso'
import { useRead } from '../api/query.ts'
import type { ImportSummary } from '../api/operations.d.ts'
import { can, whoMay } from '../api/role.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { dateTime, number } from '../ui/format.ts'
import { keyPages } from '../ui/key-pages.ts'
import { PageHead } from '../ui/page.tsx'
import { StateMark } from '../ui/state.tsx'
import { Pager } from '../ui/table-parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { importsRequest } from './imports-request.ts'

/** The imports of the project, newest first. */
export default function Imports({ query }: PageProps) {
  const { route } = useLocation()
  const { data, error, busy, reload } = useRead('imports/list', importsRequest(query))
  const begin = can('editor') && (
    <Button kind="primary" icon="upload" main href={link('/imports/new')}>
      Import contacts
    </Button>
  )
  return (
    <>
      <PageHead title="Imports" lead={can('editor') ? undefined : whoMay('Importing', 'editor')} primary={begin} />
      {error ? (
        <ErrorNote title="Imports could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Imports"
          columns={COLUMNS}
          rows={data?.items ?? null}
          busy={busy}
          row_key={({ id }) => String(id)}
          row_href={({ id }) => link(`/imports/${id}`)}
          empty={
            <Empty
              sentence="Bring people in from a file. Nothing changes before you have seen what it would do."
              action={begin}
            />
          }
        />
      )}
      <Pager
        {...keyPages({
          cursor: query.cursor,
          next: data?.next_cursor,
          go: (cursor) => route(link('/imports', { cursor })),
        })}
      />
    </>
  )
}

const COLUMNS: readonly Column<ImportSummary>[] = [
  { id: 'file', head: 'File', card: 'title', cell: ({ filename }) => filename || 'Pasted text' },
  { id: 'state', head: 'State', card: 'line', tight: true, cell: ({ status }) => <StateMark state={status} /> },
  {
    id: 'rows',
    head: 'Rows',
    align: 'end',
    card: 'line',
    cell: ({ summary, counters }) => number(summary?.rows ?? counters.processed),
  },
  { id: 'new', head: 'New', align: 'end', card: 'line', cell: ({ counters }) => number(counters.created) },
  { id: 'failed', head: 'Failed', align: 'end', card: 'line', cell: ({ counters }) => number(counters.failed) },
  { id: 'at', head: 'When', card: 'line', tight: true, cell: ({ created_at }) => dateTime(created_at) },
]
