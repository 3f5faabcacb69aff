import { useState } from 'preact/hooks'
import type { RouteResponse } from '../../api/calls.ts'
import { can, whoMay } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { day, number } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useDirectories } from './content.ts'
import { ItemDialog } from './item-dialog.tsx'

type Directory = RouteResponse<'POST /project/directory/list'>['directories'][number]

/** The directories of the project: lists that apps and sites show. */
export default function Directories() {
  const { data, error, busy, reload } = useDirectories()
  const [isNew, setNew] = useState(false)
  const create = can('editor') && (
    <Button kind="primary" icon="plus" main onClick={() => setNew(true)}>
      New entry
    </Button>
  )
  return (
    <>
      <PageHead
        title="Directory"
        count={data?.directories.length}
        lead={
          can('editor')
            ? 'Lists such as shops, people or events. Connected apps read them and show them on your pages.'
            : whoMay('Changing the directory', 'editor')
        }
        primary={create}
      />
      {error && !data ? (
        <ErrorNote title="The directory could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Directories"
          columns={COLUMNS}
          rows={data?.directories ?? null}
          busy={busy}
          row_key={({ directory }) => directory}
          row_href={({ directory }) => link(`/directory/${encodeURIComponent(directory)}`)}
          empty={
            <Empty
              sentence="Keep a list of shops, people or events here, and let an app show it on your pages."
              action={create}
            />
          }
        />
      )}
      {isNew && <ItemDialog item={null} directory="" onClose={() => setNew(false)} />}
    </>
  )
}

const COLUMNS: readonly Column<Directory>[] = [
  { id: 'name', head: 'Directory', card: 'title', cell: ({ directory }) => directory },
  { id: 'items', head: 'Entries', align: 'end', cell: ({ items }) => number(items) },
  { id: 'changed', head: 'Changed', tight: true, cell: ({ last_update }) => day(last_update) },
]
