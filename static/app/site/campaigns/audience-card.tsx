import type { AudienceSpec, RuleGroup } from '../../api/operations.d.ts'
import { packRules } from '../../rules/address.ts'
import { link } from '../../api/link.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { MultiCombobox } from '../../ui/combobox.tsx'
import { count, number } from '../../ui/format.ts'
import { useLater } from '../../ui/use-later.ts'
import { type Excluded, REASONS, useAudienceCount } from './audience-count.ts'
import { excludedFrom, leftOutFor, peopleOf } from './audience-rules.ts'
import { entryOf, optionOf, useAudienceOptions } from './audience-options.ts'

interface Props {
  audience: AudienceSpec
  onChange(audience: AudienceSpec): void
}

const PAUSE_MS = 400

/** The included and excluded parts of a campaign's audience, and how many people get it now. */
export function AudienceCard({ audience, onChange }: Props) {
  const options = useAudienceOptions()
  const { include, exclude = [] } = audience
  return (
    <Card title="To" id="audience">
      <div class="review-fields" data-field="audience">
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

/** The size of an audience, and why others are left out. The old number stays until the new one has loaded. */
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
        <a href={seen(peopleOf(asked))}>See them</a>
      </p>
      {data && <LeftOut excluded={data.excluded} audience={asked} />}
    </div>
  )
}

/** A link to the contacts that match a rule. */
function seen(rules: RuleGroup): string {
  return link('/contacts', { filter: packRules(rules) })
}

interface LeftOutProps {
  excluded: Excluded
  audience: AudienceSpec
}

function LeftOut({ excluded, audience }: LeftOutProps) {
  const some = REASONS.filter(([name]) => excluded[name] > 0)
  if (some.length === 0)
    return <p class="quiet">{audience.exclude?.length ? 'Nobody else is left out.' : 'Nobody is left out.'}</p>
  return (
    <p class="quiet">
      Left out:{' '}
      {some.map(([name, words], index) => (
        <span key={name}>
          {index > 0 && ' · '}
          <a
            href={
              name === 'suppressed'
                ? link('/suppressions')
                : seen(name === 'excluded_by_rule' ? excludedFrom(audience) : leftOutFor(audience, name))
            }
          >
            {number(excluded[name])} {words}
          </a>
        </span>
      ))}
    </p>
  )
}
