import { letterName, lineWords } from '../../api/letter-name.ts'
import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useMutation } from '../../api/action.ts'
import { mutate, type ResponseOf } from '../../api/calls.ts'
import { invalidate, useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { AddressSearch } from '../../ui/address-search.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { dateTime } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { keyPages } from '../../ui/key-pages.ts'
import { PageHead } from '../../ui/page.tsx'
import { StateMark } from '../../ui/state.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { campaignHref, type Status } from './campaign-links.ts'
import { campaignsRequest } from './campaigns-request.ts'
import { RESULT_COLUMNS } from './result-columns.ts'

type Row = ResponseOf<'campaigns/list'>['items'][number]

const TABS: readonly { id: 'all' | Status; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'draft', label: 'Drafts' },
  { id: 'scheduled', label: 'Scheduled' },
  { id: 'sending', label: 'Sending' },
  { id: 'paused', label: 'Paused' },
  { id: 'sent', label: 'Sent' },
]

/** All campaigns of the project, the newest first. */
export default function Campaigns({ query }: PageProps) {
  const { route } = useLocation()
  const { data, error, busy, reload } = useRead('campaigns/list', campaignsRequest(query))
  const status = (query.status ?? 'all') as 'all' | Status
  const go = (changes: Record<string, string | undefined>) =>
    route(link('/campaigns', { ...query, cursor: undefined, ...changes }), true)
  const isFiltered = query.status !== undefined || query.search !== undefined
  return (
    <>
      <PageHead
        title="Campaigns"
        lead={can('editor') ? undefined : whoMay('Writing and sending', 'editor')}
        primary={can('editor') && <NewCampaign />}
      />
      <Tabs label="State" tabs={TABS} value={status} onChange={(id) => go({ status: id === 'all' ? undefined : id })} />
      <AddressSearch
        label="Search name or subject"
        value={query.search ?? ''}
        onSearch={(search) => go({ search: search === '' ? undefined : search })}
      />
      {error ? (
        <ErrorNote title="Campaigns could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Campaigns"
          columns={COLUMNS}
          rows={data?.items ?? null}
          row_key={({ id }) => String(id)}
          row_href={campaignHref}
          busy={busy}
          empty={
            isFiltered ? (
              <Empty
                sentence="No campaign matches."
                action={<Button onClick={() => go({ status: undefined, search: undefined })}>Clear filters</Button>}
              />
            ) : (
              <Empty
                sentence="A campaign is one letter to many people. Nobody gets it before you have reviewed it."
                action={can('editor') && <NewCampaign />}
              />
            )
          }
        />
      )}
      <Pager
        {...keyPages({
          cursor: query.cursor,
          next: data?.next_cursor,
          go: (cursor) => route(link('/campaigns', { ...query, cursor })),
        })}
      />
    </>
  )
}

function NewCampaign() {
  return (
    <Button kind="primary" icon="plus" href={link('/campaigns/new')} main>
      New campaign
    </Button>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    head: 'Campaign',
    card: 'title',
    cell: ({ name, subject }) => (
      <span class="two-lines">
        <strong>{letterName({ name, subject })}</strong>
        {name !== '' && subject !== name && subject !== '' && <small class="quiet">{lineWords(subject)}</small>}
      </span>
    ),
  },
  { id: 'state', head: 'State', card: 'line', tight: true, cell: ({ status }) => <StateMark state={status} /> },
  { id: 'when', head: 'When', card: 'line', tight: true, cell: when },
  ...RESULT_COLUMNS,
  { id: 'more', head: <span class="visually-hidden">Actions</span>, card: 'line', cell: (row) => <More row={row} /> },
]

function when({ status, scheduled_at, timezone, started_at, finished_at, updated_at }: Row) {
  if (status === 'scheduled' && scheduled_at) return dateTime(scheduled_at, timezone ?? undefined)
  return dateTime(finished_at ?? started_at ?? updated_at)
}

function More({ row: { id, name, subject, status } }: { row: Row }) {
  const { route } = useLocation()
  const isDeleting = useSignal(false)
  const duplicate = useMutation('campaigns/duplicate', {
    invalidates: ['campaigns/', 'overview'],
    done: ({ campaign }) => route(link(`/campaigns/${campaign.id}/edit`)),
  })
  if (!can('editor')) return null
  const isUnderWay = status === 'preparing' || status === 'sending' || status === 'paused'
  return (
    <>
      <Menu
        icon="more"
        kind="quiet"
        small
        label={`Actions for ${letterName({ name, subject })}`}
        items={[
          { label: 'Duplicate', icon: 'copy', onSelect: () => void duplicate.run({ campaign_id: id }) },
          {
            label: 'Delete…',
            icon: 'trash',
            danger: true,
            disabled_reason: isUnderWay && 'It is under way. Cancel it first.',
            onSelect: () => (isDeleting.value = true),
          },
        ]}
      />
      {isDeleting.value && (
        <ConfirmDialog
          title={`Delete “${letterName({ name, subject })}”?`}
          verb="Delete 1 campaign"
          danger
          onClose={() => (isDeleting.value = false)}
          onConfirm={async () => {
            await mutate('campaigns/delete', { campaign_id: id })
            invalidate('campaigns/', 'overview')
            toast({ text: 'The campaign was deleted.' })
          }}
        >
          <p>Its report goes with it. The links in messages that were sent keep working.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
