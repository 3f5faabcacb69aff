import { useRef, useState } from 'preact/hooks'
import { useAction, useMutation } from '../../api/action.ts'
import { mutate } from '../../api/calls.ts'
import { data } from '../../api/data.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards, Switch } from '../../ui/choice.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { useLocation } from 'preact-iso'

type Way = 'sandbox' | 'provider' | 'server'

/** The second step: how mail is sent. The sandbox works at once; the other choices lead to the page of connections. */
export function ChooseConnection() {
  const { route } = useLocation()
  const [way, setWay] = useState<Way>(data.sandbox ? 'sandbox' : 'provider')
  /** The sandbox that is saved already, when a later step was refused. */
  const made = useRef<number | null>(null)
  const make = useAction(
    async () => {
      made.current ??= (await mutate('connections/create', { name: 'Sandbox', provider: 'sandbox' })).connection.id
      await mutate('connections/test', { connection_id: made.current })
      await mutate('settings/update', { default_connection_id: made.current })
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
