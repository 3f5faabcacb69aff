import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import type { List } from '../../api/operations.d.ts'
import { link } from '../../api/link.ts'
import { Switch } from '../../ui/choice.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

/** Creates a list, or changes one. */
export function ListDialog({ list, onClose }: { list: List | null; onClose: () => void }) {
  const [name, setName] = useState(list?.name ?? '')
  const [description, setDescription] = useState(list?.description ?? '')
  const [double_opt_in, setConfirms] = useState(list?.double_opt_in ?? true)
  const [isPublic, setPublic] = useState(list?.public ?? true)
  const invalidates = ['lists/', 'overview', 'contacts/stats']
  const create = useMutation('lists/create', {
    invalidates,
    done: (made) => {
      toast({
        text: `“${made.list.name}” is there.`,
        tone: 'good',
        action: { label: 'Sign-up form', href: link(`/lists/${made.list.id}/form`) },
      })
      onClose()
    },
  })
  const update = useMutation('lists/update', {
    invalidates,
    done: () => {
      toast({ text: `“${name.trim()}” is saved.`, tone: 'good' })
      onClose()
    },
  })
  const { busy, error } = list === null ? create : update
  const submit = () => {
    const body = { name, description, double_opt_in, public: isPublic }
    if (list === null) void create.run(body)
    else void update.run({ list_id: list.id, ...body })
  }
  return (
    <FormDialog
      title={list === null ? 'New list' : `Change “${list.name}”`}
      verb={list === null ? 'Make the list' : 'Save'}
      busy={busy}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxlength={100}
        autocomplete="off"
        value={name}
        onInput={setName}
        flaw={error?.flawOf('/name')}
        hint="People read it where they join and where they leave."
      />
      <TextArea
        label="What people get"
        optional
        rows={2}
        value={description}
        onInput={setDescription}
        flaw={error?.flawOf('/description')}
      />
      <Switch
        label="Ask people to confirm"
        checked={double_opt_in}
        onChange={setConfirms}
        hint="Whoever joins gets one message with a button, and counts once they press it. It keeps out mistyped addresses and jokes."
      />
      <Switch
        label="Public"
        checked={isPublic}
        onChange={setPublic}
        hint="Anybody can sign up for it, and contacts see it in their preferences."
      />
    </FormDialog>
  )
}
