import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { can } from '../../api/role.ts'
import type { LiveCount } from '../../rules/live-count.ts'
import { link } from '../../shell/place.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { FormDialog } from '../people/form-dialog.tsx'

/** Keeps the rules of a filter under a name. */
export function SaveSegment({ live }: { live: LiveCount }) {
  const [isOpen, open] = useState(false)
  if (!can('editor') || live.rules.rules.length === 0) return null
  return (
    <>
      <Button disabled_reason={live.unfinished > 0 && 'Finish the marked rule first.'} onClick={() => open(true)}>
        Save as segment
      </Button>
      {isOpen && <SaveDialog live={live} onClose={() => open(false)} />}
    </>
  )
}

function SaveDialog({ live, onClose }: { live: LiveCount; onClose: () => void }) {
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
