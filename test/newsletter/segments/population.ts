import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type ContactTexts, NO_TEXTS } from '../../../src/shared/contact-fields.ts'
import { FixedClock } from '../../../src/clock.ts'
import type { FieldDefinition } from '../../../src/newsletter/contacts/custom-values.ts'
import { emailKey } from '../../../src/address.ts'
import { searchKey } from '../../../src/newsletter/contacts/contact.ts'
import { keyColumns, keyValues } from '../../../src/newsletter/contacts/rule-columns.ts'
import type { Rule, RuleGroup } from '../../../src/store/tables/segments.ts'
import { migrationsFolder } from '../../../src/service.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { openStore, type Store } from '../../../src/store/open.ts'
import {
  custom_fields,
  type CustomValues,
  GLOBAL_STATUSES,
  MEMBERSHIP_STATUSES,
} from '../../../src/store/tables/audience.ts'
import type { ProjectId } from '../../../src/ids.ts'

/**
 * A project full of people of every sort, in the database and beside it as plain objects, and a reading of rules over
 * those objects that shares nothing with the one under test.
 */
export const NOW = Date.UTC(2026, 2, 15, 10, 30)
export const DAY = 86_400_000
export const PROJECT = 1 as ProjectId
export const OTHER_PROJECT = 2 as ProjectId

export interface Person extends ContactTexts {
  id: number
  email: string
  global_status: string
  custom_fields: CustomValues
  created_at: number
  updated_at: number
  consent_at: number | null
  lists: Map<number, string>
  tags: Set<number>
  events: { type: 'open' | 'click'; machine: boolean; campaign_id: number; at: number; url?: string }[]
  sent: { campaign_id: number; status: string; at: number }[]
}

/** Numbers that look random and are the same each time. */
export function randomness(seed: number) {
  let state = seed
  const below = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  return {
    below,
    pick: <T>(from: readonly T[]): T => from[below(from.length)]!,
    chance: (percent: number): boolean => below(100) < percent,
  }
}
export type Randomness = ReturnType<typeof randomness>

export const FIRST_NAMES = [
  '',
  'Anna',
  'ANNA',
  'Björn',
  'BJÖRN',
  'Bjo\u0308rn',
  'Élodie',
  'Иван',
  'ИВАН',
  'Ольга',
  'Σωκράτης',
  'ΣΩΚΡΆΤΗΣ',
  'Zoë',
  '李雷',
  "O'Neil",
  '100%',
  'a_b',
  '*',
  '😀 Smile',
]
export const LAST_NAMES = [
  '',
  'Berg',
  'Müller',
  'Straße',
  'de la Cruz',
  ' Blank',
  '"Quoted"',
  "'; DROP TABLE contacts; --",
  '\\back',
  'Öz',
]
export const DOMAINS = ['example.com', 'mail.example.org', 'Example.COM', 'bücher.example']
const TEXTS = ['Red', 'rot', 'ÄRGER', 'ärger', 'x"y', '{"a":1}', '$."b"', 'null', '0', 'true', '']

/** More than have slots: the last lie in more_keys. */
export const FIELDS: readonly FieldDefinition[] = (
  [
    'text',
    'number',
    'boolean',
    'date',
    'select',
    'text',
    'number',
    'date',
    'text',
    'boolean',
    'number',
    'text',
    'text',
    'number',
    'date',
    'boolean',
    'select',
  ] as const
).map((type, index) => ({
  key: `${type}_${index}`,
  type,
  options: type === 'select' ? ['Gold', 'Silver', 'Ünique'] : null,
  slot: index < 12 ? index + 1 : null,
}))

