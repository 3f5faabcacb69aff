import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { invalid } from '../../errors.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import { fieldDefinitions } from '../contacts/custom-values.ts'
import { readRules, readSavedRules } from './rule-read.ts'
import { type Compiled, compile, ruleCondition } from './rule-sql.ts'
import type { Rule, RuleGroup } from './rules.ts'

/**
 * Segments inside of segments. They may not form a loop, and what a condition comes to with all of them spelled out
 * is bounded: a segment counts with its rules as often as it is named.
 */
export const MAX_NESTED_SEGMENTS = 10
export const MAX_SPELLED_OUT = 600

/** The condition of rules that a request gives at `path`, over a row `c` of contacts; VALIDATION_FAILED for what is wrong with them. */
export async function requireRules(
  db: Reader,
  project_id: ProjectId,
  given: RuleGroup,
  path: string,
  now: number,
): Promise<SQL> {
  const fields = await fieldDefinitions(db, project_id)
  const group = readRules(given, fields, path)
  const saved = await reachableSegments(db, project_id, segmentsIn(given))
  requireBounds(given, saved, path)
  return ruleCondition(group, { now, segments: compileAll(saved, (rules) => readSavedRules(rules, fields), now) })
}

/** The condition of rules that were checked when they were given, as the project's fields and segments are now. */
export async function savedCondition(db: Reader, project_id: ProjectId, given: RuleGroup, now: number): Promise<SQL> {
  const fields = await fieldDefinitions(db, project_id)
  const saved = await reachableSegments(db, project_id, segmentsIn(given))
  return ruleCondition(readSavedRules(given, fields), {
    now,
    segments: compileAll(saved, (rules) => readSavedRules(rules, fields), now),
  })
}

/** The conditions of saved segments by id; one that is gone is missing. */
export async function segmentConditions(
  db: Reader,
  project_id: ProjectId,
  ids: readonly number[],
  now: number,
): Promise<Map<number, SQL>> {
  if (ids.length === 0) return new Map()
  const saved = await reachableSegments(db, project_id, ids)
  const fields = await fieldDefinitions(db, project_id)
  const compiled = compileAll(saved, (rules) => readSavedRules(rules, fields), now)
  return new Map([...compiled].map(([id, condition]) => [id, sql`(${condition.sql} IS TRUE)`]))
}

/** Checks rules that are to be saved, and what they make of the segments that name this one (null for a new one). */
export async function requireSavable(
  db: Reader,
  project_id: ProjectId,
  segment_id: number | null,
  given: RuleGroup,
): Promise<void> {
  readRules(given, await fieldDefinitions(db, project_id), '/rules')
  const saved = await reachableSegments(db, project_id, segmentsIn(given))
  if (segment_id !== null) {
    const loop = findRule(given, '/rules', (id) => id === segment_id || reaches(saved, id, segment_id))
    if (loop) throw invalid(loop, 'Segments may not form a loop.')
  }
  requireBounds(given, saved, '/rules')
  if (segment_id !== null) await requireBoundsAround(db, project_id, segment_id, given)
}

/** Segments of the project that name this one. */
export async function segmentsNaming(db: Reader, project_id: ProjectId, segment_id: number): Promise<number[]> {
  return [...(await naming(db, project_id))]
    .filter(([, rules]) => segmentsIn(rules).includes(segment_id))
    .map(([id]) => id)
}

async function requireBoundsAround(
  db: Reader,
  project_id: ProjectId,
  segment_id: number,
  given: RuleGroup,
): Promise<void> {
  const others = await naming(db, project_id)
  others.delete(segment_id)
  const saved = await reachableSegments(db, project_id, [...others.keys(), ...segmentsIn(given)])
  saved.set(segment_id, given)
  for (const [id, rules] of others) {
    if (reaches(saved, id, segment_id) && !isBounded(rules, saved))
      throw invalid('/rules', `Segment ${id}, which names this one, would be too large: ${BOUNDS}`)
  }
}

