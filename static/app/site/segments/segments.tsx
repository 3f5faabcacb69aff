import { useEffect, useState } from 'preact/hooks'
import { read } from '../../api/calls.ts'
import { ApiError } from '../../api/errors.ts'
import type { Segment } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import { type Audience, useAudience, useNames } from '../../rules/audience.ts'
import { groupWords } from '../../rules/rule-text.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { day, number } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { SegmentMenu } from './segment-menu.tsx'

/** The saved segments. */
export default function Segments() {
  const { audience, error, reload } = useAudience()
  const counts = useCounts(audience?.segments ?? NONE)
  const isEditor = can('editor')
  const columns: Column<Segment>[] = [
    { id: 'name', head: 'Name', card: 'title', cell: ({ name }) => <span class="cell-name">{name}</span> },
    { id: 'rules', head: 'Who', cell: (segment) => <Words segment={segment} audience={audience!} /> },
    { id: 'people', head: 'People', align: 'end', cell: ({ id }) => (counts.has(id) ? number(counts.get(id)!) : '…') },
    { id: 'changed', head: 'Changed', tight: true, card: 'hidden', cell: ({ updated_at }) => day(updated_at) },
    {
      id: 'menu',
      head: <span class="visually-hidden">Actions</span>,
      align: 'end',
      cell: (segment) => <SegmentMenu segment={segment} />,
    },
  ]
  return (
    <>
      <PageHead
        title="Segments"
        lead={
          isEditor
            ? 'Saved questions about people. Who is in one is found anew each time it is used.'
            : whoMay('Changing segments', 'editor')
        }
        primary={
          isEditor && (
            <Button main kind="primary" icon="plus" href={link('/segments/new')}>
              New segment
            </Button>
          )
        }
      />
      {error && !audience ? (
        <ErrorNote title="Segments could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Segments"
          columns={columns}
          rows={audience?.segments ?? null}
          row_key={({ id }) => String(id)}
          row_href={({ id }) => link(`/segments/${id}`)}
          empty={
            <Empty
              sentence="A segment is a question about people that is saved: who lives in Norway and opened something this month."
              action={
                isEditor && (
                  <Button kind="primary" icon="plus" href={link('/segments/new')}>
                    New segment
                  </Button>
                )
              }
              guide={<a href={link('/contacts')}>A filter of contacts can be saved as a segment, too.</a>}
            />
          }
        />
      )}
    </>
  )
}

const NONE: readonly Segment[] = []

function Words({ segment, audience }: { segment: Segment; audience: Audience }) {
  return <span class="segment-words">{groupWords(segment.rules, useNames(audience, segment.rules))}</span>
}

/** How many segments are counted when the page opens; each count may read all contacts. */
const MAX_COUNTED = 30

/** The number of people in each segment, counted one after another. */
function useCounts(segments: readonly Segment[]): ReadonlyMap<number, number> {
  const [counts, setCounts] = useState<ReadonlyMap<number, number>>(new Map())
  useEffect(() => {
    const left = new AbortController()
    const countAll = async () => {
      for (const { id, rules } of segments.slice(0, MAX_COUNTED)) {
        try {
          const { count } = await read('segments/preview', { rules }, left.signal)
          setCounts((known) => new Map(known).set(id, count))
        } catch (error) {
          // A segment whose rules have become invalid has no number; its own page shows why.
          if (!(error instanceof ApiError)) return
        }
      }
    }
    void countAll()
    return () => left.abort()
  }, [segments])
  return counts
}
