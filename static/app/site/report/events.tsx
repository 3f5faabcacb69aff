import { useLocation } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import type { ResponseOf } from '../../api/calls.ts'
import { link } from '../../api/link.ts'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select } from '../../ui/field.tsx'
import { dateTime } from '../../ui/format.ts'
import { keyPages } from '../../ui/key-pages.ts'
import { Pager } from '../../ui/table-parts.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type Event = ResponseOf<'campaigns/events'>['items'][number]

const SIZE = 50

/** The events of a campaign, newest first. */
export function Events({ id, query }: { id: number; query: Record<string, string> }) {
  const { route } = useLocation()
  const type = TYPES.find((known) => known === query.type)
  const { data, error, busy, reload } = useRead('campaigns/events', {
    campaign_id: id,
    order: 'newest',
    limit: SIZE,
    ...(type === undefined ? {} : { type }),
    ...(query.after === undefined ? {} : { after_id: Number(query.after) }),
  })
  const go = (changes: Record<string, string | null | undefined>) =>
    route(link(`/campaigns/${id}`, { tab: 'events', type: query.type, ...changes }))
  if (error) return <ErrorNote title="Events could not be loaded." error={error} retry={reload} />
  return (
    <>
      <Select
        label="What"
        value={type ?? ''}
        onInput={(chosen) => go({ type: chosen === '' ? null : chosen })}
        options={[{ value: '', label: 'All' }, ...TYPES.map((value) => ({ value, label: WORDS[value] }))]}
      />
      <Table
        caption="Events, the latest first"
        columns={COLUMNS}
        rows={data?.items ?? null}
        busy={busy}
        row_key={(event) => String(event.id)}
        row_href={({ contact_id }) => (contact_id === null ? undefined : link(`/contacts/${contact_id}`))}
        empty={<Empty sentence={type === undefined ? 'Nothing has happened yet.' : 'Nothing of this kind.'} />}
      />
      <Pager
        {...keyPages({
          cursor: query.after,
          next: data?.items.length === SIZE ? String(data.items.at(-1)!.id) : null,
          go: (after) => go({ after }),
        })}
      />
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
const TYPES = Object.keys(WORDS) as Event['type'][]

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
  const kind = detail.kind === 'hard' ? 'For good' : 'For now'
  return detail.response === undefined ? kind : `${kind}: ${detail.response}`
}
