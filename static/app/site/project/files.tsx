import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useRef } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { callKey } from '../../../../src/shared/app-document.ts'
import { useQuery } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import { ownPicture } from '../../api/own-picture.ts'
import { type Picture, uploadPicture } from '../../letter/pictures.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/callout.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { bytes } from '../../ui/format.ts'
import { keyPages } from '../../ui/key-pages.ts'
import { PageHead } from '../../ui/page.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { FileDrawer } from './file-drawer.tsx'

const FILES = '/project/files/'

/** The pictures of the project: upload, description, search and deletion. */
export default function Files({ query: { after, file } }: PageProps) {
  const { route } = useLocation()
  const chooser = useRef<HTMLInputElement>(null)
  const isOver = useSignal(false)
  const body = { project_id: projectId(), limit: 48, ...(after === undefined ? {} : { cursor: after }) }
  const { data, error, reload } = useQuery(callKey(`${FILES}list`, body), () => send('POST /project/files/list', body))
  const upload = useAction(uploadAll, {
    invalidates: [FILES],
    done: (kept) => toast({ text: kept === 1 ? 'The picture is kept.' : `${kept} pictures are kept.`, tone: 'good' }),
  })
  const take = (files: FileList | null | undefined) => {
    if (files?.length) void upload.run([...files])
  }
  const choose = (
    <Button kind="primary" icon="upload" main busy={upload.busy} onClick={() => chooser.current!.click()}>
      Add pictures
    </Button>
  )
  return (
    <div
      class="files-page"
      data-over={isOver.value ? '' : undefined}
      onDragOver={(event) => {
        if (!can('editor') || !event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        if (!isOver.value) return
        event.preventDefault()
        isOver.value = false
        take(event.dataTransfer?.files)
      }}
    >
      <PageHead
        title="Files"
        lead="Pictures for letters and pages: png, jpeg, gif or webp, up to 5 MB each. Drop them anywhere here."
        primary={can('editor') && choose}
      />
      <input
        ref={chooser}
        class="visually-hidden"
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      {!can('editor') && <p class="page-note">{whoMay('Adding and changing pictures', 'editor')}</p>}
      <FlawSummary title="A picture was not kept." error={upload.error} />
      {error && <ErrorNote title="Files could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={6} />}
      {data?.items.length === 0 && (
        <Empty
          sentence="Pictures that you add here can be put into letters and pages. They keep their address for good."
          action={can('editor') && choose}
        />
      )}
      {data && data.items.length > 0 && (
        <ul class="files" aria-label="Pictures">
          {data.items.map((picture) => (
            <li key={picture.id}>
              <a class="file" href={link('/files', { after, file: picture.id })}>
                <img src={ownPicture(picture.url) ?? picture.url} alt="" loading="lazy" />
                <span class="file-name">{picture.name}</span>
                <span class="quiet small">
                  {picture.width} × {picture.height}, {bytes(picture.bytes)}
                  {picture.alt === '' && ' · not described'}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <Pager
        {...keyPages({
          cursor: after,
          next: data?.next_cursor,
          go: (cursor) => route(link('/files', { after: cursor })),
        })}
      />
      {file !== undefined && (
        <FileDrawer key={file} file_id={Number(file)} onClose={() => route(link('/files', { after }))} />
      )}
    </div>
  )
}

/** One after another, so that the service encodes one picture at a time. Returns how many were stored. */
async function uploadAll(files: readonly File[]): Promise<number> {
  const kept: Picture[] = []
  for (const file of files) kept.push(await uploadPicture(file))
  return kept.length
}
