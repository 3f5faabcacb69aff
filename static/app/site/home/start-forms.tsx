import { useState } from 'preact/hooks'
import { useAction, useMutation } from '../../api/action.ts'
import { mutate } from '../../api/calls.ts'
import { data } from '../../api/data.ts'
import type { Settings } from '../../api/operations.d.ts'
import { link } from '../../shell/place.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards, Switch } from '../../ui/choice.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { useLocation } from 'preact-iso'

/** The first step: from whom letters are. */
export function SayWhoWrites({ settings }: { settings: Settings }) {
  const [from_name, setName] = useState(settings.from_name || data.project!.name)
  const [from_email, setEmail] = useState(settings.from_email)
  const [postal_address, setAddress] = useState(settings.postal_address)
  const save = useMutation('settings/update', { invalidates: ['settings/'] })
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

type Way = 'sandbox' | 'provider' | 'server'

/** The second step. The sandbox is ready at once; the others lead to the page of connections. */
export function ChooseConnection() {
  const { route } = useLocation()
  const [way, setWay] = useState<Way>(data.sandbox ? 'sandbox' : 'provider')
  const make = useAction(
    async () => {
      const { connection } = await mutate('connections/create', { name: 'Sandbox', provider: 'sandbox' })
      await mutate('connections/test', { connection_id: connection.id })
      await mutate('settings/update', { default_connection_id: connection.id })
    },
    { invalidates: ['connections/', 'settings/'] },
  )
  return (
    <form
      class="start-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (way === 'sandbox') void make.run(undefined)
        else route(link('/sending/new', { provider: way === 'server' ? 'smtp' : null }))
      }}
    >
      <FlawSummary error={make.error} />
      <RadioCards
        legend="How mail leaves"
        legend_hidden
        beside
        value={way}
        onChange={setWay}
        options={[
          {
            value: 'sandbox',
            label: 'Try it first',
            hint: 'Messages are kept here. Nobody gets one.',
            disabled_reason: !data.sandbox && 'The sandbox is off on this service.',
          },
          { value: 'provider', label: 'My provider', hint: 'SES, SendGrid, Mailgun, Postmark or Resend.' },
          { value: 'server', label: 'My own server', hint: 'Any server that takes mail by SMTP.' },
        ]}
      />
      <Button kind="primary" type="submit" busy={make.busy}>
        {way === 'sandbox' ? 'Use the sandbox' : 'Go on'}
      </Button>
    </form>
  )
}

/** The third step: a list that people join. */
export function MakeList() {
  const [name, setName] = useState('Newsletter')
  const [double_opt_in, setDouble] = useState(true)
  const make = useMutation('lists/create', { invalidates: ['lists/', 'overview'] })
  return (
    <form
      class="start-form"
      onSubmit={(event) => {
        event.preventDefault()
        void make.run({ name, double_opt_in })
      }}
    >
      <FlawSummary error={make.error} />
      <TextField label="Name of the list" value={name} onInput={setName} required flaw={make.error?.flawOf('/name')} />
      <Switch
        label="Ask people to confirm"
        hint="Each gets one message and counts once they click. It keeps strangers' addresses out."
        checked={double_opt_in}
        onChange={setDouble}
      />
      <Button kind="primary" type="submit" busy={make.busy}>
        Make the list
      </Button>
    </form>
  )
}
