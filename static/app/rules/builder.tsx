import { later } from '../later.tsx'
import { Skeleton } from '../ui/callout.tsx'
import type { RuleBuilderProps } from './builder-body.tsx'

/** Edits the rules of a segment in groups, with a live count. Its value is exactly what the service accepts. */
export const RuleBuilder = later<RuleBuilderProps>(
  async () => (await import('./builder-body.tsx')).RuleBuilderBody,
  <Skeleton rows={2} />,
)
