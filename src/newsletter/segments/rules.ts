import { Kind, Type, TypeRegistry } from '@sinclair/typebox'
import { MEMBERSHIP_STATUSES, type MembershipStatus } from '../../store/tables/audience.ts'
import { ALL_OPERATORS } from './rule-fields.ts'

/** Contacts described by rules. A group of no rules fits everybody, whatever its op; `not` means none of its rules. */
export interface RuleGroup {
  op: 'and' | 'or' | 'not'
  rules: (RuleGroup | Rule)[]
}

export interface Rule {
  field: string
  operator?: string
  value?: unknown
  /** Of a list's members; subscribed when left out (contract-details 31). */
  status?: MembershipStatus
}

export const GROUP_OPS = ['and', 'or', 'not'] as const
/** Levels of groups, the outermost counted, and rules in all of them together (contract-details 12). */
export const MAX_LEVELS = 4
export const MAX_RULES = 60
/** Groups in a group of groups; only groups without rules can be as many. */
export const MAX_GROUPS = 200

/**
 * The JSON Schema of a rule group, its levels spelled out. What each field takes depends on the project, and a union
 * cannot tell where exactly a rule is wrong, so the check behind it asks for an object alone: `readRules` does the rest.
 */
const ruleSchema = {
  type: 'object',
  required: ['field'],
  additionalProperties: false,
  properties: {
    field: { type: 'string', description: 'A field of schema/get, or custom.KEY.' },
    operator: {
      type: 'string',
      enum: ALL_OPERATORS,
      description: "One of the field's; engagement conditions need none.",
    },
    value: {
      description:
        'As field and operator ask: a text, number, boolean, date or id, an array of them, or an object for engagement conditions.',
    },
    status: { type: 'string', enum: MEMBERSHIP_STATUSES, description: 'For field list; subscribed when left out.' },
  },
}

function groupSchema(levels: number): object {
  const member = levels === 1 ? ruleSchema : { anyOf: [ruleSchema, groupSchema(levels - 1)] }
  return {
    type: 'object',
    required: ['op', 'rules'],
    additionalProperties: false,
    properties: {
      op: { type: 'string', enum: GROUP_OPS },
      rules: { type: 'array', maxItems: MAX_RULES + MAX_GROUPS, items: member },
    },
  }
}

TypeRegistry.Set('RuleGroup', (_, value) => typeof value === 'object' && value !== null && !Array.isArray(value))

export const RuleGroup = Type.Unsafe<RuleGroup>({
  [Kind]: 'RuleGroup',
  ...groupSchema(MAX_LEVELS),
  description: `Rules that contacts fit: at most ${MAX_LEVELS} levels and ${MAX_RULES} rules in all. A group of no rules fits everybody.`,
})
