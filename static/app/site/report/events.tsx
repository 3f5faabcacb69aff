import { useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import type { ResponseOf } from '../../api/calls.ts'
import { link } from '../../shell/place.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { dateTime } from '../../ui/format.ts'
import { type Column, Table } from '../../ui/table.tsx'

type Event = ResponseOf<'campaigns/events'>['items'][number]

const SIZE = 100

/** What happened with a campaign, in order. */
export function Events({ id }: { id: number }) {
  const [after, setAfter] = useState<readonly number[]>([])
  const { data, error, busy, reload } = useRead('campaigns/events', {
    campaign_id: id,
    limit: SIZE,
    ...(after.length === 0 ? {} : { after_id: after.at(-1)! }),
  })
  if (error) return <ErrorNote title="Events could not be loaded." error={error} retry={reload} />
  return (
    <>
      <Table
        caption="Events, oldest first"
        columns={COLUMNS}
        rows={data?.items ?? null}
        busy={busy}
        row_key={(event) => String(event.id)}
        row_href={({ contact_id }) => (contact_id === null ? undefined : link(`/contacts/${contact_id}`))}
        empty={<Empty sentence={after.length === 0 ? 'Nothing has happened yet.' : 'This is the end.'} />}
      />
      <div class="row">
        {after.length > 0 && <Button onClick={() => setAfter(after.slice(0, -1))}>Previous</Button>}
        {data?.items.length === SIZE && (
          <Button onClick={() => setAfter([...after, data.items.at(-1)!.id])}>Next</Button>
        )}
      </div>
    </>
  )
}

const WORDS: Record<Event['type'], string> = {
  sent: 'Sent',
  failed: 'Failed',
  uncertain: 'Not certain',
  open: 'Opened',
  click: 'Clicked',
  unsubscribe: 'Left',
  bounce: 'Bounced',
  complaint: 'Complained',
  skipped: 'Skipped',
}

const COLUMNS: readonly Column<Event>[] = [
  {
    id: 'email',
    head: 'Address',
    card: 'title',
    cell: ({ email }) => <span class="address">{email ?? 'deleted'}</span>,
  },
  {
    id: 'type',
    head: 'What',
    card: 'line',
    tight: true,
    cell: ({ type, machine }) => (machine ? <span class="quiet">{WORDS[type]} by a machine</span> : WORDS[type]),
  },
  { id: 'at', head: 'When', card: 'line', tight: true, cell: ({ at }) => dateTime(at) },
  {
    id: 'detail',
    head: 'Detail',
    card: 'line',
    cell: ({ url, detail }) => <span class="address">{url ?? detailOf(detail)}</span>,
  },
]

function detailOf(detail: Event['detail']): string {
  if (detail === undefined) return ''
  if (typeof detail === 'string') return detail
  return `${detail.kind === 'hard' ? 'For good' : 'For now'}${detail.response === undefined ? '' : `: ${detail.response}`}`
}
