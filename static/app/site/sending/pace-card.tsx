import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import type { ResponseOf } from '../../api/calls.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { Switch } from '../../ui/choice.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { NumberField, TextField } from '../../ui/field.tsx'
import { number } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'

type Connection = ResponseOf<'connections/list'>['items'][number]
type Usage = NonNullable<Connection['usage']>

const NAMES: Readonly<Record<string, string>> = { gmail: 'Gmail', outlook: 'Outlook', yahoo: 'Yahoo' }

/** The limits of a connection: per second, per day, per mailbox provider, and a warm-up for a new sender. */
export function PaceCard({ connection }: { connection: Connection }) {
  if (!can('administrator')) return <PaceFacts connection={connection} />
  return <PaceForm key={connection.updated_at} connection={connection} />
}

/** The state of the warm-up: the limit of today and of the next days. */
function WarmUp({ usage: { sent_in_24_hours, limit, limits_ahead } }: { usage: Usage }) {
  if (limit === null) return null
  const ahead = limits_ahead.map((most) => (most === null ? 'no limit' : number(most))).join(', ')
  return (
    <p class="quiet">
      Today {number(limit)}, used {number(sent_in_24_hours)}. The next days: {ahead}.
    </p>
  )
}

function PaceFacts({
  connection: { max_per_second, max_per_day, max_connections, warm_up },
}: {
  connection: Connection
}) {
  return (
    <Card title="Pace">
      <Facts
        facts={[
          { label: 'A second', value: max_per_second === null ? 'no limit' : number(max_per_second) },
          { label: 'A day', value: max_per_day === null ? 'no limit' : number(max_per_day) },
          { label: 'Connections', value: number(max_connections) },
          { label: 'Warm-up', value: warm_up ? 'on' : 'off' },
        ]}
      />
    </Card>
  )
}

function PaceForm({ connection }: { connection: Connection }) {
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value))
  const [second, setSecond] = useState(text(connection.max_per_second))
  const [day, setDay] = useState(text(connection.max_per_day))
  const [connections, setConnections] = useState(text(connection.max_connections))
  const [domain, setDomain] = useState(connection.from_domain)
  const [warm_up, setWarm] = useState(connection.warm_up)
  const [another, setAnother] = useState('')
  const [mailboxes, setMailboxes] = useState<Record<string, string>>(
    Object.fromEntries(
      [...Object.keys(NAMES), ...Object.keys(connection.mailbox_limits ?? {})].map((id) => [
        id,
        text(connection.mailbox_limits?.[id]),
      ]),
    ),
  )
  const save = useMutation('connections/update', {
    invalidates: ['connections/'],
    done: () => void toast({ text: 'Saved.', tone: 'good' }),
  })
  const limits = Object.entries(mailboxes).filter(([, value]) => value !== '')
  return (
    <Card title="Pace" id="pace">
      <form
        class="pace"
        onSubmit={(event) => {
          event.preventDefault()
          void save.run({
            connection_id: connection.id,
            max_per_second: second === '' ? null : Number(second),
            max_per_day: day === '' ? null : Number(day),
            max_connections: Number(connections || 1),
            from_domain: domain,
            warm_up,
            mailbox_limits:
              limits.length === 0 ? null : Object.fromEntries(limits.map(([id, value]) => [id, Number(value)])),
          })
        }}
      >
        <FlawSummary error={save.error} />
        <div class="pace-fields">
          <NumberField
            label="Messages a second"
            placeholder="no limit"
            value={second}
            onInput={setSecond}
            flaw={save.error?.flawOf('/max_per_second')}
          />
          <NumberField
            name="max_per_day"
            label="Messages a day"
            placeholder="no limit"
            value={day}
            onInput={setDay}
            flaw={save.error?.flawOf('/max_per_day')}
          />
          <NumberField
            label="Connections at once"
            value={connections}
            onInput={setConnections}
            flaw={save.error?.flawOf('/max_connections')}
          />
          <TextField
            label="Domain of the sender"
            value={domain}
            onInput={setDomain}
            flaw={save.error?.flawOf('/from_domain')}
          />
        </div>
        <fieldset class="plain">
          <legend>A second, by mailbox provider</legend>
          <div class="pace-fields">
            {Object.entries(mailboxes).map(([id, value]) => (
              <NumberField
                key={id}
                label={NAMES[id] ?? id}
                flaw={save.error?.flawOf(`/mailbox_limits/${id}`)}
                placeholder="no limit of its own"
                value={value}
                onInput={(changed) => setMailboxes({ ...mailboxes, [id]: changed })}
              />
            ))}
            <TextField
              label="Another provider"
              flaw={save.error?.flawOf('/mailbox_limits')}
              hint="The domain of its addresses. Press Enter."
              value={another}
              placeholder="gmx.net"
              onInput={setAnother}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || another === '') return
                event.preventDefault()
                setMailboxes({ ...mailboxes, [another.trim().toLowerCase()]: '' })
                setAnother('')
              }}
            />
          </div>
        </fieldset>
        <Switch
          label="Warm up"
          hint="For a sender without a reputation: 200 messages on the first day, growing to 200,000 in 42 days."
          checked={warm_up}
          onChange={setWarm}
        />
        {connection.warm_up && connection.usage && <WarmUp usage={connection.usage} />}
        <Button type="submit" busy={save.busy}>
          Save the pace
        </Button>
      </form>
    </Card>
  )
}
