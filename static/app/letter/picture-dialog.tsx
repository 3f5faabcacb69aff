import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { projectId } from '../api/data.ts'
import { useQuery } from '../api/query.ts'
import { count } from '../ui/format.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { placeBlock, setProps, spotAfter } from './acts.ts'
import { useEditor } from './context.ts'
import { findBlock, newBlockId } from './document.ts'
import type { Panel } from './editor.ts'
import { ownPicture } from '../api/own-picture.ts'
import { listPictures, type Picture, uploadPicture } from './pictures.ts'

type From = 'upload' | 'files' | 'address'

interface Chosen {
  src: string
  alt: string
  width?: number
}

/** Chooses a picture, and asks for its description. */
export function PictureDialog({ panel }: { panel: Extract<Panel, { kind: 'picture' }> }) {
  const editor = useEditor()
  const from = useSignal<From>('upload')
  const chosen = useSignal<Chosen | null>(null)
  const address = useSignal('')
  const alt = useSignal(altOf())
  const upload = useAction((file: File) => uploadPicture(file), {
    invalidates: ['/project/files/list'],
    done: (picture) => take(picture),
  })
  const input = useRef<HTMLInputElement>(null)
  const [file, ...rest] = panel.files ?? []
  useEffect(() => {
    if (file) void upload.run(file)
  }, [])
  const close = () => {
    editor.panel.value = null
    editor.focusing.value++
  }
  const picked =
    chosen.value ?? (from.value === 'address' && isAddress(address.value) ? { src: address.value, alt: '' } : null)
  return (
    <Dialog
      title={panel.id === undefined ? 'Add a picture' : 'Choose another picture'}
      onClose={close}
      wide
      actions={
        <>
          <Button
            kind="primary"
            type="submit"
            form="picture"
            disabled_reason={picked === null && 'Choose a picture first.'}
          >
            {panel.id === undefined ? 'Add the picture' : 'Use this picture'}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </>
      }
    >
      <form
        id="picture"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (picked) use(picked)
        }}
      >
        {rest.length > 0 && <p class="quiet">{count(rest.length, 'more picture follows', 'more pictures follow')}.</p>}
        <FlawSummary error={upload.error} title="The picture could not be kept." />
        {chosen.value ? (
          <div class="picture-chosen">
            <img src={ownPicture(chosen.value.src) ?? undefined} alt="" />
            <Button small onClick={() => (chosen.value = null)}>
              Choose another
            </Button>
          </div>
        ) : (
          <Tabs
            label="Where the picture comes from"
            value={from.value}
            onChange={(tab: From) => (from.value = tab)}
            tabs={[
              { id: 'upload', label: 'Upload' },
              { id: 'files', label: 'Files of the project' },
              { id: 'address', label: 'Address' },
            ]}
          >
            {from.value === 'upload' && (
              <div class="picture-drop">
                <p>PNG, JPEG, GIF or WebP, up to 5 MB. You can also drop a picture on the letter, or paste it.</p>
                <Button icon="upload" busy={upload.busy} onClick={() => input.current!.click()}>
                  Choose a file
                </Button>
                <input
                  ref={input}
                  type="file"
                  hidden
                  accept="image/png,image/jpeg,image/gif,image/webp"
                  onChange={(event) => {
                    const [first] = event.currentTarget.files ?? []
                    if (first) void upload.run(first)
                  }}
                />
              </div>
            )}
            {from.value === 'files' && <Files onPick={take} />}
            {from.value === 'address' && (
              <TextField
                label="Address of the picture"
                value={address.value}
                dir="ltr"
                placeholder="https://"
                hint="The picture must stay there: mail programs load it when the letter is opened."
                onInput={(value) => (address.value = value)}
              />
            )}
          </Tabs>
        )}
        <TextField
          label="What is seen?"
          hint="People who cannot see the picture read this. Leave it empty only for decoration."
          value={alt.value}
          maxlength={1000}
          onInput={(value) => (alt.value = value)}
        />
      </form>
    </Dialog>
  )

  function altOf(): string {
    const found = panel.id === undefined ? null : findBlock(editor.content.peek().document, panel.id)
    return String(found?.block.props['alt'] ?? '')
  }

  function take(picture: Picture): void {
    chosen.value = { src: picture.url, alt: picture.alt, width: picture.width }
    if (alt.peek() === '') alt.value = picture.alt
  }

  function use({ src, width }: Chosen): void {
    const props = { src, alt: alt.peek().trim(), width: width !== undefined && width < NARROW ? width : undefined }
    editor.panel.value = null
    if (panel.id !== undefined) {
      setProps(editor, panel.id, props)
      editor.select(panel.id, 'block')
    } else if (panel.spot) {
      const given = Object.entries(props).filter(([, value]) => value !== undefined)
      const block = { id: newBlockId(), type: 'image', props: Object.fromEntries(given) }
      placeBlock(editor, block, panel.spot)
      const spot = spotAfter(editor.content.peek().document, block.id)
      if (rest.length > 0) editor.panel.value = { kind: 'picture', files: rest, spot }
    }
  }
}

/** A picture narrower than a letter keeps its width, so that it is not enlarged. */
const NARROW = 520

function isAddress(text: string): boolean {
  return /^https?:\/\/\S+\.\S+$/i.test(text)
}

function Files({ onPick }: { onPick(picture: Picture): void }) {
  const { data, error, reload } = useQuery(`/project/files/list ${projectId()}`, () => listPictures())
  if (error) return <ErrorNote title="The files could not be loaded." error={error} retry={reload} />
  if (data?.items.length === 0) return <p class="quiet">No picture was kept here yet.</p>
  return (
    <ul class="picture-list" aria-busy={data === undefined}>
      {data?.items.map((picture) => (
        <li key={picture.id}>
          <button type="button" onClick={() => onPick(picture)}>
            <img src={ownPicture(picture.url) ?? undefined} alt="" loading="lazy" />
            <span>{picture.alt || picture.name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
