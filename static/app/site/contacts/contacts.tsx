import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Contact } from '../../api/operations.d.ts'
import { useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { useEvery } from '../../rules/every.ts'
import { useLiveCount } from '../../rules/live-count.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { later } from '../../later.tsx'
import type { AddContactProps } from './add-contact.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { type Around, useColumns } from './columns.tsx'
import { useExport } from './export.ts'
import { Filters } from './filters.tsx'
import { JobLine, type RunningJob } from './job-line.tsx'
import { type ContactsQuery, listBody, SIZES, whoOf } from './query.ts'
import { type Filter, useFilter } from './use-filter.ts'
import { keyPages } from '../../ui/key-pages.ts'
import { useLast } from '../people/page-state.ts'

const AddContact = later<AddContactProps>(async () => (await import('./add-contact.tsx')).AddContact)

/** The contacts of a project. The filter above them can be saved as a segment. */
export default function Contacts({ query }: PageProps) {
  const filter = useFilter(query)
  const around: Around = {
    lists: useEvery('lists/list', { include_archived: true }).data ?? NONE,
    tags: useEvery('tags/list', {}).data ?? NONE,
    fields: useEvery('custom-fields/list', {}).data ?? NONE,
  }
  const everybody = useRead('contacts/stats', {})
  const { columns, chooser } = useColumns(around)
  const { route } = useLocation()
  const live = useLiveCount(filter.rules, { search: filter.search.trim() })
  const [job, setJob] = useState<RunningJob | null>(null)
  const [adding, add] = useState(query['add'] !== undefined)
  const download = useExport()
  const isEditor = can('editor')
  const who = whoOf(filter.shown)
  const isFiltered = Object.keys(who).length > 0
  return (
    <>
      <PageHead
        title="Contacts"
        count={isFiltered ? (live.count ?? undefined) : everybody.data?.total}
        lead={isEditor ? undefined : whoMay('Changing contacts', 'editor')}
        secondary={
          isEditor && (
            <Button
              icon="download"
              busy={download.busy}
              onClick={() => void download.run({ kind: 'matching', ...who })}
            >
              {isFiltered && live.count !== null ? `Export ${count(live.count, 'contact', 'contacts')}` : 'Export'}
            </Button>
          )
        }
        primary={
          isEditor && (
            <Menu
              main
              kind="primary"
              label="Add contact"
              items={[
                { label: 'Add one', icon: 'user', onSelect: () => add(true) },
                { label: 'Import a file', icon: 'upload', href: link('/imports/new') },
                { label: 'Sign-up form', icon: 'code', href: link('/lists') },
              ]}
            />
          )
        }
      />
      <div class="stack">
        <Filters
          filter={filter}
          live={live}
          around={around}
          look={
            <>
              <Order shown={filter.shown} onChange={(order) => route(filter.hrefOf({ order }))} />
              {chooser}
            </>
          }
        />
        {job && <JobLine job={job} onClose={() => setJob(null)} />}
        <People
          filter={filter}
          columns={columns}
          total={live.is_old ? null : live.count}
          onStarted={setJob}
          onAdd={() => add(true)}
        />
      </div>
      {isEditor && adding && (
        <AddContact
          around={around}
          onClose={() => {
            add(false)
            if (query['add'] !== undefined) route(filter.hrefOf({}), true)
          }}
        />
      )}
    </>
  )
}

const NONE: readonly never[] = []

interface PeopleProps {
  filter: Filter
  columns: readonly Column<Contact>[]
  /** How many match; null while they are counted. */
  total: number | null
  onStarted: (job: RunningJob) => void
  onAdd: () => void
}

function People({ filter, columns, total, onStarted, onAdd }: PeopleProps) {
  const { shown } = filter
  const { route } = useLocation()
  const list = useRead('contacts/list', listBody(shown))
  const answer = useLast(list.data)
  const page = JSON.stringify(shown)
  const [picked, pick] = useState<{ page: string; ids: Set<string> }>({ page, ids: new Set() })
  const ids = picked.page === page ? picked.ids : new Set<string>()
  if (list.error && !list.data)
    return <ErrorNote title="Contacts could not be loaded." error={list.error} retry={list.reload} />
  const rows = answer?.items ?? null
  const isFiltered = Object.keys(whoOf(shown)).length > 0
  const more = answer?.next_cursor ?? null
  const chosen = rows?.filter(({ id }) => ids.has(String(id))) ?? []
  return (
    <>
      <Table
        caption="Contacts"
        columns={columns}
        rows={rows}
        row_key={({ id }) => String(id)}
        row_href={({ id }) => link(`/contacts/${id}`)}
        row_label={({ email }) => email}
        busy={list.busy}
        selection={can('editor') ? { selected: ids, onChange: (selected) => pick({ page, ids: selected }) } : undefined}
        empty={isFiltered || shown.cursor ? <Nobody filter={filter} /> : <NobodyYet onAdd={onAdd} />}
      />
      {rows !== null && rows.length > 0 && (
        <Pager
          {...keyPages({ cursor: shown.cursor, next: more, go: (cursor) => route(filter.hrefOf({ cursor })) })}
          newer_label={shown.order === 'newest' ? 'Newer' : 'Older'}
          older_label={shown.order === 'newest' ? 'Older' : 'Newer'}
          size={shown.size}
          sizes={SIZES}
          onSize={(size) => route(filter.hrefOf({ size }), true)}
        />
      )}
      {can('editor') && rows !== null && (
        <BulkBar
          picked={chosen}
          is_page={chosen.length > 0 && chosen.length === rows.length && (more !== null || shown.cursor !== undefined)}
          matching={{ kind: 'matching', ...whoOf(shown) }}
          total={total}
          onPage={
            chosen.length < rows.length
              ? () => pick({ page, ids: new Set(rows.map(({ id }) => String(id))) })
              : undefined
          }
          onClear={() => pick({ page, ids: new Set() })}
          onStarted={onStarted}
        />
      )}
    </>
  )
}

function Order({ shown, onChange }: { shown: ContactsQuery; onChange: (order: ContactsQuery['order']) => void }) {
  return (
    <Select
      label="Order"
      label_hidden
      value={shown.order}
      options={[
        { value: 'newest', label: 'Newest first' },
        { value: 'oldest', label: 'Oldest first' },
      ]}
      onInput={(order) => onChange(order as ContactsQuery['order'])}
    />
  )
}

function Nobody({ filter }: { filter: Filter }) {
  return <Empty sentence="No contact matches." action={<Button onClick={filter.clear}>Clear filters</Button>} />
}

function NobodyYet({ onAdd }: { onAdd: () => void }) {
  if (!can('editor')) return <Empty sentence="Nobody is here yet. Contacts are the people who get your letters." />
  return (
    <Empty
      sentence="Nobody is here yet. Contacts are the people who get your letters."
      action={
        <Button kind="primary" href={link('/imports/new')}>
          Import a file
        </Button>
      }
      guide={
        <>
          <Button onClick={onAdd}>Add a contact</Button>
          <Button href={link('/lists')}>Copy the sign-up form</Button>
        </>
      }
    />
  )
}
