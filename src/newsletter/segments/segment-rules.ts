import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { invalid } from '../../errors.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import { type FieldDefinition, fieldDefinitions } from '../contacts/custom-values.ts'
import { type IndexedRule, indexedRule } from './indexed-rule.ts'
import { type CheckedGroup, readRules, readSavedRules } from './rule-read.ts'
import { compile, ruleCondition } from './rule-sql.ts'
import type { Rule, RuleGroup } from '../../store/tables/segments.ts'
import type { SqlCondition } from './sql-condition.ts'

/**
 * Compiles rules together with the segments that they name. Segments may nest but not form a loop. A segment is
 * compiled into the condition each time it is named, so both the number of segments and the number of rules with all
 * segments expanded are limited (docs/api/contacts.md#segment-rules).
 */
export const MAX_NESTED_SEGMENTS = 10
export const MAX_EXPANDED_RULES = 600

/**
 * Compiles the rules of a request into a condition about a row `contact` of contacts, with what an index can serve.
 * Throws VALIDATION_FAILED with paths below `path`.
 */
export async function requireRules(
  db: Reader,
  { project_id, rules, path, now }: { project_id: ProjectId; rules: RuleGroup; path: string; now: number },
): Promise<{ condition: SQL; indexed: IndexedRule | null }> {
  const fields = await fieldDefinitions(db, project_id)
  const group = readRules(rules, fields, path)
  const saved = await reachableSegments(db, project_id, segmentsIn(rules))
  requireBounds(rules, saved, path)
  const context = { now, segments: compileSegments(saved, fields, now) }
  return { condition: ruleCondition(group, context), indexed: indexedRule(group, context) }
}

/** Compiles rules that were checked when they were saved, with the project's present fields and segments. */
export async function savedCondition(db: Reader, project_id: ProjectId, rules: RuleGroup, now: number): Promise<SQL> {
  const fields = await fieldDefinitions(db, project_id)
  const saved = await reachableSegments(db, project_id, segmentsIn(rules))
  return ruleCondition(readSavedRules(rules, fields), { now, segments: compileSegments(saved, fields, now) })
}

/** The conditions of saved segments by id. Deleted segments are missing. */
export async function segmentConditions(
  db: Reader,
  project_id: ProjectId,
  ids: readonly number[],
  now: number,
): Promise<Map<number, SQL>> {
  if (ids.length === 0) return new Map()
  const saved = await reachableSegments(db, project_id, ids)
  const compiled = compileSegments(saved, await fieldDefinitions(db, project_id), now)
  return new Map([...compiled].map(([id, condition]) => [id, sql`(${condition.sql} IS TRUE)`]))
}

/**
 * Checks rules before they are saved: the rules themselves, loops, and the limits of every segment that names this one.
 * @param segment_id null for a new segment
 */
export async function requireSavable(
  db: Reader,
  project_id: ProjectId,
  segment_id: number | null,
  rules: RuleGroup,
): Promise<void> {
  readRules(rules, await fieldDefinitions(db, project_id), '/rules')
  const saved = await reachableSegments(db, project_id, segmentsIn(rules))
  if (segment_id !== null) {
    const closesLoop = (id: number) => id === segment_id || reaches(saved, id, segment_id)
    const loop = leaves(rules, '/rules').find(({ rule }) => rule.field === 'segment' && idsOf(rule).some(closesLoop))
    if (loop) throw invalid(loop.path, 'Segments may not form a loop.')
  }
  requireBounds(rules, saved, '/rules')
  if (segment_id !== null) await requireBoundsOfParents(db, project_id, segment_id, rules)
}

/** The ids of the project's segments whose rules name this segment. */
export async function segmentsNaming(db: Reader, project_id: ProjectId, segment_id: number): Promise<number[]> {
  return [...(await segmentsWithSegments(db, project_id))]
    .filter(([, rules]) => segmentsIn(rules).includes(segment_id))
    .map(([id]) => id)
}

async function requireBoundsOfParents(
  db: Reader,
  project_id: ProjectId,
  segment_id: number,
  rules: RuleGroup,
): Promise<void> {
  const others = await segmentsWithSegments(db, project_id)
  others.delete(segment_id)
  const saved = await reachableSegments(db, project_id, [...others.keys(), ...segmentsIn(rules)])
  saved.set(segment_id, rules)
  for (const [id, parent] of others) {
    if (reaches(saved, id, segment_id) && !isBounded(parent, saved))
      throw invalid('/rules', `Segment ${id}, which names this one, would be too large: ${BOUNDS}`)
  }
}

