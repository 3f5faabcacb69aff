import { useSignal } from '@preact/signals'
import { useMutation } from '../api/action.ts'
import type { EmailDocument } from '../api/operations.d.ts'
import { link } from '../shell/place.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'
import { useEditor } from './context.ts'
import type { Content } from './editor.ts'

/** Saves the letter as a template of its own. */
export function TemplateDialog({ content }: { content: Content }) {
  const editor = useEditor()
  const name = useSignal(content.name)
  const close = () => (editor.panel.value = null)
  const create = useMutation('templates/create', {
    invalidates: ['templates/'],
    done: ({ template }) => {
      close()
      toast({
        text: `Saved as the template “${template.name}”.`,
        tone: 'good',
        action: { label: 'Open it', href: link(`/templates/${template.id}`) },
      })
    },
  })
  return (
    <Dialog
      title="Save as template"
      onClose={close}
      actions={
        <Button kind="primary" type="submit" form="template" busy={create.busy}>
          Save the template
        </Button>
      }
    >
      <form
        id="template"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const { document, subject } = content
          void create.run({ name: name.peek(), subject, editor_json: document as EmailDocument })
        }}
      >
        <FlawSummary error={create.error} title="The template was not saved." />
        <TextField
          label="Name"
          value={name.value}
          required
          maxlength={200}
          flaw={create.error?.flawOf('/name')}
          onInput={(value) => (name.value = value)}
        />
      </form>
    </Dialog>
  )
}
