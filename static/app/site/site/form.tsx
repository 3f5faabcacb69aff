import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { callKey } from '../../../../src/shared/app-document.ts'
import { invalidate, useQuery } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { count, dateTime } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Pager, SelectionBar } from '../../ui/table-parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { keyPages } from '../../ui/key-pages.ts'
import { useLast } from '../people/page-state.ts'
import { FORMS, type FormEntry, useForms } from './content.ts'
import { FormSettingsDialog, settingsFor, SettingsWords, useFormSettings } from './form-settings.tsx'
import { Values } from './values.tsx'

/** From this number on, the user has to type the number before deleting. */
const TYPED_FROM = 100

/** What to delete: entries by their ids, or all entries of the form. */
interface Deletion {
  ids: number[] | null
  count: number
}

/** The entries of one form, newest first. */
export default function Form({ params, query }: PageProps) {
  const { route } = useLocation()
  const form = decodeURIComponent(params.name!)
  const asked = { form, limit: 50, ...(query.from && { cursor: query.from }) }
  const list = useQuery(callKey(`${FORMS}list`, asked), () =>
    send('POST /project/form-entries/list', { project_id: projectId(), ...asked }),
  )
  const shown = useLast(list.data)
  const total = useForms().data?.forms.find((one) => one.form === form)?.entries
  const [selected, select] = useState<Set<string>>(new Set())
  const [deleting, setDeleting] = useState<Deletion | null>(null)
  const settings = useFormSettings().data?.settings
  const [isChanging, setChanging] = useState(false)
  useEffect(() => select(new Set()), [query.from])
  const isEditor = can('editor')
  const columns: Column<FormEntry>[] = [
    { id: 'sent', head: 'Sent', card: 'title', tight: true, cell: ({ created_on }) => dateTime(created_on) },
    { id: 'fields', head: 'What was sent', cell: ({ fields }) => <Values of={fields} /> },
  ]
  if (isEditor)
    columns.push({
      id: 'delete',
      head: <span class="visually-hidden">Actions</span>,
      align: 'end',
      tight: true,
      cell: ({ id, created_on }) => (
        <Button small kind="quiet" onClick={() => setDeleting({ ids: [id], count: 1 })}>
          Delete<span class="visually-hidden"> the entry of {dateTime(created_on)}</span>
        </Button>
      ),
    })
  return (
    <>
      <PageHead
        title={form}
        count={total}
        back={{ href: link('/forms'), label: 'Forms' }}
        lead={
          isEditor
            ? settings && <SettingsWords settings={settingsFor(settings, form)} />
            : whoMay('Exporting and deleting entries', 'editor')
        }
        secondary={
          isEditor && (
            <>
              {settings && <Button onClick={() => setChanging(true)}>Settings</Button>}
              {Boolean(total) && (
                <>
                  <Button icon="download" href={exportAddress(form)} download="form-entries.csv">
                    Export CSV
                  </Button>
                  <Button icon="trash" onClick={() => setDeleting({ ids: null, count: total! })}>
                    Delete all
                  </Button>
                </>
              )}
            </>
          )
        }
      />
      {list.error && !list.data ? (
        <ErrorNote title="The entries could not be loaded." error={list.error} retry={list.reload} />
      ) : (
        <Table
          caption={`Entries of ${form}`}
          columns={columns}
          rows={shown?.items ?? null}
          busy={list.busy}
          row_key={({ id }) => String(id)}
          row_label={({ created_on }) => `the entry of ${dateTime(created_on)}`}
          selection={isEditor ? { selected, onChange: select } : undefined}
          empty={
            <Empty sentence="This form has no entries." action={<Button href={link('/forms')}>All forms</Button>} />
          }
        />
      )}
      {shown && (
        <Pager
          {...keyPages({
            cursor: query.from,
            next: shown.next_cursor,
            go: (from) => route(link(`/forms/${params.name}`, { from }), true),
          })}
        />
      )}
      <SelectionBar count={selected.size} onClear={() => select(new Set())}>
        <Button
          kind="danger"
          onClick={() => setDeleting({ ids: [...selected].map(Number), count: selected.size })}
        >{`Delete ${entries(selected.size)}`}</Button>
      </SelectionBar>
      {isChanging && (
        <FormSettingsDialog
          form={form}
          all={settings!}
          fields={[...new Set((shown?.items ?? []).flatMap(({ fields }) => Object.keys(fields)))]}
          onClose={() => setChanging(false)}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title={`Delete ${entries(deleting.count)}?`}
          verb={`Delete ${entries(deleting.count)}`}
          danger
          typed={deleting.count >= TYPED_FROM ? String(deleting.count) : undefined}
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            const deleted = await deleteEntries(form, deleting.ids)
            select(new Set())
            invalidate(FORMS)
            toast({ text: `${count(deleted, 'entry is', 'entries are')} deleted.` })
            if (query.from) route(link(`/forms/${params.name}`), true)
          }}
        >
          <p>What was sent is gone for good{deleting.ids ? '' : ', entries that come meanwhile included'}.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function entries(number: number): string {
  return count(number, 'entry', 'entries')
}

function exportAddress(form: string): string {
  return `/project/form-entries/export?${new URLSearchParams({ project_id: projectId(), form })}`
}

/** Deletes in as many requests as needed. Returns how many were deleted. */
async function deleteEntries(form: string, ids: number[] | null): Promise<number> {
  const which = ids ? { entry_ids: ids } : { form }
  let total = 0
  for (;;) {
    const { deleted, left } = await sendOnce('POST /project/form-entries/delete', { project_id: projectId(), ...which })
    total += deleted
    if (left === 0 || deleted === 0) return total
  }
}
