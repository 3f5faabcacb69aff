import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { ResponseOf } from '../../api/calls.ts'
import { useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select } from '../../ui/field.tsx'
import { day } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { AddressSearch } from '../../ui/address-search.tsx'
import { StatusBadge, type Tone } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { LiftDialog } from '../contact/lift-dialog.tsx'
import { keyPages } from '../../ui/key-pages.ts'
import { useLast } from '../people/page-state.ts'
import { AddSuppression } from './add-suppression.tsx'
import { type Reason, REASON_CHOICES, suppressionsBody } from './query.ts'

type Suppression = ResponseOf<'suppressions/list'>['items'][number]

const TONES: Record<Reason, Tone> = { complaint: 'bad', hard_bounce: 'bad', unsubscribe: 'quiet', manual: 'wait' }

/** The suppressed addresses, with the reasons. */
export default function Suppressions({ query }: PageProps) {
  const { route } = useLocation()
  const body = suppressionsBody(query)
  const list = useRead('suppressions/list', body)
  const answer = useLast(list.data)
  const [adding, add] = useState(false)
  const [lifting, lift] = useState<{ email: string; reason: Reason } | null>(null)
  const go = (change: Record<string, string | null | undefined>) =>
    route(link('/suppressions', { q: query.q, reason: query.reason, ...change }), true)
  const isEditor = can('editor')
  const isFiltered = body.search !== undefined || body.reason !== undefined
  const columns: Column<Suppression>[] = [
    { id: 'email', head: 'Address', card: 'title', cell: ({ email }) => email ?? <Hidden /> },
    {
      id: 'reason',
      head: 'Why',
      tight: true,
      cell: ({ reason }) => <StatusBadge tone={TONES[reason]}>{reasonWord(reason)}</StatusBadge>,
    },
    { id: 'note', head: 'Note', cell: ({ note }) => note && <span class="segment-words">{note}</span> },
    { id: 'since', head: 'Since', tight: true, cell: ({ created_at }) => day(created_at) },
  ]
  if (isEditor)
    columns.push({
      id: 'lift',
      head: <span class="visually-hidden">Actions</span>,
      align: 'end',
      cell: ({ email, reason }) => {
        // The address of a deleted contact is shown only to a user who searched for exactly it.
        const address = email ?? (body.search?.includes('@') ? body.search : null)
        if (address === null) return null
        return (
          <Button small kind="quiet" onClick={() => lift({ email: address, reason })}>
            Lift…<span class="visually-hidden">{` the suppression of ${address}`}</span>
          </Button>
        )
      },
    })
  return (
    <>
      <PageHead
        title="Suppressions"
        lead={
          isEditor
            ? 'Nothing is sent to these addresses, whatever list they are on. Bounces and complaints come here by themselves.'
            : whoMay('Changing suppressions', 'editor')
        }
        primary={
          isEditor && (
            <Button main kind="primary" icon="plus" onClick={() => add(true)}>
              Add address
            </Button>
          )
        }
      />
      <div class="stack">
        <div class="contacts-bar">
          <AddressSearch label="Search addresses" value={query.q ?? ''} onSearch={(q) => go({ q })} />
          <Select
            label="Reason"
            label_hidden
            placeholder="Any reason"
            options={REASON_CHOICES}
            value={query.reason ?? ''}
            onInput={(reason) => go({ reason })}
          />
        </div>
        {list.error && !list.data ? (
          <ErrorNote title="Suppressions could not be loaded." error={list.error} retry={list.reload} />
        ) : (
          <Table
            caption="Suppressions"
            columns={columns}
            rows={answer?.items ?? null}
            row_key={({ id }) => String(id)}
            busy={list.busy}
            empty={
              isFiltered || body.cursor ? (
                <Empty
                  sentence="No suppression matches. The address of a deleted contact is found only by the whole of it."
                  action={<Button onClick={() => go({ q: null, reason: null })}>Clear filters</Button>}
                />
              ) : (
                <Empty sentence="No address is suppressed. Who bounces, complains or opts out of everything is listed here." />
              )
            }
          />
        )}
        {answer && answer.items.length > 0 && (
          <Pager {...keyPages({ cursor: body.cursor, next: answer.next_cursor, go: (from) => go({ from }) })} />
        )}
      </div>
      {adding && <AddSuppression onClose={() => add(false)} />}
      {lifting && <LiftDialog {...lifting} onClose={() => lift(null)} />}
    </>
  )
}

function reasonWord(reason: Reason): string {
  return REASON_CHOICES.find(({ value }) => value === reason)!.label
}

function Hidden() {
  return <span class="quiet">The address of a deleted contact</span>
}
