import { afterAll, beforeAll, expect, test } from 'bun:test'
import { byContactField } from '../../../src/shared/contact-fields.ts'
import { type SQL, sql } from 'drizzle-orm'
import {
  type Operator,
  OPERATORS,
  RULE_TYPE_OF,
  STANDARD_FIELDS,
} from '../../../src/newsletter/segments/rule-fields.ts'
import { MAX_LEVELS, MAX_RULES } from '../../../src/newsletter/segments/rules.ts'
import type { Rule, RuleGroup } from '../../../src/store/tables/segments.ts'
import { requireRules } from '../../../src/newsletter/segments/segment-rules.ts'
import type { Store } from '../../../src/store/open.ts'
import { scratchFolder } from '../../support/folder.ts'
import {
  customValue,
  day,
  DAY,
  DOMAINS,
  FIELDS,
  FIRST_NAMES,
  fits,
  LAST_NAMES,
  makePeople,
  NOW,
  type Person,
  PROJECT,
  type Randomness,
  randomness,
  settle,
} from './population.ts'

/** Rules drawn at random find in the database exactly whom a plain reading of them finds among the same people. */

const folder = scratchFolder()
const random = randomness(20_260_315)
const people = makePeople(320, random)
/** Each may name those before it. */
const segments: RuleGroup[] = []
let store: Store

beforeAll(async () => {
  for (let made = 0; made < 6; made++) segments.push(randomGroup(random, 4, 3, segments.length))
  store = await settle(folder, people, segments)
})
afterAll(() => store.close())

test('200 random groups of rules match the same contacts as a plain evaluation in memory.', async () => {
  const fields = new Set<string>()
  let some = 0
  for (let round = 0; round < 200; round++) {
    const most = round % 20 === 0 ? MAX_RULES : 1 + random.below(10)
    const group = randomGroup(random, MAX_LEVELS, most, segments.length)
    const found = await idsOf(
      (await requireRules(store.db, { project_id: PROJECT, rules: group, path: '/rules', now: NOW })).condition,
    )
    const expected = people.filter((person) => fits(person, group, segments)).map(({ id }) => id)
    if (found.join() !== expected.join()) throw new Error(await smallest(group))
    if (expected.length > 0 && expected.length < people.length) some += 1
    for (const rule of rulesIn(group)) fields.add(`${rule.field} ${rule.operator ?? ''}`)
  }
  // The comparison needs groups that some people match and others do not, over nearly every field and operator.
  expect(some).toBeGreaterThan(100)
  expect(fields.size).toBeGreaterThan(150)
})

async function idsOf(condition: SQL): Promise<number[]> {
  const [row] = await store.db.all<{ ids: string }>(
    sql`
      SELECT json_group_array(id) AS ids FROM (SELECT contact.id FROM contacts contact
      WHERE contact.project_id = ${PROJECT} AND ${condition} ORDER BY contact.id)`,
  )
  return JSON.parse(row!.ids) as number[]
}

/** The one rule of a group that is read differently, so that a failure names it. */
async function smallest(group: RuleGroup): Promise<string> {
  for (const rule of rulesIn(group)) {
    const alone: RuleGroup = { op: 'and', rules: [rule] }
    const found = await idsOf(
      (await requireRules(store.db, { project_id: PROJECT, rules: alone, path: '/rules', now: NOW })).condition,
    )
    const wrong = people.find((person) => found.includes(person.id) !== fits(person, alone, segments))
    if (wrong)
      return (
        `${JSON.stringify(rule)} is read differently for ` +
        `${JSON.stringify({ ...wrong, lists: [...wrong.lists], tags: [...wrong.tags] } as unknown as Person)}`
      )
  }
  return `Each rule is read rightly, but not ${JSON.stringify(group)}`
}

function rulesIn(group: RuleGroup): Rule[] {
  return group.rules.flatMap((member) => ('rules' in member ? rulesIn(member) : [member]))
}

function randomGroup(from: Randomness, levels: number, most: number, named: number): RuleGroup {
  let left = most
  const group = (level: number): RuleGroup => {
    const members: RuleGroup['rules'] = []
    for (let wanted = from.below(level === 1 && most > 20 ? 12 : 5); wanted > 0 && left > 0; wanted--) {
      if (level < levels && from.chance(30)) members.push(group(level + 1))
      else {
        // Often with the field of the rule before: such rules are merged where one rule can say both.
        const before = members.findLast((member): member is Rule => 'field' in member)
        members.push(randomRule(from, named, before && from.chance(40) ? before : undefined))
        left -= 1
      }
    }
    return { op: from.pick(['and', 'or', 'not'] as const), rules: members }
  }
  return group(1)
}

