import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { data } from '../../api/data.ts'
import type { Settings } from '../../api/operations.d.ts'
import { Button } from '../../ui/button.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'

/** The sender of letters, and the postal address in their footer. */
export function SayWhoWrites({ settings, done }: { settings: Settings; done?: () => void }) {
  const [from_name, setName] = useState(settings.from_name || data.project!.name)
  const [from_email, setEmail] = useState(settings.from_email)
  const [postal_address, setAddress] = useState(settings.postal_address)
  const save = useMutation('settings/update', { invalidates: ['settings/', 'campaigns/readiness'], done })
  return (
    <form
      class="start-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run({ from_name, from_email, postal_address })
      }}
    >
      <FlawSummary error={save.error} />
      <TextField label="Name" value={from_name} onInput={setName} required flaw={save.error?.flawOf('/from_name')} />
      <TextField
        label="Address"
        type="email"
        value={from_email}
        onInput={setEmail}
        required
        placeholder="news@example.com"
        flaw={save.error?.flawOf('/from_email')}
      />
      <TextArea
        label="Postal address"
        hint="It stands at the foot of every letter, as the law in many countries asks."
        value={postal_address}
        onInput={setAddress}
        required
        rows={2}
        flaw={save.error?.flawOf('/postal_address')}
      />
      <Button kind="primary" type="submit" busy={save.busy}>
        Save
      </Button>
    </form>
  )
}
