import { Kind, Type, TypeRegistry } from '@sinclair/typebox'
import { MEMBERSHIP_STATUSES } from '../../store/tables/audience.ts'
import type { RuleGroup as StoredRules } from '../../store/tables/segments.ts'
import { ALL_OPERATORS, ENGAGEMENT_CONDITIONS, OPERATORS, type RuleType, STANDARD_FIELDS } from './rule-fields.ts'

export const GROUP_OPS = ['and', 'or', 'not'] as const
/** Levels of groups including the outermost, and rules in all groups together (docs/api/limits.md#plan-limits). */
export const MAX_LEVELS = 4
export const MAX_RULES = 60
/** Groups in all; only groups without rules can be that many. */
export const MAX_GROUPS = 200

/** The fields of every project that have this type. */
const fieldsOf = (type: RuleType): string[] =>
  Object.entries(STANDARD_FIELDS).flatMap(([field, own]) => (own === type ? [field] : []))

/** That a rule about one of these fields is as the schema says. */
const tied = (fields: readonly string[], schema: object) => ({
  anyOf: [{ not: { properties: { field: { enum: fields } } } }, schema],
})

/** Ties operator, value and status to the fields that every project has, as `schema/get` does. */
const TIES = [
  ...(Object.keys(OPERATORS) as RuleType[])
    .filter((type) => fieldsOf(type).length > 0)
    .map((type) =>
      tied(fieldsOf(type), {
        ...(type === 'engagement' ? {} : { required: ['operator'] }),
        ...(type === 'list' ? {} : { not: { required: ['status'] } }),
        properties: { operator: { type: 'string', enum: OPERATORS[type] } },
      }),
    ),
  ...ENGAGEMENT_CONDITIONS.map(({ field, value }) => tied([field], { properties: { value } })),
]

const ruleSchema = {
  $id: 'Rule',
  type: 'object',
  required: ['field'],
  additionalProperties: false,
  allOf: TIES,
  properties: {
    field: { type: 'string', description: 'A field of schema/get, or custom.KEY.' },
    operator: {
      type: 'string',
      enum: ALL_OPERATORS,
      description: 'An operator of the field. Engagement conditions need none.',
    },
    value: {
      description:
        'Depends on field and operator: a text, number, boolean, date or id, an array of them, or an object for ' +
        'engagement conditions.',
    },
    status: {
      type: 'string',
      enum: MEMBERSHIP_STATUSES,
      description: 'For field list only; subscribed when left out.',
    },
  },
}

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