export async function settle(
  folder: string,
  people: readonly Person[],
  segments: readonly RuleGroup[],
): Promise<Store> {
  const store = await openStore({ url: `file:${join(folder, 'people.db')}` })
  await migrate(store, migrationsFolder, new FixedClock(NOW))
  const at = { created_at: NOW, updated_at: NOW }
  await store.write(async (tx) => {
    await tx.run(
      sql`
        INSERT INTO projects (id, public_id, name, slug, created_at, updated_at)
        VALUES (${PROJECT}, 'prj_people', 'People', 'people', 0, 0),
          (${OTHER_PROJECT}, 'prj_other', 'Other', 'other', 0, 0)`,
    )
    await tx
      .insert(custom_fields)
      .values(FIELDS.map((field) => ({ project_id: PROJECT, label: field.key, ...field, ...at })))
    for (const id of [1, 2, 3]) {
      await tx.run(
        sql`
          INSERT INTO lists (id, project_id, name, name_key, created_at, updated_at)
          VALUES (${id}, ${PROJECT}, ${`l${id}`}, ${`l${id}`}, 0, 0)`,
      )
      await tx.run(
        sql`
          INSERT INTO tags (id, project_id, name, name_key, created_at, updated_at)
          VALUES (${id}, ${PROJECT}, ${`t${id}`}, ${`t${id}`}, 0, 0)`,
      )
      await tx.run(sql`
        INSERT INTO campaigns
          (id, project_id, name, search_key, subject, editor_json, audience_spec, track_opens, track_clicks, status,
           created_at, updated_at)
        VALUES (${id}, ${PROJECT}, '', '', '', '{}', '{}', 1, 1, 'sent', 0, 0)`)
    }
    for (const [index, rules] of segments.entries()) {
      await tx.run(
        sql`
          INSERT INTO segments (id, project_id, name, name_key, rules, created_at, updated_at)
          VALUES (${index + 1}, ${PROJECT}, ${`s${index}`}, ${`s${index}`}, ${JSON.stringify(rules)}, 0, 0)`,
      )
    }
    for (const person of people) {
      const keys = sql.join(
        keyValues(person, FIELDS).map((value) => sql`${value}`),
        sql`, `,
      )
      await tx.run(sql`
        INSERT INTO contacts
          (id, project_id, email, email_key, first_name, last_name, search_key, global_status, custom_fields,
           consent_at, created_at, updated_at, ${sql.raw(keyColumns(FIELDS).join(', '))})
        VALUES (${person.id}, ${PROJECT}, ${person.email}, ${emailKey(person.email)}, ${person.first_name},
          ${person.last_name}, ${searchKey(person)}, ${person.global_status}, ${JSON.stringify(person.custom_fields)},
          ${person.consent_at}, ${person.created_at}, ${person.updated_at}, ${keys})`)
    }
    const rows = <T>(of: (person: Person) => T[][]) => JSON.stringify(people.flatMap(of))
    await tx.run(
      sql`
        INSERT INTO memberships (contact_id, list_id, status) SELECT value->>0, value->>1, value->>2
        FROM json_each(${rows(({ id, lists }) => [...lists].map(([list, status]) => [id, list, status]))})`,
    )
    await tx.run(
      sql`
        INSERT INTO contact_tags (contact_id, tag_id) SELECT value->>0, value->>1
        FROM json_each(${rows(({ id, tags }) => [...tags].map((tag) => [id, tag]))})`,
    )
    const events = rows(({ id, events }) =>
      events.map(({ type, campaign_id, at: when, machine, url = null }) => [
        type,
        campaign_id,
        id,
        when,
        machine ? 1 : 0,
        url,
      ]),
    )
    await tx.run(sql`
      INSERT INTO events (project_id, type, campaign_id, contact_id, at, machine, url)
      SELECT ${PROJECT}, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5
      FROM json_each(${events})`)
    const sent = rows(({ id, sent }) =>
      sent.map(({ campaign_id, status, at: when }) => [campaign_id, id, status, when]),
    )
    await tx.run(sql`
      INSERT INTO deliveries
        (project_id, kind, campaign_id, contact_id, email, status, sent_at, next_attempt_at, created_at)
      SELECT ${PROJECT}, 'campaign', value->>0, value->>1, '', value->>2, value->>3, 0, 0 FROM json_each(${sent})`)
    // A contact of another project, which must never match.
    await tx.run(
      sql`
        INSERT INTO contacts (project_id, email, email_key, search_key, global_status, created_at, updated_at)
        VALUES (${OTHER_PROJECT}, 'stranger@example.com', 'stranger@example.com', '', 'subscribed', 0, 0)`,
    )
  })
  return store
}

