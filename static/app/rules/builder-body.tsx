import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { RuleGroup } from '../api/operations.d.ts'
import { Skeleton } from '../ui/callout.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { useAudience, useNames } from './audience.ts'
import { GroupView } from './group-view.tsx'
import { CountLine } from './count-line.tsx'
import type { LiveCount } from './live-count.ts'
import { asRules, levelsOf, rulesOf } from './tree.ts'

export interface RuleBuilderProps {
  value: RuleGroup
  onChange: (value: RuleGroup) => void
  /** Shown below the rules, with the errors that the service found in them. */
  live?: LiveCount
  /** Buttons beside the count. */
  actions?: ComponentChildren
  /** The label for screen readers. */
  label?: string
  /** Removes all rules. */
  onClear?: () => void
}

/** The content of `RuleBuilder`, once its code has loaded. */
export function RuleBuilderBody({ value, onChange, live, actions, label = 'Rules', onClear }: RuleBuilderProps) {
  const { audience, error, reload } = useAudience()
  const names = useNames(audience, value)
  const element = useRef<HTMLDivElement>(null)
  if (error && !audience) return <ErrorNote title="The rules could not be loaded." error={error} retry={reload} />
  if (!audience) return <Skeleton rows={2} />
  const rules = rulesOf(value).length
  const isFull = rules >= audience.max_rules
  const isDeep = levelsOf(value) >= audience.max_levels
  return (
    <div class="rules" role="group" aria-label={label} ref={element}>
      <GroupView
        group={value}
        path={[]}
        root={value}
        audience={audience}
        names={names}
        is_full={isFull}
        flawOf={(rule) => live?.flawOf(rule) ?? null}
        onChange={(next) => onChange(asRules(next))}
        onRemove={onClear}
      />
      {isFull && <p class="rules-note">{`${audience.max_rules} rules are the most that one group can have.`}</p>}
      {isDeep && !isFull && (
        <p class="rules-note">{`Groups nest ${audience.max_levels} levels deep; the innermost takes no group.`}</p>
      )}
      {(live || actions) && (
        <div class="rules-foot">
          {live && <CountLine live={live} is_empty={rules === 0} />}
          {actions && <div class="row">{actions}</div>}
        </div>
      )}
    </div>
  )
}