/** Every segment of the project that names another segment. */
async function segmentsWithSegments(db: Reader, project_id: ProjectId): Promise<Map<number, RuleGroup>> {
  return readSegments(db, sql`project_id = ${project_id} AND instr(rules, '"segment"') > 0`)
}

/** These segments and all segments that they name, directly or through others. */
async function reachableSegments(
  db: Reader,
  project_id: ProjectId,
  ids: readonly number[],
): Promise<Map<number, RuleGroup>> {
  const found = new Map<number, RuleGroup>()
  const requested = new Set<number>()
  for (let next = [...ids]; next.length > 0;) {
    next.forEach((id) => requested.add(id))
    const more = await readSegments(
      db,
      sql`project_id = ${project_id} AND id IN (SELECT value FROM json_each(${jsonText(next)}))`,
    )
    for (const [id, rules] of more) found.set(id, rules)
    next = [...new Set([...more.values()].flatMap(segmentsIn))].filter((id) => !requested.has(id))
  }
  return found
}

async function readSegments(db: Reader, which: SQL): Promise<Map<number, RuleGroup>> {
  const rows = await db.all<{ id: number; rules: string }>(sql`SELECT id, rules FROM segments WHERE ${which}`)
  return new Map(rows.map(({ id, rules }) => [id, JSON.parse(rules) as RuleGroup]))
}

/** Compiles inner segments before the segments that name them. */
function compileSegments(
  saved: ReadonlyMap<number, RuleGroup>,
  fields: readonly FieldDefinition[],
  now: number,
): Map<number, SqlCondition> {
  const segments = new Map<number, SqlCondition>()
  const visit = (id: number, trail: readonly number[]): void => {
    const rules = saved.get(id)
    if (!rules || segments.has(id)) return
    if (trail.includes(id)) throw new Error(`Segment ${id} names itself.`)
    for (const inner of segmentsIn(rules)) visit(inner, [...trail, id])
    const group: CheckedGroup = readSavedRules(rules, fields)
    segments.set(id, compile(group, { now, segments }))
  }
  for (const id of saved.keys()) visit(id, [])
  return segments
}

const BOUNDS =
  `at most ${MAX_NESTED_SEGMENTS} nested segments, and ${MAX_EXPANDED_RULES} rules including the ` +
  `rules of those segments.`

function requireBounds(rules: RuleGroup, saved: ReadonlyMap<number, RuleGroup>, path: string): void {
  if (!isBounded(rules, saved)) throw invalid(path, `Too many nested segments: ${BOUNDS}`)
}

function isBounded(rules: RuleGroup, saved: ReadonlyMap<number, RuleGroup>): boolean {
  const sizes = new Map<number, number>()
  const sizeOf = (group: RuleGroup): number =>
    leaves(group).reduce(
      (sum, { rule }) =>
        sum + (rule.field === 'segment' ? idsOf(rule).reduce((inner, id) => inner + expanded(id), 1) : 1),
      0,
    )
  const expanded = (id: number): number => {
    const known = sizes.get(id)
    if (known !== undefined) return known
    const inner = saved.get(id)
    const size = inner ? sizeOf(inner) : 0
    sizes.set(id, size)
    return size
  }
  return sizeOf(rules) <= MAX_EXPANDED_RULES && sizes.size <= MAX_NESTED_SEGMENTS
}

function reaches(saved: ReadonlyMap<number, RuleGroup>, from: number, to: number): boolean {
  const seen = new Set<number>()
  const visit = (id: number): boolean => {
    if (seen.has(id)) return false
    seen.add(id)
    const rules = saved.get(id)
    return rules !== undefined && segmentsIn(rules).some((inner) => inner === to || visit(inner))
  }
  return visit(from)
}

/** The ids of the segments that rules name directly. */
function segmentsIn(group: RuleGroup): number[] {
  return [...new Set(leaves(group).flatMap(({ rule }) => (rule.field === 'segment' ? idsOf(rule) : [])))]
}

function idsOf({ value }: Rule): number[] {
  return [value].flat() as number[]
}

/** Every rule of a group and of the groups in it, with the path of its value. */
function leaves(group: RuleGroup, path = ''): { rule: Rule; path: string }[] {
  return group.rules.flatMap((member, index) => {
    const here = `${path}/rules/${index}`
    return 'rules' in member ? leaves(member, here) : [{ rule: member, path: `${here}/value` }]
  })
}
