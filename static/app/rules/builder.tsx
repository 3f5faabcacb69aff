import type { ComponentChildren } from 'preact'
import type { RuleGroup } from '../api/operations.d.ts'
import { later } from '../later.tsx'
import { Skeleton } from '../ui/callout.tsx'
import type { LiveCount } from './live-count.ts'

export interface RuleBuilderProps {
  value: RuleGroup
  onChange: (value: RuleGroup) => void
  /** Shown below the rules, with what the service says against them. */
  live?: LiveCount
  /** Buttons beside the count. */
  actions?: ComponentChildren
  /** What the rules are for, for screen readers. */
  label?: string
  /** Takes the rules away. */
  onClear?: () => void
}

/** Edits the rules of a segment: groups of rules, live counted. Its value is what the service takes, nothing else. */
export const RuleBuilder = later<RuleBuilderProps>(
  async () => (await import('./builder-body.tsx')).RuleBuilderBody,
  <Skeleton rows={2} />,
)