const CHOICES = [
  ...Object.entries(STANDARD_FIELDS),
  ...FIELDS.map(({ key, type }) => [`custom.${key}`, RULE_TYPE_OF[type]] as const),
]

function randomRule(from: Randomness, named: number, like?: Rule): Rule {
  const [field, type] = like ? CHOICES.find(([name]) => name === like.field)! : from.pick(CHOICES)
  if (type === 'segment' && named === 0) return randomRule(from, named)
  const operator = like && from.chance(50) ? ((like.operator as Operator) ?? 'eq') : from.pick(OPERATORS[type])
  if (operator === 'is_set' || operator === 'is_not_set') return { field, operator }
  if (operator === 'in_last_days' || operator === 'not_in_last_days')
    return { field, operator, value: 1 + from.below(90) }
  switch (type) {
    case 'boolean':
      return { field, operator, value: from.chance(50) }
    case 'engagement':
      return {
        field,
        ...(from.chance(50) ? { operator } : {}),
        ...(from.chance(80)
          ? {
              value: {
                ...(from.chance(50) ? { campaign_id: 1 + from.below(3) } : {}),
                ...(from.chance(50) ? { in_last_days: 1 + from.below(60) } : {}),
                ...(field !== 'received' && from.chance(50) ? { machine: from.pick(['exclude', 'include']) } : {}),
              },
            }
          : {}),
      }
    case 'list':
    case 'tag':
      return {
        field,
        operator,
        value: ids(from, 4),
        ...(type === 'list' && from.chance(50)
          ? { status: from.pick(['pending', 'subscribed', 'unsubscribed'] as const) }
          : {}),
      }
    case 'segment':
      return { field, operator, value: ids(from, named) }
    case 'text':
      return {
        field,
        operator,
        value:
          operator === 'in' || operator === 'not_in'
            ? Array.from({ length: 1 + from.below(4) }, () => wholeText(from, field))
            : operator === 'eq' || operator === 'neq'
              ? wholeText(from, field)
              : partOf(from, wholeText(from, field)),
      }
    default:
      return { field, operator, value: operator === 'between' ? twoOf(from, field, type) : point(from, field, type) }
  }
}

function ids(from: Randomness, most: number): number | number[] {
  return from.chance(30) ? 1 + from.below(most) : Array.from({ length: 1 + from.below(3) }, () => 1 + from.below(most))
}

/** A text that somebody has, in any case, or something strange. */
function wholeText(from: Randomness, field: string): string {
  if (field === 'global_status') return from.pick(['pending', 'SUBSCRIBED', 'unsubscribed', 'bounced', 'complained'])
  const person = from.pick(people)
  const known: Record<string, string> = {
    email: person.email,
    email_domain: from.pick(DOMAINS),
    ...byContactField(({ name }) => person[name]),
    first_name: from.pick(FIRST_NAMES),
    last_name: from.pick(LAST_NAMES),
  }
  const definition = FIELDS.find(({ key }) => `custom.${key}` === field)
  const text = known[field] ?? String(customValue(definition!, from))
  const cased = from.pick([text, text.toUpperCase(), text.toLowerCase()])
  return cased === '' || from.chance(10)
    ? from.pick(["' OR 1=1 --", '%', '_', '"', '*', '?', '$."a"', 'none such'])
    : cased
}

function partOf(from: Randomness, text: string): string {
  const letters = [...text]
  const start = from.below(letters.length)
  const part = from
    .pick([letters.slice(0, start + 1), letters.slice(start), letters.slice(start, start + 1 + from.below(4))])
    .join('')
  // A mark without its letter is another text once it is composed.
  return part.normalize('NFC') === part && !/^\p{M}/u.test(part) ? part : text
}

function point(from: Randomness, field: string, type: string): string | number {
  if (type === 'number') return from.pick([-3, -1, 0, 1, 1.5, 2, 7, 42, 1e9])
  const at =
    field.startsWith('custom.') || field.startsWith('last_') ? NOW - from.below(60) * DAY : from.pick(people).created_at
  return from.chance(50)
    ? day(at)
    : from.chance(70)
      ? new Date(at).toISOString()
      : new Date(at + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
}

function twoOf(from: Randomness, field: string, type: string): unknown[] {
  const [one, other] = [point(from, field, type), point(from, field, type)]
  const low = (value: string | number) => (typeof value === 'number' ? value : Date.parse(value))
  return low(one) <= low(other) && low(other) - low(one) !== 0
    ? [one, other]
    : low(one) === low(other)
      ? [one, one]
      : [other, one]
}