export function makePeople(count: number, { below, pick, chance }: Randomness): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const created_at = NOW - below(400) * DAY - below(DAY)
    return {
      ...NO_TEXTS,
      id: index + 1,
      email: `${pick(['Person', 'someone', 'x.y+z'])}${index}@${pick(DOMAINS)}`,
      first_name: pick(FIRST_NAMES),
      last_name: pick(LAST_NAMES),
      global_status: pick(GLOBAL_STATUSES),
      custom_fields: Object.fromEntries(
        FIELDS.flatMap((field) => (chance(70) ? [[field.key, customValue(field, { below, pick, chance })]] : [])),
      ) as CustomValues,
      created_at,
      updated_at: chance(20) ? NOW : created_at + below(DAY),
      consent_at: chance(60) ? created_at : null,
      lists: new Map([1, 2, 3].flatMap((list) => (chance(50) ? [[list, pick(MEMBERSHIP_STATUSES)] as const] : []))),
      tags: new Set([1, 2, 3].filter(() => chance(40))),
      events: Array.from({ length: below(4) }, () => ({
        type: pick(['open', 'click'] as const),
        machine: chance(30),
        campaign_id: pick([1, 2]),
        at: NOW - below(60) * DAY,
      })),
      sent: [1, 2]
        .filter(() => chance(50))
        .map((campaign_id) => ({
          campaign_id,
          status: pick(['sent', 'sent', 'failed', 'queued']),
          at: NOW - below(60) * DAY,
        })),
    }
  })
}

export function customValue(
  { type, options }: FieldDefinition,
  { below, pick, chance }: Randomness,
): string | number | boolean {
  switch (type) {
    case 'text':
      return pick(TEXTS)
    case 'select':
      return pick(options!)
    case 'boolean':
      return chance(50)
    case 'number':
      return pick([-3, 0, 1, 1.5, 7, 42, 1e9])
    case 'date':
      return day(NOW - below(60) * DAY + 5 * DAY)
  }
}

export const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Whether rules fit a person; `segments` are found by their number, counted from 1. */
export function fits(person: Person, group: RuleGroup, segments: readonly RuleGroup[]): boolean {
  if (group.rules.length === 0) return true
  const verdicts = group.rules.map((member) =>
    'rules' in member ? fits(person, member, segments) : ruleFits(person, member, segments),
  )
  return group.op === 'and'
    ? verdicts.every(Boolean)
    : group.op === 'or'
      ? verdicts.some(Boolean)
      : !verdicts.some(Boolean)
}

function ruleFits(
  person: Person,
  { field, operator = 'eq', value, status = 'subscribed' }: Rule,
  segments: readonly RuleGroup[],
): boolean {
  const ids = [value].flat() as number[]
  const contrary = operator === 'not_in'
  switch (field) {
    case 'list':
      return ids.some((id) => person.lists.get(id) === status) !== contrary
    case 'tag':
      return ids.some((id) => person.tags.has(id)) !== contrary
    case 'segment':
      return ids.some((id) => segments[id - 1] !== undefined && fits(person, segments[id - 1]!, segments)) !== contrary
    case 'opened':
      return did(person, value, (_, machine) => !machine || countsMachines(value))
    case 'clicked':
      return did(person, value, (open, machine) => !open && (!machine || countsMachines(value)))
    case 'not_opened':
      return !did(person, value, (_, machine) => !machine || countsMachines(value, true))
    case 'not_clicked':
      return !did(person, value, (open, machine) => !open && (!machine || countsMachines(value)))
    case 'engaged':
      return did(person, value, (open, machine) => !machine || (open && countsMachines(value, true)))
    case 'inactive':
      return !did(person, value, (open, machine) => !machine || (open && countsMachines(value, true)))
    case 'received':
      return person.sent.some(
        ({ campaign_id, status: became, at }) => became === 'sent' && within(campaign_id, at, value),
      )
    default:
      return compare(valueOf(person, field), operator, value, isDays(field))
  }
}

