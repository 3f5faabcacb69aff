import { type Flaw, invalidRequest, MAX_FLAWS } from '../../errors.ts'
import { pointerTo } from '../../pointer.ts'
import { MEMBERSHIP_STATUSES, type MembershipStatus } from '../../store/tables/audience.ts'
import type { RuleGroup } from '../../store/tables/segments.ts'
import type { FieldDefinition } from '../contacts/custom-values.ts'
import { OPERATORS, RULE_TYPE_OF, type RuleType, STANDARD_FIELDS, type StandardField } from './rule-fields.ts'
import { type Leaf, type MembersLeaf, readLeaf, type RuleField } from './rule-values.ts'
import { GROUP_OPS, MAX_GROUPS, MAX_LEVELS, MAX_RULES } from './rules.ts'

/** A rule group that was checked against the fields of a project. `rule-sql.ts` compiles it. */
export interface CheckedGroup {
  op: RuleGroup['op']
  rules: Condition[]
}
export type Condition = CheckedGroup | Leaf

export function isGroup(condition: Condition): condition is CheckedGroup {
  return 'op' in condition
}

/** Checks the rules of a request at `path`. Throws VALIDATION_FAILED with the path of each error, at most twenty. */
export function readRules(given: unknown, fields: readonly FieldDefinition[], path: string): CheckedGroup {
  const reading: Reading = { fields: byKey(fields), flaws: [], rules: 0, groups: 0 }
  const group = readGroup(given, path, 1, reading)
  if (reading.rules > MAX_RULES)
    reading.flaws.unshift({ path, message: `At most ${MAX_RULES} rules in all groups together.` })
  if (reading.groups > MAX_GROUPS) reading.flaws.unshift({ path, message: `At most ${MAX_GROUPS} groups.` })
  if (reading.flaws.length > 0) throw invalidRequest(reading.flaws)
  return group
}

/**
 * Reads the rules of a saved segment. A rule whose custom field was deleted or changed its type matches no contact, or
 * every contact if its operator is negated.
 */
export function readSavedRules(saved: RuleGroup, fields: readonly FieldDefinition[]): CheckedGroup {
  return readGroup(saved, '', 1, { fields: byKey(fields), flaws: [], rules: 0, groups: 0 })
}

interface Reading {
  fields: ReadonlyMap<string, FieldDefinition>
  flaws: Flaw[]
  rules: number
  groups: number
}

function byKey(fields: readonly FieldDefinition[]): Map<string, FieldDefinition> {
  return new Map(fields.map((field) => [field.key, field]))
}

type Given = Record<string, unknown>

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readGroup(given: unknown, path: string, level: number, reading: Reading): CheckedGroup {
  const invalid: CheckedGroup = { op: 'or', rules: [] }
  if (!isObject(given)) return fail(reading, path, 'Expected a rule group.', invalid)
  if (level > MAX_LEVELS) return fail(reading, path, `At most ${MAX_LEVELS} levels of groups.`, invalid)
  reading.groups += 1
  refuseUnknown(given, ['op', 'rules'], path, reading)
  const { op, rules } = given
  if (!oneOf(GROUP_OPS, op)) return fail(reading, `${path}/op`, `Expected one of: ${GROUP_OPS.join(', ')}.`, invalid)
  if (!Array.isArray(rules)) return fail(reading, `${path}/rules`, 'Expected an array of rules and groups.', invalid)
  if (rules.length > MAX_RULES + MAX_GROUPS)
    return fail(reading, `${path}/rules`, `At most ${MAX_RULES} rules and ${MAX_GROUPS} groups.`, invalid)
  return { op, rules: rules.map((member, index) => readMember(member, `${path}/rules/${index}`, level, reading)) }
}

function readMember(given: unknown, path: string, level: number, reading: Reading): Condition {
  if (isObject(given) && !('field' in given) && ('op' in given || 'rules' in given))
    return readGroup(given, path, level + 1, reading)
  reading.rules += 1
  return readRule(given, path, reading)
}

const NO_MATCH: Leaf = { type: 'constant', matches: false }

function readRule(given: unknown, path: string, reading: Reading): Leaf {
  if (!isObject(given)) return fail(reading, path, 'Expected a rule or a rule group.', NO_MATCH)
  refuseUnknown(given, ['field', 'operator', 'value', 'status'], path, reading)
  const field = findField(given.field, `${path}/field`, reading)
  if (!field) return withoutField(given)
  const operators: readonly string[] = OPERATORS[field.type]
  const operator = given.operator === undefined && field.type === 'engagement' ? 'eq' : given.operator
  if (!oneOf(operators, operator)) {
    const message =
      operator === undefined ? `Required: one of ${operators.join(', ')}.` : `Expected one of: ${operators.join(', ')}.`
    return fail(reading, `${path}/operator`, message, withoutField(given))
  }
  const status = readStatus(given.status, field.type, `${path}/status`, reading)
  const read = readLeaf(field, operator, given.value)
  if ('flaw' in read) return fail(reading, `${path}/value${read.flaw.below}`, read.flaw.message, withoutField(given))
  return status ? { ...(read.leaf as MembersLeaf), status } : read.leaf
}

function findField(given: unknown, path: string, reading: Reading): RuleField | null {
  if (typeof given !== 'string') return fail(reading, path, 'Expected the name of a field.', null)
  if (Object.hasOwn(STANDARD_FIELDS, given))
    return { name: given as StandardField, type: STANDARD_FIELDS[given as StandardField] }
  if (!given.startsWith('custom.'))
    return fail(reading, path, `Expected one of: ${Object.keys(STANDARD_FIELDS).join(', ')}, custom.KEY.`, null)
  const custom = reading.fields.get(given.slice('custom.'.length))
  return custom
    ? { name: 'custom', type: RULE_TYPE_OF[custom.type], custom }
    : fail(reading, path, 'The project has no such custom field.', null)
}

function readStatus(given: unknown, type: RuleType, path: string, reading: Reading): MembershipStatus | null {
  if (given === undefined) return null
  if (type !== 'list') return fail(reading, path, 'Only allowed for the field list.', null)
  return oneOf(MEMBERSHIP_STATUSES, given)
    ? given
    : fail(reading, path, `Expected one of: ${MEMBERSHIP_STATUSES.join(', ')}.`, null)
}

/** The constant that replaces a rule on a field without values: negated operators match every contact, others none. */
function withoutField({ operator }: Given): Leaf {
  return {
    type: 'constant',
    matches:
      typeof operator === 'string' && (operator === 'neq' || operator === 'is_not_set' || operator.startsWith('not_')),
  }
}

function refuseUnknown(given: Given, known: readonly string[], path: string, reading: Reading): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) fail(reading, pointerTo(path, name), 'Unknown property.', null)
  }
}

function fail<T>(reading: Reading, path: string, message: string, instead: T): T {
  if (reading.flaws.length < MAX_FLAWS) reading.flaws.push({ path, message })
  return instead
}

function oneOf<T extends string>(choices: readonly T[], value: unknown): value is T {
  return (choices as readonly unknown[]).includes(value)
}
