import { Card } from '../../ui/card.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { duration, number } from '../../ui/format.ts'

/** When a campaign leaves: at once, or at a moment by the clock of a zone. */
export interface When {
  kind: 'now' | 'at'
  at: string | null
  zone: string
}

interface Props {
  when: When
  onChange(when: When): void
  /** People, and the connection's limits, for how long it takes. */
  people: number | null
  connection: { max_per_second: number | null; max_per_day: number | null; warm_up: boolean } | null
}

export function WhenCard({ when, onChange, people, connection }: Props) {
  return (
    <Card title="When" id="when">
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
    </Card>
  )
}

const SOON_MS = 60_000

/** Why the chosen moment cannot be taken, or null. The service checks it again. */
export function flawOf({ kind, at }: When): string | null {
  if (kind === 'now' || at === null) return null
  return Date.parse(at) < Date.now() + SOON_MS ? 'Choose a time that is at least a minute ahead.' : null
}

/** "It takes about 2 minutes at 10 a second." */
export function howLong(
  people: number,
  { max_per_second, max_per_day, warm_up }: NonNullable<Props['connection']>,
): string {
  if (warm_up) return 'The connection is warming up: what is above the limit of a day leaves on the following days.'
  if (max_per_day !== null && people > max_per_day)
    return `It is spread over ${number(Math.ceil(people / max_per_day))} days: at most ${number(max_per_day)} leave in a day.`
  if (max_per_second === null) return 'It leaves as fast as the relay takes it.'
  return `It takes about ${duration((people / max_per_second) * 1000)} at ${number(max_per_second)} a second.`
}
