import { Kind, Type, TypeRegistry } from '@sinclair/typebox'
import type { RuleGroup as StoredRules } from '../../store/tables/segments.ts'
import { ruleSchema } from './rule-schema.ts'

export const GROUP_OPS = ['and', 'or', 'not'] as const
/** Levels of groups including the outermost, and rules in all groups together (docs/api/limits.md#plan-limits). */
export const MAX_LEVELS = 4
export const MAX_RULES = 60
/** Groups in all; only groups without rules can be that many. */
export const MAX_GROUPS = 200

/**
 * The JSON Schema of a rule group, written out level by level for the OpenAPI document. The request check only asks
 * for an object: which values a field accepts depends on the project, so `readRules` checks the rest and points at each
 * error.
 */
function groupSchema(levels: number): object {
  const member = levels === 1 ? ruleSchema : { anyOf: [ruleSchema, groupSchema(levels - 1)] }
  return {
    $id: levels === MAX_LEVELS ? 'RuleGroup' : `RuleGroupOf${levels}`,
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

export const RuleGroup = Type.Unsafe<StoredRules>({
  [Kind]: 'RuleGroup',
  ...groupSchema(MAX_LEVELS),
  description: `At most ${MAX_LEVELS} levels and ${MAX_RULES} rules in all. A group without rules matches all.`,
})
