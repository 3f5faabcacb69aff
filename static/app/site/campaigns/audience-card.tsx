import type { AudienceSpec } from '../../api/operations.d.ts'
import { useRead } from '../../api/query.ts'
import { link } from '../../shell/place.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { MultiCombobox } from '../../ui/combobox.tsx'
import { count, number } from '../../ui/format.ts'
import { useLater } from '../../ui/use-later.ts'
import { entryOf, optionOf, useAudienceOptions } from './audience-options.ts'

interface Props {
  audience: AudienceSpec
  onChange(audience: AudienceSpec): void
}

const PAUSE_MS = 400

/** Who gets a campaign, who does not, and how many people that is now. */
export function AudienceCard({ audience, onChange }: Props) {
  const { options } = useAudienceOptions()
  const { include, exclude = [] } = audience
  return (
    <Card title="To" id="audience">
      <div class="review-fields">
        <MultiCombobox
          label="Include"
          placeholder={include.length === 0 ? 'Everybody, a list, a tag or a segment' : 'Add'}
          options={options}
          value={include.map(optionOf)}
          onChange={(values) => onChange({ include: values.map(entryOf), exclude })}
        />
        <MultiCombobox
          label="But not"
          placeholder={exclude.length === 0 ? 'Nobody is left out by you' : 'Add'}
          options={options.filter(({ value }) => value !== 'all')}
          value={exclude.map(optionOf)}
          onChange={(values) => onChange({ include, exclude: values.map(entryOf) })}
        />
      </div>
      <AudienceCount audience={audience} />
    </Card>
  )
}

/** The number of people of an audience, and why others are left out. The old number stays until the new one has come. */
function AudienceCount({ audience }: { audience: AudienceSpec }) {
  const asked = useLater(audience, PAUSE_MS)
  const { data, error, busy, reload } = useAudienceCount(asked)
  if (asked.include.length === 0) return <p class="quiet">Nobody is chosen yet.</p>
  if (error) return <ErrorNote title="People could not be counted." error={error} retry={reload} />
  const isOld = busy || asked !== audience
  return (
    <div class="audience-count" data-old={isOld ? '' : undefined} aria-live="polite">
      <p>
        <strong>{data ? count(data.count, 'person', 'people') : 'Counting…'}</strong>{' '}
        <a href={link('/contacts')}>See contacts</a>
      </p>
      {data && <LeftOut excluded={data.excluded} />}
    </div>
  )
}

export function useAudienceCount(audience_spec: AudienceSpec) {
  return useRead('campaigns/audience-count', { audience_spec }, { enabled: audience_spec.include.length > 0 })
}

const REASONS = [
  ['excluded_by_rule', 'excluded by you', null],
  ['unsubscribed', 'unsubscribed', 'unsubscribed'],
  ['pending', 'waiting to confirm', 'pending'],
  ['bounced', 'bounced', 'bounced'],
  ['complained', 'complained', 'complained'],
  ['suppressed', 'suppressed', null],
] as const

function LeftOut({ excluded }: { excluded: Record<(typeof REASONS)[number][0], number> }) {
  const some = REASONS.filter(([name]) => excluded[name] > 0)
  if (some.length === 0) return <p class="quiet">Nobody else is left out.</p>
  return (
    <p class="quiet">
      Left out:{' '}
      {some.map(([name, words, status], index) => (
        <span key={name}>
          {index > 0 && ' · '}
          {status === null && name === 'suppressed' ? (
            <a href={link('/suppressions')}>
              {number(excluded[name])} {words}
            </a>
          ) : status === null ? (
            `${number(excluded[name])} ${words}`
          ) : (
            <a href={link('/contacts', { status })}>
              {number(excluded[name])} {words}
            </a>
          )}
        </span>
      ))}
    </p>
  )
}
