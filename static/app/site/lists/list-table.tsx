import { useLocation } from 'preact-iso'
import { useMutation } from '../../api/action.ts'
import type { ResponseOf } from '../../api/calls.ts'
import type { List } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import type { Query } from '../../api/query.ts'
import { packRules } from '../../rules/address.ts'
import { link } from '../../api/link.ts'
import { AddressSearch } from '../../ui/address-search.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { Checkbox, Switch } from '../../ui/choice.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { number } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/state.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { ListMenu } from './list-menu.tsx'

type Counts = ResponseOf<'contacts/stats'>['by_list']

interface ListTableProps {
  lists: Query<readonly List[]>
  /** Undefined while they load. */
  counts: Counts | undefined
  query: Record<string, string>
  onAdd: () => void
}

const PAGE_SIZE = 50
/** Fewer lists are seen at a glance. */
const SEARCHED_FROM = 10

/** The lists, with the number of people of each status. */
export function ListTable({ lists, counts, query, onAdd }: ListTableProps) {
  const { route } = useLocation()
  if (lists.error && !lists.data)
    return <ErrorNote title="Lists could not be loaded." error={lists.error} retry={lists.reload} />
  const archived = lists.data?.filter((list) => list.archived).length ?? 0
  const with_archived = query.archived === '1'
  const search = (query.search ?? '').toLowerCase()
  const found = lists.data?.filter(
    ({ name, archived: is_archived }) => (with_archived || !is_archived) && name.toLowerCase().includes(search),
  )
  const pages = Math.max(1, Math.ceil((found?.length ?? 0) / PAGE_SIZE))
  const page = Math.min(Math.max(1, Math.floor(Number(query.page)) || 1), pages)
  const shown = found?.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) ?? null
  const go = (changes: Record<string, string | null>) =>
    route(link('/lists', { ...query, page: null, ...changes }), true)
  const countOf = (id: number) => counts?.find(({ list_id }) => list_id === id)
  const columns: Column<List>[] = [
    { id: 'name', head: 'Name', card: 'title', cell: (list) => <Name list={list} /> },
    { id: 'confirm', head: 'Asks to confirm', cell: (list) => <Confirms list={list} /> },
    {
      id: 'subscribed',
      head: 'Subscribed',
      align: 'end',
      cell: (list) => <People list={list} status="subscribed" count={countOf(list.id)?.subscribed} />,
    },
    {
      id: 'pending',
      head: 'Not confirmed',
      align: 'end',
      cell: (list) => <People list={list} status="pending" count={countOf(list.id)?.pending} />,
    },
    {
      id: 'left',
      head: 'Left',
      align: 'end',
      card: 'hidden',
      cell: (list) => <People list={list} status="unsubscribed" count={countOf(list.id)?.unsubscribed} />,
    },
    {
      id: 'form',
      head: 'Joined by',
      cell: (list) => <a href={link(`/lists/${list.id}/form`)}>Sign-up form</a>,
    },
    {
      id: 'menu',
      head: <span class="visually-hidden">Actions</span>,
      align: 'end',
      cell: (list) => <ListMenu list={list} people={countOf(list.id)?.subscribed} />,
    },
  ]
  return (
    <div class="stack">
      {((lists.data?.length ?? 0) > SEARCHED_FROM || search !== '') && (
        <AddressSearch
          label="Search lists"
          value={query.search ?? ''}
          onSearch={(text) => go({ search: text === '' ? null : text })}
        />
      )}
      <Table
        caption="Lists"
        columns={columns}
        rows={shown}
        row_key={({ id }) => String(id)}
        busy={lists.busy}
        empty={
          search !== '' ? (
            <Empty
              sentence="No list matches."
              action={<Button onClick={() => go({ search: null })}>Clear the search</Button>}
            />
          ) : (
            <Empty
              sentence="A list is what people join: a weekly letter, offers, news of a project."
              action={
                can('editor') && (
                  <Button kind="primary" icon="plus" onClick={onAdd}>
                    New list
                  </Button>
                )
              }
            />
          )
        }
      />
      {pages > 1 && (
        <Pager
          newer={page > 1}
          older={page < pages}
          newer_label="Before"
          older_label="After"
          onNewer={() => go({ page: page === 2 ? null : String(page - 1) })}
          onOlder={() => go({ page: String(page + 1) })}
        />
      )}
      {archived > 0 && (
        <Checkbox
          label={`Show archived lists (${number(archived)})`}
          checked={with_archived}
          onChange={(on) => go({ archived: on ? '1' : null })}
        />
      )}
    </div>
  )
}

function Name({ list: { id, name, description, public: isPublic, archived } }: { list: List }) {
  return (
    <span class="cell-name">
      <span class="row">
        <a class="table-link" href={link('/contacts', { filter: onList(id, 'subscribed') })}>
          {name}
        </a>
        {archived && <StatusBadge>Archived</StatusBadge>}
        {!isPublic && <StatusBadge>Not public</StatusBadge>}
      </span>
      {description && <span class="cell-note">{description}</span>}
    </span>
  )
}

function Confirms({ list }: { list: List }) {
  const update = useMutation('lists/update', { invalidates: ['lists/'] })
  if (!can('editor')) return list.double_opt_in ? 'Yes' : 'No'
  const set = async (double_opt_in: boolean) => {
    const done = await update.run({ list_id: list.id, double_opt_in })
    if (!done) return
    const text = double_opt_in
      ? `Whoever joins “${list.name}” from now on is asked to confirm. Members stay as they are.`
      : `Whoever joins “${list.name}” from now on is on it at once. Members stay as they are.`
    toast({ text, undo: () => void update.run({ list_id: list.id, double_opt_in: !double_opt_in }) })
  }
  return (
    <Switch
      label={`${list.name} asks people to confirm`}
      label_hidden
      checked={list.double_opt_in}
      busy={update.busy}
      onChange={(on) => void set(on)}
    />
  )
}

type Status = 'subscribed' | 'pending' | 'unsubscribed'

/** A rule for the people with a status on a list, for an address. */
function onList(id: number, status: Status): string {
  const rule = { field: 'list', operator: 'in' as const, value: [id], ...(status !== 'subscribed' && { status }) }
  return packRules({ op: 'and', rules: [rule] })
}

function People({ list, status, count }: { list: List; status: Status; count: number | undefined }) {
  if (count === undefined) return list.archived ? '–' : '…'
  if (count === 0) return '0'
  return (
    <a class="table-link" href={link('/contacts', { filter: onList(list.id, status) })}>
      {number(count)}
    </a>
  )
}
