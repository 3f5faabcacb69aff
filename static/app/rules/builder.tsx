import type { ComponentChildren } from 'preact'
import type { RuleGroup } from '../api/operations.d.ts'
import { later } from '../later.tsx'
import { Skeleton } from '../ui/callout.tsx'
import type { LiveCount } from './live-count.ts'

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

/** Edits the rules of a segment in groups, with a live count. Its value is exactly what the service accepts. */
export const RuleBuilder = later<RuleBuilderProps>(
  async () => (await import('./builder-body.tsx')).RuleBuilderBody,
  <Skeleton rows={2} />,
)
