import type { ResponseOf } from '../../api/calls.ts'
import { Card } from '../../ui/card.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { howLong } from './how-long.ts'

type Connection = ResponseOf<'connections/list'>['items'][number]

/** When a campaign is sent: at once, or at a time in a time zone. */
export interface When {
  kind: 'now' | 'at'
  at: string | null
  zone: string
}

interface Props {
  when: When
  onChange(when: When): void
  /** The number of people and the connection's limits, to estimate the duration. */
  people: number | null
  connection: Pick<Connection, 'provider' | 'max_per_second' | 'usage'> | null
}

export function WhenCard({ when, onChange, people, connection }: Props) {
  return (
    <Card title="When" id="when">
      <div class="stack">
        <RadioCards
          legend="When it leaves"
          legend_hidden
          beside
          value={when.kind}
          onChange={(kind) => onChange({ ...when, kind })}
          options={[
            { value: 'now', label: 'Now', hint: 'It begins with your click.' },
            { value: 'at', label: 'At a time', hint: 'You can change or cancel it until then.' },
          ]}
        />
        {when.kind === 'at' && (
          <DateTimeField
            label="Date and time"
            value={when.at}
            zone={when.zone}
            flaw={flawOf(when)}
            onChange={(at, zone) => onChange({ kind: 'at', at, zone })}
          />
        )}
        {people !== null && people > 0 && connection && <p class="quiet">{howLong(people, connection)}</p>}
      </div>
    </Card>
  )
}

const SOON_MS = 60_000

/** The error of the chosen time, or null. The service checks it again. */
export function flawOf({ kind, at }: When): string | null {
  if (kind === 'now' || at === null) return null
  return Date.parse(at) < Date.now() + SOON_MS ? 'Choose a time that is at least a minute ahead.' : null
}
