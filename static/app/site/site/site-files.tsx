import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { type RouteResponse, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { ApiError } from '../../api/errors.ts'
import { invalidate, type Query } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { bytes, count, day } from '../../ui/format.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { FILES, type SiteFile } from './content.ts'

const TAKEN = '.css,.txt,.json,.xml,.png,.jpg,.jpeg,.gif,.webp,.svg,.ico,.woff2'
const TIMEOUT_MS = 120_000

/** Style sheets, pictures, fonts and texts of the site. */
export function SiteFiles({ files }: { files: Query<RouteResponse<'POST /project/site-files/list'>> }) {
  const [deleting, setDeleting] = useState<SiteFile | null>(null)
  const isEditor = can('editor')
  const columns: Column<SiteFile>[] = [
    { id: 'path', head: 'Path', card: 'title', cell: ({ path }) => path },
    { id: 'type', head: 'Type', cell: ({ type }) => type.split(';')[0] },
    { id: 'size', head: 'Size', align: 'end', tight: true, cell: (file) => bytes(file.bytes) },
    { id: 'changed', head: 'Changed', tight: true, cell: ({ last_update }) => day(last_update) },
  ]
  if (isEditor)
    columns.push({
      id: 'delete',
      head: <span class="visually-hidden">Actions</span>,
      align: 'end',
      cell: (file) => (
        <Button small kind="quiet" onClick={() => setDeleting(file)}>
          Delete<span class="visually-hidden"> {file.path}</span>
        </Button>
      ),
    })
  if (files.error && !files.data)
    return <ErrorNote title="Files could not be loaded." error={files.error} retry={files.reload} />
  return (
    <div class="stack">
      {isEditor && <Upload />}
      <Table
        caption="Files of the site"
        columns={columns}
        rows={files.data?.files ?? null}
        busy={files.busy}
        row_key={({ id }) => String(id)}
        row_href={({ url }) => url}
        empty={<Empty sentence="Style sheets, pictures, fonts and robots.txt of your site are listed here." />}
      />
      {deleting && (
        <ConfirmDialog
          title={`Delete ${deleting.path}?`}
          verb="Delete the file"
          danger
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            await sendOnce('POST /project/site-files/delete', { project_id: projectId(), file_id: deleting.id })
            invalidate(FILES)
            toast({ text: `${deleting.path} is deleted.` })
          }}
        >
          <p>Pages that use it are shown without it. The file cannot be brought back.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** Uploads files one after the other; a file at the same path is replaced. */
function Upload() {
  const [folder, setFolder] = useState('/')
  const upload = useAction(
    async (chosen: readonly File[]) => {
      for (const file of chosen) await put(pathOf(folder, file.name), file)
      return chosen.length
    },
    { done: (taken) => toast({ text: `${count(taken, 'file is', 'files are')} on the site.`, tone: 'good' }) },
  )
  const take = async (files: File[]) => {
    await upload.run(files)
    invalidate(FILES)
  }
  return (
    <div class="stack">
      <FlawSummary title="A file was not taken. Those before it are on the site." error={upload.error} />
      <TextField
        label="Folder"
        hint="Where on the site the next files go, such as /css/. A file at the same path is replaced."
        dir="ltr"
        spellcheck={false}
        autocapitalize="none"
        value={folder}
        onInput={setFolder}
      />
      <DropZone
        label={upload.busy ? 'Putting them on the site…' : 'Choose files'}
        hint="or drop them here. Style sheets, pictures, WOFF2 fonts, TXT, JSON, XML; up to 4.9 MB."
        accept={TAKEN}
        multiple
        onFiles={take}
      />
    </div>
  )
}

function pathOf(folder: string, name: string): string {
  return `/${[...folder.split('/'), name].filter(Boolean).join('/')}`
}

/** Uploads one file. An error names the file. */
async function put(path: string, file: File): Promise<void> {
  const query = new URLSearchParams({ project_id: projectId(), path })
  try {
    await request<unknown>({
      method: 'POST',
      path: `/project/site-files/upload?${query}`,
      body: file,
      // Uploading the same file to the same path again changes nothing.
      is_repeatable: true,
      timeout_ms: TIMEOUT_MS,
    })
  } catch (error) {
    if (error instanceof ApiError) throw new ApiError(error.code, `${file.name}: ${error.message}`, error.about)
    throw error
  }
}
