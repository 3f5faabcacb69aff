import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { callKey } from '../../../../src/shared/app-document.ts'
import { invalidate, useQuery } from '../../api/query.ts'
import { can } from '../../api/role.ts'
import { ownPicture } from '../../api/own-picture.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Code } from '../../ui/code.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { StateMark } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'

type Found = RouteResponse<'POST /project/files/get'>
const FILES = '/project/files/'

/** One picture: its description, its address, and where it is used. */
export function FileDrawer({ file_id, onClose }: { file_id: number; onClose(): void }) {
  const body = { project_id: projectId(), file_id }
  const { data, error, reload } = useQuery(callKey(`${FILES}get`, body), () => send('POST /project/files/get', body))
  return (
    <Drawer title={data?.file.name ?? 'Picture'} onClose={onClose}>
      {error && <ErrorNote title="The picture could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && <Words key={data.file.id} found={data} onClose={onClose} />}
    </Drawer>
  )
}

function Words({ found: { file, used_by }, onClose }: { found: Found; onClose(): void }) {
  const name = useSignal(file.name)
  const alt = useSignal(file.alt)
  const isAsked = useSignal(false)
  const save = useAction(
    () =>
      sendOnce('POST /project/files/update', {
        project_id: projectId(),
        file_id: file.id,
        name: name.value,
        alt: alt.value,
      }),
    { invalidates: [FILES], done: () => toast({ text: 'The picture is described.', tone: 'good' }) },
  )
  return (
    <div class="stack">
      <img class="file-large" src={ownPicture(file.url) ?? file.url} alt={file.alt} />
      {can('editor') ? (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void save.run(undefined)
          }}
        >
          <FlawSummary error={save.error} />
          <TextArea
            label="What is to be seen"
            hint="Read out to those who do not see the picture. Letters take it over."
            rows={2}
            value={alt.value}
            onInput={(value) => (alt.value = value)}
            flaw={save.error?.flawOf('/alt')}
          />
          <TextField
            label="Name"
            value={name.value}
            onInput={(value) => (name.value = value)}
            flaw={save.error?.flawOf('/name')}
          />
          <div class="row row-apart">
            <Button
              kind="primary"
              type="submit"
              busy={save.busy}
              disabled={name.value === file.name && alt.value === file.alt}
            >
              Save
            </Button>
            <Button kind="quiet" icon="trash" onClick={() => (isAsked.value = true)}>
              Delete
            </Button>
          </div>
        </form>
      ) : (
        <p>{file.alt || <span class="quiet">Not described.</span>}</p>
      )}
      <Code label="Address" text={file.url} wrap />
      <h3 class="app-part">Used in</h3>
      {used_by.length === 0 ? (
        <p class="quiet">No letter and no template shows it.</p>
      ) : (
        <ul class="stack stack-tight">
          {used_by.map(({ type, id, name: title, status }) => (
            <li class="row" key={`${type} ${id}`}>
              <a href={link(`/${type}s/${id}`)}>{title}</a>
              {status === null ? <span class="quiet">Template</span> : <StateMark state={status} />}
            </li>
          ))}
        </ul>
      )}
      {isAsked.value && (
        <ConfirmDialog
          title={`Delete ${file.name}?`}
          verb={
            used_by.length === 0 ? 'Delete the picture' : `Delete it from ${count(used_by.length, 'place', 'places')}`
          }
          danger
          onClose={() => (isAsked.value = false)}
          onConfirm={async () => {
            const force = used_by.length > 0
            await sendOnce('POST /project/files/delete', { project_id: projectId(), file_id: file.id, force })
            invalidate(FILES)
            toast({ text: `${file.name} is deleted.` })
            onClose()
          }}
        >
          <p>
            {used_by.length === 0
              ? 'Its address leads nowhere afterwards.'
              : 'Letters that show it have a gap there afterwards, also those that were sent.'}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
