import type { Audience } from './audience.ts'
import type { RuleField } from './fields.ts'
import type { Rule } from './tree.ts'
import type { Names } from './rule-text.ts'

/** The properties of an editor of a rule's value. */
export interface ValueProps {
  rule: Rule
  field: RuleField
  audience: Audience
  names: Names
  onChange: (rule: Rule) => void
}
