import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { callKey } from '../../../../src/shared/app-document.ts'
import { type RouteResponse, send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { invalidate, useQuery } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { dateTime } from '../../ui/format.ts'
import { keyPages } from '../../ui/key-pages.ts'
import { PageHead } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { toast } from '../../ui/toast.tsx'

type Listed = RouteResponse<'POST /project/mailbox/list'>['messages'][number]
const MAILBOX = '/project/mailbox/'
const PAGE = 50
const EVERY_MS = 10_000

/** The messages that sandbox connections stored instead of sending them. */
export default function Mailbox({ query: { to = '', before = '' } }: PageProps) {
  const { route } = useLocation()
  const sought = useSignal(to)
  const clearing = useSignal(false)
  const body = {
    project_id: projectId(),
    limit: PAGE,
    ...(to ? { to } : {}),
    ...(before ? { before_id: Number(before) } : {}),
  }
  const { data, error, busy, reload } = useQuery(
    callKey(`${MAILBOX}list`, body),
    () => send('POST /project/mailbox/list', body),
    { every_ms: EVERY_MS },
  )
  const rows = data?.messages
  return (
    <>
      <PageHead
        title="Mailbox"
        lead="Messages through a sandbox connection are kept here and reach nobody."
        secondary={
          can('editor') && (
            <Button icon="trash" disabled={!rows?.length} onClick={() => (clearing.value = true)}>
              Empty the mailbox
            </Button>
          )
        }
      />
      {!can('editor') && <p class="page-note">{whoMay('Emptying it', 'editor')}</p>}
      <form
        class="mailbox-search"
        onSubmit={(event) => {
          event.preventDefault()
          route(link('/mailbox', { to: sought.value.trim() }))
        }}
      >
        <SearchField
          label="Search addresses"
          label_hidden
          placeholder="Search addresses"
          value={sought.value}
          onInput={(value) => {
            sought.value = value
            if (value === '') route(link('/mailbox'))
          }}
        />
      </form>
      {error ? (
        <ErrorNote title="The mailbox could not be loaded." error={error} retry={reload} />
      ) : (
        <Card flush>
          <Table
            caption="Messages"
            columns={COLUMNS}
            rows={rows ?? null}
            busy={busy && rows === undefined}
            row_key={({ id }) => String(id)}
            row_href={({ id }) => link(`/mailbox/${id}`)}
            empty={
              to ? (
                <Empty
                  sentence="No message to this address."
                  action={<Button href={link('/mailbox')}>Clear filters</Button>}
                />
              ) : (
                <Empty
                  sentence="Nothing is kept yet. Send a campaign, or a test of one, through a sandbox connection."
                  action={<Button href={link('/sending')}>To the connections</Button>}
                />
              )
            }
          />
        </Card>
      )}
      <Pager
        {...keyPages({
          cursor: before || undefined,
          next: rows?.length === PAGE ? String(rows.at(-1)!.id) : null,
          go: (from) => route(link('/mailbox', { to, before: from })),
        })}
      />
      {clearing.value && (
        <ConfirmDialog
          title="Empty the mailbox?"
          verb="Delete all messages"
          danger
          onClose={() => (clearing.value = false)}
          onConfirm={async () => {
            const { deleted } = await sendOnce('POST /project/mailbox/clear', { project_id: projectId() })
            invalidate(MAILBOX)
            toast({ text: deleted === 1 ? 'One message was deleted.' : `${deleted} messages were deleted.` })
          }}
        >
          <p>All messages that this project keeps here are deleted, also those that are not shown now.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    id: 'subject',
    head: 'Subject',
    card: 'title',
    cell: ({ subject }) => (subject === '' ? <span class="quiet">(no subject)</span> : subject),
  },
  { id: 'to', head: 'To', cell: ({ to }) => <span class="address">{to}</span> },
  { id: 'from', head: 'From', cell: ({ from }) => <span class="address">{from}</span> },
  { id: 'at', head: 'Kept', tight: true, cell: ({ received_on }) => dateTime(received_on) },
]
