import { useSignal } from '@preact/signals'
import { useMutation } from '../api/action.ts'
import type { EmailDocument } from '../api/operations.d.ts'
import { link } from '../api/link.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
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
    <FormDialog
      title="Save as template"
      verb="Save the template"
      busy={create.busy}
      error={create.error}
      missing={name.value.trim() === '' ? 'Write a name first.' : null}
      onSubmit={() => {
        const { document, subject } = content
        void create.run({ name: name.peek(), subject, editor_json: document as EmailDocument })
      }}
      onClose={close}
    >
      <TextField
        label="Name"
        value={name.value}
        maxlength={200}
        flaw={create.error?.flawOf('/name')}
        onInput={(value) => (name.value = value)}
      />
    </FormDialog>
  )
}
