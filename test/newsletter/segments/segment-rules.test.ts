import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import {
  MAX_EXPANDED_RULES,
  MAX_NESTED_SEGMENTS,
  requireRules,
  requireSavable,
  savedCondition,
  segmentConditions,
  segmentsNaming,
} from '../../../src/newsletter/segments/segment-rules.ts'
import { one } from '../../../src/store/rows.ts'
import { segments } from '../../../src/store/tables/segments.ts'
import { newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const isNamed = (value: string) => ({ field: 'first_name', operator: 'eq', value })
const inSegment = (value: number | number[], operator = 'in') => ({ field: 'segment', operator, value })
const all = (...rules: object[]) => ({ op: 'and', rules }) as never
/** This many rules. */
const many = (count: number) => all(...Array.from({ length: count }, (_, at) => isNamed(`n${at}`)))

const newSegment = (project_id: ProjectId, rules: object): Promise<number> =>
  write(async (tx) => {
    const name = crypto.randomUUID()
    const values = { project_id, name, name_key: name, rules: rules as never, created_at: NOW, updated_at: NOW }
    return one(await tx.insert(segments).values(values).returning({ id: segments.id })).id
  })
const savable = async (project_id: ProjectId, id: number | null, rules: object) => {
  const problem: unknown = await requireSavable((await sharedStore()).db, project_id, id, rules as never).catch(
    (error: unknown) => error,
  )
  return problem === undefined ? null : (problem as { details: { path: string; message: string }[] }).details[0]
}
const matching = async (project_id: ProjectId, condition: ReturnType<typeof sql>) =>
  (
    await (
      await sharedStore()
    ).db.all<{ email: string }>(sql`
    SELECT email FROM contacts contact WHERE project_id = ${project_id} AND ${condition} ORDER BY id`)
  ).map(({ email }) => email)

test('A segment names contacts by the rules of others, at any depth.', async () => {
  const project = await newProject()
  for (const name of ['ada', 'bo', 'cy']) await newContact(project, name, { first_name: name, first_name_key: name })
  const ada = await newSegment(project, all(isNamed('ada')))
  const notAda = await newSegment(project, all(inSegment(ada, 'not_in')))
  const { db } = await sharedStore()
  const rules = all(inSegment([notAda]))
  expect(
    await matching(project, (await requireRules(db, { project_id: project, rules, path: '', now: NOW })).condition),
  ).toEqual(['bo', 'cy'])
  expect(await matching(project, await savedCondition(db, project, rules, NOW))).toEqual(['bo', 'cy'])
  const conditions = await segmentConditions(db, project, [notAda, 999_999], NOW)
  expect(conditions.has(999_999)).toBe(false)
  expect(await matching(project, conditions.get(notAda)!)).toEqual(['bo', 'cy'])
  expect((await segmentConditions(db, project, [], NOW)).size).toBe(0)
})

test('A segment of another project or a deleted one matches nobody.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  await newContact(project, 'ada', { first_name: 'ada', first_name_key: 'ada' })
  const theirs = await newSegment(other, all(isNamed('ada')))
  const { db } = await sharedStore()
  expect(await matching(project, await savedCondition(db, project, all(inSegment(theirs)), NOW))).toEqual([])
  expect((await segmentConditions(db, project, [theirs], NOW)).size).toBe(0)
})

test('Segments form no loop, directly or through others.', async () => {
  const project = await newProject()
  const first = await newSegment(project, all(isNamed('ada')))
  const second = await newSegment(project, all(inSegment(first)))
  const third = await newSegment(project, all(inSegment(second)))
  const loop = 'Segments may not form a loop.'
  expect(await savable(project, first, all(isNamed('x'), inSegment(first)))).toEqual({
    path: '/rules/rules/1/value',
    message: loop,
  })
  expect((await savable(project, first, all(inSegment(third))))?.message).toBe(loop)
  expect(await savable(project, third, all(inSegment(first)))).toBeNull()
  expect(await savable(project, null, all(inSegment(third)))).toBeNull()
  const { db } = await sharedStore()
  expect(await segmentsNaming(db, project, first)).toEqual([second])
  expect(await segmentsNaming(db, await newProject(), first)).toEqual([])
})

test('Ten segments and 600 rules are the most, all segments expanded.', async () => {
  const project = await newProject()
  const small: number[] = []
  for (let at = 0; at <= MAX_NESTED_SEGMENTS; at++) small.push(await newSegment(project, all(isNamed('x'))))
  expect(await savable(project, null, all(inSegment(small.slice(1))))).toBeNull()
  expect(await savable(project, null, all(inSegment(small)))).not.toBeNull()
  // Ten times 59 rules and the rule that names them.
  const most = await newSegment(project, many(59))
  const full = Array.from({ length: 10 }, () => inSegment(most))
  expect(10 * 60).toBe(MAX_EXPANDED_RULES)
  expect(await savable(project, null, all(...full))).toBeNull()
  expect((await savable(project, null, all(...full, isNamed('x'))))?.message).toStartWith('Too many nested segments')
  const large = await newSegment(project, many(60))
  const ten = all(...Array.from({ length: 9 }, () => inSegment(large)))
  const parent = await newSegment(project, ten)
  expect(await savable(project, null, all(inSegment(parent)))).toBeNull()
  // A change that would make a segment that names this one too large is refused.
  const inner = await newSegment(project, many(60))
  const grown = all(inSegment(inner), ...Array.from({ length: 10 }, (_, at) => isNamed(`n${at}`)))
  expect((await savable(project, large, grown))?.message).toStartWith(`Segment ${parent}, which names this one, `)
  // A segment that is too large already hinders no change of a segment that it does not name.
  await newSegment(project, all(inSegment(small)))
  const alone = await newSegment(project, all(isNamed('x')))
  expect(await savable(project, alone, all(isNamed('y')))).toBeNull()
})
