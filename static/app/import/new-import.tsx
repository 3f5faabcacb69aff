import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAction, useMutation } from '../api/action.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Code } from '../ui/code.tsx'
import { DropZone } from '../ui/drop-zone.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextArea } from '../ui/field.tsx'
import { bytes } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { Progress } from '../ui/progress.tsx'
import { ImportSteps } from './import-steps.tsx'
import { MAX_BYTES, uploadParts } from './upload.ts'

/** The first step of an import: a file, or pasted rows. */
export default function NewImport() {
  const { route } = useLocation()
  const [text, setText] = useState('')
  const [tooLarge, setTooLarge] = useState<File | null>(null)
  const [uploaded, setUploaded] = useState<File | null>(null)
  const create = useMutation('imports/create', {
    invalidates: ['imports/'],
    done: ({ import: { id } }) => route(link(`/imports/${id}`, { step: 'columns' }), true),
  })
  const [received, setReceived] = useState(0)
  const upload = useAction((file: File) => uploadParts(file, setReceived), {
    invalidates: ['imports/'],
    done: (id) => route(link(`/imports/${id}`, { step: 'columns' }), true),
  })
  // The bytes of a file are sent, never its text: the service finds the encoding, which a browser would guess wrong.
  const take = async (file: File) => {
    setTooLarge(file.size > MAX_BYTES ? file : null)
    if (file.size > MAX_BYTES) return
    setReceived(0)
    setUploaded(file)
    await upload.run(file)
  }
  return (
    <div class="import">
      <PageHead
        title="Import contacts"
        lead="Nothing changes before you have seen what it would do."
        back={{ href: link('/imports'), label: 'Imports' }}
      />
      <ImportSteps current="file" record={null} />
      <FlawSummary title="The file could not be read." error={create.error ?? upload.error} />
      {upload.busy && uploaded && (
        <Progress
          label={`Uploading ${uploaded.name}`}
          value={received}
          max={uploaded.size}
          note={`${bytes(received)} of ${bytes(uploaded.size)}`}
        />
      )}
      {tooLarge && (
        <Callout
          tone="wait"
          title={`${tooLarge.name} has ${bytes(tooLarge.size)}; this page takes ${bytes(MAX_BYTES)}.`}
        >
          <p>Larger files go through the command line, also while the service runs:</p>
          <Code label="Command" text={`masthead contacts import PROJECT ${tooLarge.name}`} />
        </Callout>
      )}
      <DropZone
        label={upload.busy ? 'Reading the file…' : 'Choose a CSV file'}
        hint={`or drop it here. Comma, semicolon or tab; up to ${bytes(MAX_BYTES)}.`}
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        onFiles={([file]) => take(file!)}
      />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void create.run({ csv: text, filename: '' })
        }}
      >
        <TextArea
          label="Or paste rows"
          placeholder={'email,first_name\nada@example.com,Ada'}
          rows={4}
          value={text}
          onInput={setText}
        />
        <div class="row">
          <Button type="submit" busy={create.busy} disabled={text.trim() === ''}>
            Go on with these rows
          </Button>
        </div>
      </form>
    </div>
  )
}
