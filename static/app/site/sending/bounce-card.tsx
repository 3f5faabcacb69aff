import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { useRead } from '../../api/query.ts'
import type { Connection } from '../../api/operations.d.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { relative } from '../../ui/format.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { UnreadReports } from './unread-reports.tsx'

/** The webhook address to which the provider reports bounces and complaints. */
export function BounceCard({ connection }: { connection: Connection }) {
  const { data, error, reload } = useRead(
    'connections/webhook-urls',
    { connection_id: connection.id },
    { every_ms: 30_000 },
  )
  const [secret, setSecret] = useState('')
  const save = useMutation('connections/update', {
    invalidates: ['connections/'],
    done: () => {
      setSecret('')
      toast({ text: 'The secret is stored.', tone: 'good' })
    },
  })
  return (
    <Card title="Bounces and complaints" id="bounces">
      <p>Give your provider this address. It reports what bounced, so that nobody is written to in vain.</p>
      {error && <ErrorNote title="The address could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={3} />}
      {data?.urls.map(({ provider, url, verification, events, last_event_at }) => (
        <section class="bounce-address" key={provider}>
          <Code label="Address for reports" text={url} wrap />
          <p>{verification}</p>
          {events.length > 0 && <p class="quiet">Events: {events.join(', ')}</p>}
          <p>
            Last event:{' '}
            {last_event_at === null ? 'none yet. Send a test and look.' : relative(last_event_at, Date.now())}
          </p>
        </section>
      ))}
      {connection.provider !== 'smtp' && (
        <form
          class="start-form"
          onSubmit={(event) => {
            event.preventDefault()
            void save.run({ connection_id: connection.id, webhook_secret: secret })
          }}
        >
          <FlawSummary error={save.error} />
          <PasswordField
            label={connection.webhook_secret_set ? 'Another secret of the reports' : 'Secret of the reports'}
            hint={connection.webhook_secret_set ? 'One is stored.' : 'As your provider shows it.'}
            autocomplete="new-password"
            value={secret}
            onInput={setSecret}
            flaw={save.error?.flawOf('/webhook_secret')}
          />
          <Button type="submit" busy={save.busy} disabled={secret === ''}>
            Store the secret
          </Button>
        </form>
      )}
      <UnreadReports connection_id={connection.id} />
    </Card>
  )
}
