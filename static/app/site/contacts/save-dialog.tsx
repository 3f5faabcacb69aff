import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import type { LiveCount } from '../../rules/live-count.ts'
import { link } from '../../api/link.ts'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

export interface SaveDialogProps {
  live: LiveCount
  onClose: () => void
}

/** Asks for the name of a segment. */
export function SaveDialog({ live, onClose }: SaveDialogProps) {
  const [name, setName] = useState('')
  const create = useMutation('segments/create', {
    invalidates: ['segments/'],
    done: ({ segment }) => {
      toast({
        text: `“${segment.name}” is saved.`,
        tone: 'good',
        action: { label: 'Show it', href: link(`/segments/${segment.id}`) },
      })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Save as segment"
      verb="Save"
      busy={create.busy}
      error={create.error}
      onSubmit={() => void create.run({ name, rules: live.rules })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxlength={100}
        value={name}
        onInput={setName}
        flaw={create.error?.flawOf('/name')}
        hint="The rules are kept, not the people: whoever matches them later is in the segment too."
      />
    </FormDialog>
  )
}
