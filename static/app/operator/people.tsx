import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { send } from '../api/calls.ts'
import { invalidate, useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { AddressSearch } from '../ui/address-search.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { count, dateTime, number } from '../ui/format.ts'
import { keyPages } from '../ui/key-pages.ts'
import { PageHead } from '../ui/page.tsx'
import { StatusBadge } from '../ui/state.tsx'
import { Pager } from '../ui/table-parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { toast } from '../ui/toast.tsx'
import { InvitedPeople, InvitePerson } from './invited-people.tsx'
import { type Person, PersonMenu, PersonQuestion, type Question } from './person-menu.tsx'

const NAME = '/user/operator/users/'

/** All accounts of the service. */
export default function People({ query }: PageProps) {
  const { route } = useLocation()
  const { search, cursor } = query
  const { data, error, busy, reload } = useQuery(`${NAME}list ${search ?? ''} ${cursor ?? ''}`, (signal) =>
    send('POST /user/operator/users/list', { search, cursor, limit: 50 }, { signal }),
  )
  const [asked, setAsked] = useState<Question | null>(null)
  const [isInviting, setInviting] = useState(false)
  const act = useAction(async (work: () => Promise<string>) => toast({ text: await work(), tone: 'good' }), {
    invalidates: [NAME],
  })
  const actions: Column<Person> = {
    id: 'more',
    head: <span class="visually-hidden">Actions</span>,
    card: 'line',
    cell: (person) => <PersonMenu person={person} act={(work) => void act.run(work)} ask={setAsked} />,
  }
  return (
    <>
      <PageHead
        title="People"
        lead="Everybody who can sign in."
        primary={
          <Button kind="primary" onClick={() => setInviting(true)}>
            Invite
          </Button>
        }
      />
      <AddressSearch
        label="Search name or address"
        value={search ?? ''}
        onSearch={(text) => route(link('/people', { search: text }), true)}
      />
      <FlawSummary error={act.error} />
      {error ? (
        <ErrorNote title="People could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="People"
          rows={data?.items ?? null}
          busy={busy}
          row_key={({ id }) => id}
          columns={[...COLUMNS, actions]}
          empty={
            <Empty
              sentence="Nobody matches."
              action={<Button onClick={() => route(link('/people'), true)}>Clear the search</Button>}
            />
          }
        />
      )}
      <Pager
        {...keyPages({
          cursor,
          next: data?.next_cursor,
          go: (to) => route(link('/people', { search, cursor: to })),
        })}
      />
      <InvitedPeople />
      {asked && <PersonQuestion of={asked} onDone={() => invalidate(NAME)} onClose={() => setAsked(null)} />}
      {isInviting && <InvitePerson onClose={() => setInviting(false)} />}
    </>
  )
}

const COLUMNS: readonly Column<Person>[] = [
  {
    id: 'person',
    head: 'Person',
    card: 'title',
    cell: ({ email, firstName, lastName, is_reviewer }) => (
      <>
        {email} <span class="quiet">{`${firstName} ${lastName}`.trim()}</span>{' '}
        {is_reviewer && <StatusBadge tone="accent">Operator</StatusBadge>}
      </>
    ),
  },
  {
    id: 'state',
    head: 'State',
    card: 'line',
    cell: ({ disabled_on }) =>
      disabled_on === null ? (
        <StatusBadge tone="good">Enabled</StatusBadge>
      ) : (
        <StatusBadge tone="bad">Disabled</StatusBadge>
      ),
  },
  {
    id: 'seen',
    head: 'Last sign-in',
    card: 'line',
    tight: true,
    cell: ({ last_sign_in_on }) => (last_sign_in_on === null ? 'Never' : dateTime(last_sign_in_on)),
  },
  { id: 'projects', head: 'Projects', align: 'end', card: 'line', cell: ({ projects }) => number(projects) },
  { id: 'apps', head: 'Apps', align: 'end', card: 'line', cell: ({ apps }) => number(apps) },
  {
    id: 'factor',
    head: 'Second factor',
    card: 'line',
    cell: ({ second_factor, passkeys }) =>
      passkeys > 0 ? count(passkeys, 'passkey', 'passkeys') : second_factor ? 'Authenticator' : 'None',
  },
]
