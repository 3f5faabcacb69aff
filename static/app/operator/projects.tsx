import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { confirmed } from '../confirm-identity.ts'
import { link } from '../api/link.ts'
import { AddressSearch } from '../ui/address-search.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/callout.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { NumberField } from '../ui/field.tsx'
import { number } from '../ui/format.ts'
import { keyPages } from '../ui/key-pages.ts'
import { PageHead } from '../ui/page.tsx'
import { Pager } from '../ui/table-parts.tsx'
import { type Column, Table } from '../ui/table.tsx'

type Project = RouteResponse<'POST /user/operator/projects/list'>['items'][number]
const NAME = '/user/operator/projects/'

/** All projects of the service, with their usage and limits. */
export default function Projects({ query }: PageProps) {
  const { route } = useLocation()
  const { search, cursor } = query
  const { data, error, busy, reload } = useQuery(`${NAME}list ${search ?? ''} ${cursor ?? ''}`, (signal) =>
    send('POST /user/operator/projects/list', { search, cursor, limit: 50 }, { signal }),
  )
  const [changing, setChanging] = useState<Project | null>(null)
  const limits: Column<Project> = {
    id: 'limits',
    head: 'Limits',
    card: 'line',
    cell: (project) => (
      <Button small onClick={() => setChanging(project)}>
        Set limits<span class="visually-hidden"> of {project.name}</span>
      </Button>
    ),
  }
  return (
    <>
      <PageHead title="Projects" lead="Who owns them, and what they use." />
      <AddressSearch
        label="Search name or owner"
        value={search ?? ''}
        onSearch={(text) => route(link('/projects', { search: text }), true)}
      />
      {error ? (
        <ErrorNote title="Projects could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Projects"
          rows={data?.items ?? null}
          busy={busy}
          row_key={({ id }) => id}
          columns={[...COLUMNS, limits]}
          empty={<Empty sentence={search === undefined ? 'There is no project yet.' : 'No project matches.'} />}
        />
      )}
      <Pager
        {...keyPages({
          cursor,
          next: data?.next_cursor,
          go: (to) => route(link('/projects', { search, cursor: to })),
        })}
      />
      {changing && <Limits project={changing} onClose={() => setChanging(null)} />}
    </>
  )
}

function Limits({ project, onClose }: { project: Project; onClose(): void }) {
  const [month, setMonth] = useState(String(project.monthly_limit ?? ''))
  const [contacts, setContacts] = useState(String(project.contact_limit ?? ''))
  const numberOf = (text: string) => (text === '' ? null : Number(text))
  const save = useAction(
    () =>
      confirmed(() =>
        sendOnce('POST /user/operator/projects/limits', {
          project_id: project.id,
          monthly_limit: numberOf(month),
          contact_limit: numberOf(contacts),
        }),
      ),
    { invalidates: [NAME], done: onClose },
  )
  return (
    <Dialog
      title={`Limits of ${project.name}`}
      onClose={onClose}
      actions={
        <>
          <Button kind="primary" type="submit" form="limits" busy={save.busy}>
            Save
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <form
        id="limits"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save.run(undefined)
        }}
      >
        <FlawSummary error={save.error} />
        <NumberField
          label="Messages a month"
          flaw={save.error?.flawOf('/monthly_limit')}
          placeholder="no limit"
          value={month}
          onInput={setMonth}
        />
        <NumberField
          label="Contacts"
          flaw={save.error?.flawOf('/contact_limit')}
          placeholder="the service's own limit"
          value={contacts}
          onInput={setContacts}
        />
      </form>
    </Dialog>
  )
}

const COLUMNS: readonly Column<Project>[] = [
  {
    id: 'name',
    head: 'Project',
    card: 'title',
    cell: ({ name, slug, domain }) => (
      <>
        {name} <span class="quiet">{domain ?? slug}</span>
      </>
    ),
  },
  { id: 'owner', head: 'Owner', card: 'line', cell: ({ owners }) => owners.map(({ email }) => email).join(', ') },
  {
    id: 'contacts',
    head: 'Contacts',
    align: 'end',
    card: 'line',
    cell: (project) => of(project.contacts, project.contact_limit),
  },
  {
    id: 'sent',
    head: 'Sent this month',
    align: 'end',
    card: 'line',
    cell: (project) => of(project.sent_this_month, project.monthly_limit),
  },
]

function of(used: number, limit: number | null): string {
  return limit === null ? number(used) : `${number(used)} of ${number(limit)}`
}
