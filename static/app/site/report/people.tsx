import { useLocation } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import type { ResponseOf } from '../../api/calls.ts'
import { link } from '../../shell/place.ts'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select } from '../../ui/field.tsx'
import { dateTime } from '../../ui/format.ts'
import { StateMark } from '../../ui/state.tsx'
import { keyPages } from '../../ui/key-pages.ts'
import { Pager } from '../../ui/table-parts.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type Recipient = ResponseOf<'campaigns/recipients'>['items'][number]

const SIZE = 50
const STATUSES = ['sent', 'queued', 'failed', 'bounced', 'uncertain', 'skipped', 'cancelled'] as const

/** The recipients of a campaign, with what the relay said. */
export function People({ id, query }: { id: number; query: Record<string, string> }) {
  const { route } = useLocation()
  const status = STATUSES.find((known) => known === query.status)
  const { data, error, busy, reload } = useRead('campaigns/recipients', {
    campaign_id: id,
    limit: SIZE,
    ...(status === undefined ? {} : { status }),
    ...(query.after === undefined ? {} : { after_id: Number(query.after) }),
  })
  const go = (changes: Record<string, string | null | undefined>) =>
    route(link(`/campaigns/${id}`, { tab: 'people', status: query.status, ...changes }))
  if (error) return <ErrorNote title="Recipients could not be loaded." error={error} retry={reload} />
  return (
    <>
      <Select
        label="State"
        value={query.status ?? ''}
        onInput={(chosen) => go({ status: chosen === '' ? null : chosen })}
        options={[{ value: '', label: 'All' }, ...STATUSES.map((value) => ({ value, label: NAMES[value] }))]}
      />
      <Table
        caption="Recipients"
        columns={COLUMNS}
        rows={data?.items ?? null}
        busy={busy}
        row_key={(recipient) => String(recipient.id)}
        row_href={({ contact_id }) => (contact_id === null ? undefined : link(`/contacts/${contact_id}`))}
        empty={<Empty sentence={status === undefined ? 'Nobody yet.' : 'Nobody is in this state.'} />}
      />
      <Pager
        {...keyPages({
          cursor: query.after,
          next: data?.items.length === SIZE ? String(data.items.at(-1)!.id) : null,
          go: (after) => go({ after }),
        })}
        older_label="Next"
        newer_label="Previous"
      />
    </>
  )
}

const NAMES: Record<(typeof STATUSES)[number], string> = {
  sent: 'Sent',
  queued: 'Queued',
  failed: 'Failed',
  bounced: 'Bounced',
  uncertain: 'Not certain',
  skipped: 'Skipped',
  cancelled: 'Cancelled',
}

const COLUMNS: readonly Column<Recipient>[] = [
  {
    id: 'email',
    head: 'Address',
    card: 'title',
    cell: ({ email }) => <span class="address">{email ?? 'deleted'}</span>,
  },
  { id: 'status', head: 'State', card: 'line', tight: true, cell: ({ status }) => <StateMark state={status} /> },
  {
    id: 'at',
    head: 'Sent',
    card: 'line',
    tight: true,
    cell: ({ sent_at }) => (sent_at === null ? '–' : dateTime(sent_at)),
  },
  { id: 'said', head: 'What the relay said', card: 'line', cell: ({ last_error }) => last_error ?? '' },
]
