import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { useRead } from '../../api/query.ts'
import type { ResponseOf } from '../../api/calls.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { saveFile } from '../../ui/csv.ts'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { Select } from '../../ui/field.tsx'
import { count, dateTime } from '../../ui/format.ts'
import { StateMark } from '../../ui/state.tsx'
import { keyPages } from '../../ui/key-pages.ts'
import { Pager } from '../../ui/table-parts.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type Recipient = ResponseOf<'campaigns/recipients'>['items'][number]

const SIZE = 50
const STATUSES = ['sent', 'queued', 'failed', 'bounced', 'uncertain', 'skipped', 'cancelled'] as const

/** The recipients of a campaign, with the relay's responses. */
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
  const [exported, setExported] = useState<number | null>(null)
  const download = useAction(
    async () => {
      const { recipientsCsv } = await import('./recipients-csv.ts')
      const asked = { campaign_id: id, ...(status === undefined ? {} : { status }) }
      return recipientsCsv(asked, setExported)
    },
    { done: (file) => saveFile('recipients.csv', file) },
  )
  if (error) return <ErrorNote title="Recipients could not be loaded." error={error} retry={reload} />
  return (
    <>
      <FlawSummary title="Nothing was exported." error={download.error} />
      <div class="row">
        <Button icon="download" busy={download.busy} onClick={() => void download.run(undefined)}>
          Export CSV
        </Button>
        {download.busy && exported !== null && <span class="quiet">{count(exported, 'person', 'people')} so far</span>}
      </div>
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
  cancelled: 'Canceled',
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
