import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
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
import { day } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useLast } from '../people/page-state.ts'
import { DIRECTORY, type Item, useDirectories } from './content.ts'
import { ItemDialog } from './item-dialog.tsx'
import { Values } from './values.tsx'

const PAGE_SIZE = 50

/** The entries of one directory. */
export default function Directory({ params, query }: PageProps) {
  const { route } = useLocation()
  const directory = decodeURIComponent(params.name!)
  const offset = Math.max(0, Math.floor(Number(query.from) || 0))
  // One more entry than is shown, to find out whether there are further ones.
  const asked = { directory, offset, limit: PAGE_SIZE + 1 }
  const list = useQuery(callKey(`${DIRECTORY}items/list`, asked), () =>
    send('POST /project/directory/items/list', { project_id: projectId(), ...asked }),
  )
  const items = useLast(list.data)?.items
  const total = useDirectories().data?.directories.find((one) => one.directory === directory)?.items
  const [edited, edit] = useState<Item | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Item | null>(null)
  const isEditor = can('editor')
  const go = (from: number) => route(link(`/directory/${params.name}`, { from: from || null }), true)
  const create = isEditor && (
    <Button kind="primary" icon="plus" main onClick={() => edit('new')}>
      New entry
    </Button>
  )
  const columns: Column<Item>[] = [
    { id: 'title', head: 'Title', card: 'title', cell: ({ title }) => title },
    { id: 'slug', head: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
    { id: 'fields', head: 'Fields', cell: ({ fields }) => <Values of={fields} /> },
    { id: 'changed', head: 'Changed', tight: true, cell: ({ last_update }) => day(last_update) },
  ]
  if (isEditor)
    columns.push({
      id: 'do',
      head: <span class="visually-hidden">Actions</span>,
      align: 'end',
      cell: (item) => (
        <Menu
          small
          kind="quiet"
          icon="more"
          label={`Actions for ${item.title}`}
          items={[
            { label: 'Change', icon: 'pencil', onSelect: () => edit(item) },
            { label: 'Delete', icon: 'trash', danger: true, onSelect: () => setDeleting(item) },
          ]}
        />
      ),
    })
  return (
    <>
      <PageHead
        title={directory}
        count={total}
        back={{ href: link('/directory'), label: 'Directory' }}
        lead={isEditor ? undefined : whoMay('Changing the directory', 'editor')}
        primary={create}
      />
      {list.error && !list.data ? (
        <ErrorNote title="The entries could not be loaded." error={list.error} retry={list.reload} />
      ) : (
        <Table
          caption={`Entries of ${directory}`}
          columns={columns}
          rows={items?.slice(0, PAGE_SIZE) ?? null}
          busy={list.busy}
          row_key={({ id }) => String(id)}
          empty={<Empty sentence="There is no entry here. A directory is gone with its last entry." action={create} />}
        />
      )}
      <Pager
        newer={offset > 0}
        older={items !== undefined && items.length > PAGE_SIZE}
        newer_label="Before"
        older_label="After"
        onNewer={() => go(Math.max(0, offset - PAGE_SIZE))}
        onOlder={() => go(offset + PAGE_SIZE)}
      />
      {edited && (
        <ItemDialog item={edited === 'new' ? null : edited} directory={directory} onClose={() => edit(null)} />
      )}
      {deleting && (
        <ConfirmDialog
          title={`Delete “${deleting.title}”?`}
          verb="Delete the entry"
          danger
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            await sendOnce('POST /project/directory/items/delete', { project_id: projectId(), item_id: deleting.id })
            invalidate(DIRECTORY)
            toast({ text: `“${deleting.title}” is deleted.` })
          }}
        >
          <p>Apps that show this directory no longer find it. The entry cannot be brought back.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
