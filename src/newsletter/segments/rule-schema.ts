import { GLOBAL_STATUSES, MEMBERSHIP_STATUSES } from '../../store/tables/audience.ts'
import {
  ALL_OPERATORS,
  ENGAGEMENT_CONDITIONS,
  MAX_DAYS,
  OPERATORS,
  type RuleType,
  STANDARD_FIELDS,
} from './rule-fields.ts'
import { MAX_TEXT, MAX_VALUES } from './rule-values.ts'

/** The fields of every project that have one of these types. */
const fieldsOf = (...types: RuleType[]): string[] =>
  Object.entries(STANDARD_FIELDS).flatMap(([field, type]) => (types.includes(type) ? [field] : []))

/** What must hold for a rule whose properties all have one of these values. */
const where = (given: Readonly<Record<string, readonly string[]>>, holds: object) => ({
  anyOf: [
    {
      not: {
        properties: Object.fromEntries(Object.entries(given).map(([name, choices]) => [name, { enum: choices }])),
        required: Object.keys(given),
      },
    },
    holds,
  ],
})
const value = (schema: object) => ({ properties: { value: schema }, required: ['value'] })

const LEFT_OUT = { properties: { value: { type: 'null' } } }
const text = { type: 'string', minLength: 1, maxLength: MAX_TEXT, pattern: '^[^\\u0000]*$' }
const time = { type: 'string', description: 'A day as YYYY-MM-DD, or a time with an offset.' }
const id = { type: 'integer', minimum: 1 }
const some = (items: object) => ({ type: 'array', minItems: 1, maxItems: MAX_VALUES, items })
const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte']
const MANY = ['in', 'not_in']

/** Ties operator, value and status to the fields that every project has, as `schema/get` and `readLeaf` do. */
const TIES = [
  ...(Object.keys(OPERATORS) as RuleType[])
    .filter((type) => fieldsOf(type).length > 0)
    .map((type) =>
      where(
        { field: fieldsOf(type) },
        {
          ...(type === 'engagement' ? {} : { required: ['operator'] }),
          ...(type === 'list' ? {} : { not: { required: ['status'] } }),
          properties: { operator: { type: 'string', enum: OPERATORS[type] } },
        },
      ),
    ),
  ...ENGAGEMENT_CONDITIONS.map((condition) =>
    where({ field: [condition.field] }, { properties: { value: condition.value } }),
  ),
  where({ operator: ['is_set', 'is_not_set'] }, LEFT_OUT),
  where({ operator: ['in_last_days', 'not_in_last_days'] }, value({ type: 'integer', minimum: 1, maximum: MAX_DAYS })),
  where({ operator: ['between'] }, value({ type: 'array', minItems: 2, maxItems: 2 })),
  where({ field: fieldsOf('text'), operator: MANY }, value(some(text))),
  where(
    {
      field: fieldsOf('text'),
      operator: OPERATORS.text.filter((operator) => !MANY.includes(operator) && !operator.endsWith('set')),
    },
    value(text),
  ),
  where({ field: fieldsOf('date'), operator: COMPARISONS }, value(time)),
  where({ field: fieldsOf('date'), operator: ['between'] }, value({ items: time })),
  where({ field: fieldsOf('list', 'tag', 'segment') }, value({ anyOf: [id, some(id)] })),
]

/** The JSON Schema of a rule, for the OpenAPI document: `readRules` checks a rule, and points at each error. */
export const ruleSchema = {
  $id: 'Rule',
  type: 'object',
  required: ['field'],
  additionalProperties: false,
  allOf: TIES,
  properties: {
    field: {
      type: 'string',
      anyOf: [{ enum: Object.keys(STANDARD_FIELDS) }, { pattern: '^custom\\.' }],
      description: 'A field of schema/get, or custom.KEY.',
    },
    operator: {
      type: 'string',
      enum: ALL_OPERATORS,
      description: 'An operator of the field. Engagement conditions need none.',
    },
    value: {
      description:
        'Depends on field and operator: a text, number, boolean, date or id, an array of them, or an object for ' +
        `engagement conditions. Values of global_status are ${GLOBAL_STATUSES.join(', ')}.`,
    },
    status: {
      type: 'string',
      enum: MEMBERSHIP_STATUSES,
      description: 'For field list only; subscribed when left out.',
    },
  },
}