/** Every segment of the project that names another. */
async function naming(db: Reader, project_id: ProjectId): Promise<Map<number, RuleGroup>> {
  return readSegments(db, sql`project_id = ${project_id} AND instr(rules, '"segment"') > 0`)
}

/** These segments and all that they name, directly or not. */
async function reachableSegments(
  db: Reader,
  project_id: ProjectId,
  ids: readonly number[],
): Promise<Map<number, RuleGroup>> {
  const found = new Map<number, RuleGroup>()
  const asked = new Set<number>()
  for (let next = [...ids]; next.length > 0;) {
    next.forEach((id) => asked.add(id))
    const more = await readSegments(
      db,
      sql`project_id = ${project_id} AND id IN (SELECT value FROM json_each(${jsonText(next)}))`,
    )
    for (const [id, rules] of more) found.set(id, rules)
    next = [...new Set([...more.values()].flatMap(segmentsIn))].filter((id) => !asked.has(id))
  }
  return found
}

async function readSegments(db: Reader, which: SQL): Promise<Map<number, RuleGroup>> {
  const rows = await db.all<{ id: number; rules: string }>(sql`SELECT id, rules FROM segments WHERE ${which}`)
  return new Map(rows.map(({ id, rules }) => [id, JSON.parse(rules) as RuleGroup]))
}

function compileAll(
  saved: ReadonlyMap<number, RuleGroup>,
  read: (rules: RuleGroup) => ReturnType<typeof readSavedRules>,
  now: number,
): Map<number, Compiled> {
  const segments = new Map<number, Compiled>()
  const visit = (id: number, trail: readonly number[]): void => {
    const rules = saved.get(id)
    if (!rules || segments.has(id)) return
    if (trail.includes(id)) throw new Error(`Segment ${id} names itself.`)
    for (const inner of segmentsIn(rules)) visit(inner, [...trail, id])
    segments.set(id, compile(read(rules), { now, segments }))
  }
  for (const id of saved.keys()) visit(id, [])
  return segments
}

const BOUNDS = `at most ${MAX_NESTED_SEGMENTS} segments inside, and ${MAX_SPELLED_OUT} rules with those of the segments.`

function requireBounds(rules: RuleGroup, saved: ReadonlyMap<number, RuleGroup>, path: string): void {
  if (!isBounded(rules, saved)) throw invalid(path, `Too many segments inside of each other: ${BOUNDS}`)
}

function isBounded(rules: RuleGroup, saved: ReadonlyMap<number, RuleGroup>): boolean {
  const sizes = new Map<number, number>()
  const sizeOf = (group: RuleGroup): number =>
    leaves(group).reduce(
      (sum, leaf) =>
        sum + (leaf.field === 'segment' ? idsOf(leaf).reduce((inner, id) => inner + spelledOut(id), 1) : 1),
      0,
    )
  const spelledOut = (id: number): number => {
    const known = sizes.get(id)
    if (known !== undefined) return known
    const inner = saved.get(id)
    const size = inner ? sizeOf(inner) : 0
    sizes.set(id, size)
    return size
  }
  return sizeOf(rules) <= MAX_SPELLED_OUT && sizes.size <= MAX_NESTED_SEGMENTS
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

/** The segments that rules name themselves. */
function segmentsIn(group: RuleGroup): number[] {
  return [
    ...new Set(
      leaves(group)
        .filter(({ field }) => field === 'segment')
        .flatMap(idsOf),
    ),
  ]
}

function idsOf({ value }: Rule): number[] {
  return Array.isArray(value) ? (value as number[]) : [value as number]
}

function leaves(group: RuleGroup): Rule[] {
  return group.rules.flatMap((member) => ('rules' in member ? leaves(member) : [member]))
}

/** The path of the first rule that names a segment of which `wanted` is true. */
function findRule(group: RuleGroup, path: string, wanted: (id: number) => boolean): string | null {
  for (const [index, member] of group.rules.entries()) {
    const here = `${path}/rules/${index}`
    if ('rules' in member) {
      const found = findRule(member, here, wanted)
      if (found) return found
    } else if (member.field === 'segment' && idsOf(member).some(wanted)) return `${here}/value`
  }
  return null
}
