import type { ComponentChildren } from 'preact'
import type { Contact, CustomField, List, Tag } from '../../api/operations.d.ts'
import { data } from '../../api/data.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { day } from '../../ui/format.ts'
import { Popover } from '../../ui/popover.tsx'
import { StateMark } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { fieldText } from '../people/field-text.ts'
import { useRemembered } from '../people/page-state.ts'

/** The names that cells show. */
export interface Around {
  lists: readonly List[]
  tags: readonly Tag[]
  fields: readonly CustomField[]
}

const STANDARD: Column<Contact>[] = [
  { id: 'name', head: 'Name', cell: ({ full_name }) => <Wrapped>{full_name}</Wrapped> },
  { id: 'status', head: 'Status', tight: true, cell: ({ global_status }) => <StateMark state={global_status} /> },
]
const LATER: Column<Contact>[] = [
  { id: 'joined', head: 'Joined', tight: true, card: 'hidden', cell: ({ created_at }) => day(created_at) },
  { id: 'changed', head: 'Changed', tight: true, cell: ({ updated_at }) => day(updated_at) },
  { id: 'consent', head: 'Consent from', cell: ({ consent_source }) => consent_source.replaceAll('_', ' ') },
]

const AT_FIRST = ['name', 'status', 'lists', 'joined']

/** The columns that the user chose for this project, and the menu to choose them. */
export function useColumns(around: Around) {
  const [chosen, choose] = useRemembered<string[]>(`masthead-columns-${data.project!.id}`, AT_FIRST)
  const all = columnsOf(around)
  const shown = [ADDRESS, ...all.filter(({ id }) => chosen.includes(id))]
  const chooser = (
    <Popover label="Columns" kind="quiet">
      <div class="stack stack-tight" role="group" aria-label="Columns to show">
        {all.map(({ id, head }) => (
          <Checkbox
            key={id}
            label={head}
            checked={chosen.includes(id)}
            onChange={(on) => choose(on ? [...chosen, id] : chosen.filter((other) => other !== id))}
          />
        ))}
      </div>
    </Popover>
  )
  return { columns: shown, chooser }
}

const ADDRESS: Column<Contact> = {
  id: 'email',
  head: 'Address',
  card: 'title',
  cell: ({ email }) => <span class="cell-wrap cell-address">{email}</span>,
}

function columnsOf({ lists, tags, fields }: Around): Column<Contact>[] {
  return [
    ...STANDARD,
    { id: 'lists', head: 'Lists', card: 'hidden', cell: (contact) => <Lists contact={contact} lists={lists} /> },
    { id: 'tags', head: 'Tags', cell: ({ tag_ids }) => <Wrapped>{few(namesOf(tag_ids, tags))}</Wrapped> },
    ...LATER,
    ...fields.map((field): Column<Contact> => {
      const isNumber = field.type === 'number'
      return {
        id: `custom.${field.key}`,
        head: field.label,
        align: isNumber ? 'end' : 'start',
        cell: ({ custom_fields }) => <Wrapped>{fieldText(custom_fields[field.key], field)}</Wrapped>,
      }
    }),
  ]
}

function Lists({ contact, lists }: { contact: Contact; lists: readonly List[] }) {
  const on = (wanted: string) => contact.lists.filter(({ status }) => status === wanted).map(({ list_id }) => list_id)
  const names = namesOf(on('subscribed'), lists)
  const waiting = namesOf(on('pending'), lists)
  return (
    <Wrapped>
      {few(names)}
      {waiting.length > 0 && (
        <span class="quiet">{`${names.length > 0 ? ', ' : ''}${few(waiting)} (not confirmed)`}</span>
      )}
    </Wrapped>
  )
}

/** Long values break, so that the table keeps its width. */
function Wrapped({ children }: { children: ComponentChildren }) {
  return <span class="cell-wrap">{children}</span>
}

const MAX_NAMES = 3

/** "Weekly, Offers and 2 more" */
function few(names: readonly string[]): string {
  if (names.length <= MAX_NAMES) return names.join(', ')
  return `${names.slice(0, MAX_NAMES - 1).join(', ')} and ${names.length - MAX_NAMES + 1} more`
}

function namesOf(ids: readonly number[], known: readonly { id: number; name: string }[]): string[] {
  return ids.flatMap((id) => known.find((entry) => entry.id === id)?.name ?? [])
}