type Scope = { campaign_id?: number; in_last_days?: number; machine?: 'exclude' | 'include' } | undefined

const countsMachines = (scope: unknown, usually = false): boolean =>
  ((scope as Scope)?.machine ?? (usually ? 'include' : 'exclude')) === 'include'

function did({ events }: Person, scope: unknown, counts: (open: boolean, machine: boolean) => boolean): boolean {
  return events.some(
    ({ type, machine, campaign_id, at }) => counts(type === 'open', machine) && within(campaign_id, at, scope),
  )
}

function within(campaign_id: number, at: number, scope: unknown): boolean {
  const { campaign_id: wanted, in_last_days } = (scope as Scope) ?? {}
  return (
    (wanted === undefined || wanted === campaign_id) && (in_last_days === undefined || at >= NOW - in_last_days * DAY)
  )
}

function valueOf(person: Person, field: string): unknown {
  const last = (...types: string[]) =>
    person.events
      .filter((event) => types.includes(event.type) && !event.machine)
      .reduce<number | null>((most, { at }) => Math.max(most ?? at, at), null)
  if (field === 'email_domain') return person.email.split('@')[1]
  if (field === 'last_open_at') return last('open', 'click')
  if (field === 'last_click_at') return last('click')
  if (field.startsWith('custom.')) return person.custom_fields[field.slice(7)]
  return person[field as 'email']
}

const isDays = (field: string) => field.startsWith('custom.date')
const folded = (value: unknown) => String(value).normalize('NFC').toLowerCase().replaceAll('ς', 'σ')

function compare(have: unknown, operator: string, wanted: unknown, by_day: boolean): boolean {
  const isThere = have !== undefined && have !== null && have !== ''
  const text = folded(have)
  switch (operator) {
    case 'is_set':
      return isThere
    case 'is_not_set':
      return !isThere
    case 'in':
      return isThere && (wanted as string[]).some((one) => folded(one) === text)
    case 'not_in':
      return !compare(have, 'in', wanted, by_day)
    case 'contains':
      return isThere && text.includes(folded(wanted))
    case 'not_contains':
      return !compare(have, 'contains', wanted, by_day)
    case 'starts_with':
      return isThere && text.startsWith(folded(wanted))
    case 'ends_with':
      return isThere && text.endsWith(folded(wanted))
    case 'neq':
      return !compare(have, 'eq', wanted, by_day)
    case 'not_in_last_days':
      return !compare(have, 'in_last_days', wanted, by_day)
    case 'in_last_days': {
      if (!isThere) return false
      const from = NOW - (wanted as number) * DAY
      return by_day
        ? String(have) >= day(from) && String(have) <= day(NOW)
        : Number(have) >= from && Number(have) <= NOW
    }
    case 'eq':
      if (typeof have === 'boolean' || typeof wanted === 'boolean') return have === wanted
  }
  if (!isThere) return false
  if (typeof have === 'string' && !by_day) return folded(wanted) === text
  const [from, to] =
    operator === 'between'
      ? [span((wanted as unknown[])[0], by_day)[0], span((wanted as unknown[])[1], by_day)[1]]
      : span(wanted, by_day)
  const it = by_day ? Date.parse(String(have)) : Number(have)
  switch (operator) {
    case 'eq':
    case 'between':
      return it >= from && it <= to
    case 'gt':
      return it > to
    case 'gte':
      return it >= from
    case 'lt':
      return it < from
    case 'lte':
      return it <= to
    default:
      throw new Error(`What is ${operator}?`)
  }
}

/** First and last instant of a value; a number is its own. */
function span(wanted: unknown, by_day: boolean): [number, number] {
  if (typeof wanted === 'number') return [wanted, wanted]
  const at = Date.parse(wanted as string)
  const start = Math.floor(at / DAY) * DAY
  return by_day ? [start, start] : (wanted as string).length === 10 ? [at, at + DAY - 1] : [at, at]
}
