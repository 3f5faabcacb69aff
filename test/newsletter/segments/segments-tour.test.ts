import { sql } from 'drizzle-orm'
import { beforeAll, test } from 'bun:test'
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts'
import type { AppError, Flaw } from '../../../src/errors.ts'
import { requireRules } from '../../../src/newsletter/segments/segment-rules.ts'
import type { RuleGroup } from '../../../src/store/tables/segments.ts'
import { SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type PeopleTour, tourOfPeople } from '../people-tour.ts'

let world: World
let tour: PeopleTour
beforeAll(async () => {
  world = await createWorld()
  tour = tourOfPeople(world)
})

const [OPEN, ASKING, NEIGHBORS] = [1, 2, 3]
const [GOLD, SILVER, NEIGHBORS_TAG] = [1, 2, 3]
/** The moment from which rules look back: noon of a day. */
const NOON = Date.UTC(2026, 2, 10, 12)

test('Whom each rule matches, and the life of a segment, are what is recorded.', async () => {
  await prepare()
  await rules()
  await refused()
  await midnight()
  await segments()
  await materialized()
  expectRecorded('people/segments.txt', tour.text())
})

async function prepare(): Promise<void> {
  await world.ok('lists/create', { name: 'Open' })
  await world.ok('lists/create', { name: 'Asking', double_opt_in: true })
  for (const name of ['gold', 'silver']) await world.ok('tags/create', { name })
  const field = (key: string, type: string, more = {}) =>
    world.ok('custom-fields/create', { key, label: key, type, ...more })
  await field('town', 'text')
  await field('boats', 'number')
  await field('crew', 'boolean')
  await field('born', 'date')
  await field('size', 'select', { options: ['S', 'M', 'L'] })
  for (let more = 1; more <= 7; more += 1) await field(`more_${more}`, 'text')
  await field('late', 'text')
  await field('when', 'date')
  const as = { as: world.keys.other }
  await world.ok('lists/create', { name: 'Open' }, as)
  await world.ok('tags/create', { name: 'gold' }, as)
  await world.ok('segments/create', { name: 'Theirs', rules: { op: 'and', rules: [] } }, as)

  const consent_text = 'Yes.'
  const theirs = { email: 'ada@north.example', consent_text, list_ids: [NEIGHBORS], tag_ids: [NEIGHBORS_TAG] }
  await world.ok('contacts/upsert', theirs, as)
  for (const [days, email, person, custom_fields] of [
    [
      40,
      'Ada@North.example',
      { first_name: 'Ada', list_ids: [OPEN], tag_ids: [GOLD] },
      { boats: 1, town: 'Oslo', crew: true, born: '2026-03-09' },
    ],
    [
      31,
      'bob@south.example',
      { last_name: 'Ådal', list_ids: [OPEN, ASKING], tag_ids: [SILVER] },
      { boats: 2.5, size: 'M' },
    ],
    [
      30,
      'cleo@north.example',
      { first_name: 'ADA', list_ids: [ASKING] },
      { boats: -3, town: 'oslo sentrum', crew: false },
    ],
    [
      7,
      'dan@east.example',
      { first_name: 'Dan', tag_ids: [GOLD, SILVER] },
      { born: '2026-03-08', late: 'Ja', size: 'S' },
    ],
    [
      1,
      'eve@north.test',
      { first_name: 'Σοφός', list_ids: [OPEN] },
      { born: '2026-03-10', when: '2026-03-03', late: 'nei' },
    ],
    [0, 'fay@south.example', {}, { boats: 1, born: '2026-03-11', when: '2026-03-02', town: '' }],
  ] as const) {
    world.clock.advance(NOON - days * DAY_MS - world.clock.now())
    await world.ok('contacts/upsert', { email, consent_text, ...person, custom_fields })
  }
  await world.ok('contacts/membership', { contact_id: 6, list_id: OPEN, action: 'unsubscribe' })
  await world.ok('contacts/unsubscribe', { contact_id: 5 })
  await world.ok('suppressions/add', { email: 'bob@south.example', reason: 'hard_bounce' })

  const draft = {
    subject: 'Hello',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: OPEN }] },
  }
  for (const name of ['First', 'Second']) await world.ok('campaigns/create', { name, ...draft })
  await world.service.runtime.store.write(async (tx) => {
    const event = (contact_id: number, type: string, campaign_id: number, days: number, more = 'NULL, 0') =>
      tx.run(
        sql.raw(`
        INSERT INTO events (project_id, contact_id, type, campaign_id, at, url, machine)
        VALUES (101, ${contact_id}, '${type}', ${campaign_id}, ${NOON - days * DAY_MS}, ${more})`),
      )
    const sent = (contact_id: number, campaign_id: number, days: number, status: string, kind = 'campaign') =>
      tx.run(
        sql.raw(`
        INSERT INTO deliveries
          (project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, sent_at, created_at)
        VALUES (101, '${kind}', ${campaign_id}, ${contact_id}, 'x', '${status}', 0, ${NOON - days * DAY_MS}, 0)`),
      )
    await sent(2, 1, 20, 'sent')
    await sent(3, 1, 20, 'failed')
    await sent(4, 2, 7, 'sent')
    await sent(5, 2, 5, 'sent', 'test')
    await event(2, 'open', 1, 19)
    await event(2, 'click', 1, 19, "'https://tide.example/a', 0")
    await event(3, 'open', 1, 18, 'NULL, 1')
    await event(4, 'open', 2, 6)
    await event(5, 'click', 2, 5, "'https://tide.example/b', 1")
    await event(6, 'click', 2, 4, "'https://tide.example/b', 0")
    await event(6, 'sent', 2, 4)
  })
  world.clock.advance(NOON - world.clock.now())
  await tour.skip()
}

/** Rules by field: operator, value, and what else a rule has. */
const RULES: readonly (readonly [field: string, ...rules: readonly (readonly [string?, unknown?, object?])[]])[] = [
  ['email', ['eq', 'ada@NORTH.example'], ['neq', 'ada@north.example'], ['contains', 'NORTH'], ['ends_with', '.test']],
  ['email', ['not_contains', 'north'], ['starts_with', 'D'], ['in', ['bob@south.example', 'Eve@north.test', 'x']]],
  ['email', ['not_in', ['bob@south.example', 'eve@north.test']], ['is_set'], ['is_not_set']],
  ['email_domain', ['eq', 'north.EXAMPLE'], ['neq', 'north.example'], ['starts_with', 'north'], ['contains', '@']],
  ['first_name', ['eq', 'ada'], ['neq', 'ada'], ['is_set'], ['is_not_set'], ['eq', 'ΣΟΦΌΣ'], ['ends_with', 'ς']],
  ['first_name', ['in', ['Dan', 'ADA']], ['not_in', ['Dan', 'ADA']], ['contains', 'd'], ['not_contains', 'd']],
  ['last_name', ['eq', 'a\u030adal'], ['is_not_set', null], ['starts_with', 'å'], ['ends_with', 'dal']],
  [
    'global_status',
    ['eq', 'subscribed'],
    ['neq', 'subscribed'],
    ['in', ['bounced', 'unsubscribed']],
    ['contains', 'b'],
  ],
  ['created_at', ['eq', '2026-02-08'], ['neq', '2026-02-08'], ['gt', '2026-02-08'], ['gte', '2026-02-08']],
  ['created_at', ['lt', '2026-02-08'], ['lte', '2026-02-08'], ['between', ['2026-02-07', '2026-03-03']]],
  [
    'created_at',
    ['lt', '2026-02-08T12:00:00Z'],
    ['lte', '2026-02-08T13:00:00+01:00'],
    ['gt', '2026-02-08T12:00:00.000Z'],
  ],
  ['created_at', ['in_last_days', 1], ['in_last_days', 7], ['in_last_days', 30], ['not_in_last_days', 7], ['is_set']],
  ['updated_at', ['in_last_days', 1], ['not_in_last_days', 31], ['gte', '2026-03-10']],
  ['consent_at', ['gte', '2026-03-09'], ['between', ['2026-02-07T12:00:00Z', '2026-02-08T12:00:00Z']], ['is_not_set']],
  ['last_open_at', ['is_set'], ['is_not_set'], ['in_last_days', 6], ['not_in_last_days', 6], ['lt', '2026-03-01']],
  ['last_click_at', ['is_set'], ['is_not_set'], ['in_last_days', 4], ['eq', '2026-03-06'], ['neq', '2026-03-06']],
  [
    'custom.town',
    ['eq', 'OSLO'],
    ['neq', 'oslo'],
    ['is_set'],
    ['is_not_set'],
    ['starts_with', 'oslo'],
    ['contains', ' '],
  ],
  [
    'custom.boats',
    ['eq', 1],
    ['neq', 1],
    ['gt', 1],
    ['gte', 1],
    ['lt', 1],
    ['lte', 1],
    ['between', [-3, 1]],
    ['is_set'],
  ],
  ['custom.boats', ['is_not_set'], ['between', [2, 2.5]], ['between', [1, 1]]],
  ['custom.crew', ['eq', true], ['eq', false]],
  ['custom.born', ['eq', '2026-03-10'], ['neq', '2026-03-10'], ['gt', '2026-03-10'], ['gte', '2026-03-10T23:59:59Z']],
  ['custom.born', ['lt', '2026-03-10'], ['lte', '2026-03-10'], ['between', ['2026-03-09', '2026-03-10']], ['is_set']],
  ['custom.born', ['in_last_days', 1], ['in_last_days', 2], ['not_in_last_days', 1]],
  ['custom.size', ['in', ['S', 'L']], ['not_in', ['s']], ['eq', 'm'], ['is_not_set']],
  ['custom.late', ['eq', 'JA'], ['neq', 'ja'], ['is_set'], ['is_not_set'], ['contains', 'e']],
  ['custom.when', ['in_last_days', 7], ['in_last_days', 8], ['not_in_last_days', 7], ['lte', '2026-03-02']],
  ['list', ['in', OPEN], ['not_in', OPEN], ['in', [OPEN, ASKING]], ['in', 99], ['not_in', [99]], ['in', NEIGHBORS]],
  ['list', ['in', ASKING, { status: 'pending' }], ['not_in', ASKING, { status: 'pending' }]],
  ['list', ['in', [OPEN, ASKING], { status: 'unsubscribed' }], ['in', OPEN, { status: 'subscribed' }]],
  ['tag', ['in', GOLD], ['not_in', GOLD], ['in', [GOLD, SILVER]], ['not_in', [GOLD, SILVER]], ['in', NEIGHBORS_TAG]],
  ['segment', ['in', 1], ['not_in', 1], ['in', 99], ['not_in', 99]],
  ['opened', [], ['eq', {}], ['eq', { campaign_id: 1 }], ['eq', { in_last_days: 6 }], ['eq', { in_last_days: 5 }]],
  ['opened', ['eq', { machine: 'include' }], ['eq', { machine: 'exclude', campaign_id: 1 }]],
  [
    'clicked',
    [],
    ['eq', { campaign_id: 2 }],
    ['eq', { url: 'https://tide.example/b' }],
    ['eq', { machine: 'include', in_last_days: 5 }],
  ],
  ['received', [], ['eq', { campaign_id: 1 }], ['eq', { in_last_days: 7 }], ['eq', { in_last_days: 6 }]],
  ['not_opened', [], ['eq', { machine: 'exclude' }], ['eq', { campaign_id: 2 }]],
  [
    'not_clicked',
    [],
    ['eq', { machine: 'include' }],
    ['eq', { url: 'https://tide.example/a' }],
    ['eq', { in_last_days: 4 }],
  ],
  ['engaged', [], ['eq', { machine: 'exclude' }], ['eq', { campaign_id: 1 }], ['eq', { in_last_days: 6 }]],
  ['inactive', [], ['eq', { machine: 'exclude' }], ['eq', { in_last_days: 6 }]],
]

/** The contacts that rules match, or what is wrong with the rules. */
async function preview(rules: unknown): Promise<string> {
  const { db } = world.service.runtime.store
  const project_id = world.project.id
  try {
    const now = world.clock.now()
    const condition = await requireRules(db, { project_id, rules: rules as RuleGroup, path: '/rules', now })
    const found = await db.all<{ id: number }>(sql`
      SELECT id FROM contacts contact WHERE project_id = ${project_id} AND ${condition} ORDER BY id`)
    return `[${found.map(({ id }) => id).join(' ')}]`
  } catch (error) {
    const { code, details } = error as AppError
    return `${code} ${(details as Flaw[]).map(({ path, message }) => `${path} ${message}`).join(' ')}`
  }
}

const ruleOf = (field: string, [operator, value, more]: readonly [string?, unknown?, object?]) => ({
  field,
  ...(operator === undefined ? {} : { operator }),
  ...(value === undefined ? {} : { value }),
  ...more,
})

async function rules(): Promise<void> {
  tour.heading('Whom a rule matches, alone and negated')
  for (const [field, ...given] of RULES) {
    const told: string[] = []
    for (const rule of given) {
      const whole = ruleOf(field, rule)
      const matched = await preview({ op: 'and', rules: [whole] })
      const others = await preview({ op: 'not', rules: [whole] })
      const parts = rule.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
      told.push(`${parts.join(' ')} ${matched} ${others}`)
    }
    tour.write(`${field}: ${told.join(' | ')}`)
  }
  tour.heading('Groups of rules')
  const gold = { field: 'tag', operator: 'in', value: GOLD }
  const silver = { field: 'tag', operator: 'in', value: SILVER }
  const open = { field: 'list', operator: 'in', value: OPEN }
  const pending = { ...open, value: ASKING, status: 'pending' }
  const negated = { ...gold, operator: 'not_in' }
  for (const op of ['and', 'or', 'not'])
    for (const members of [
      [],
      [gold, silver],
      [gold, silver, open],
      [open, pending],
      [negated, { ...silver, operator: 'not_in' }],
      [gold, { op: 'not', rules: [silver] }],
      [
        { op: 'or', rules: [gold, open] },
        { op: 'and', rules: [silver, { field: 'custom.boats', operator: 'is_set' }] },
      ],
      [{ op: 'and', rules: [] }, open],
    ])
      tour.write(`${op} ${JSON.stringify(members)}: ${await preview({ op, rules: members })}`)
  await tour.call('A preview, whole.', 'segments/preview', { rules: { op: 'and', rules: [pending] } })
}

/** Long arrays as their length. */
const short = (text: string) =>
  text.replace(/\[(?:"?\d+"?,){50,}"?\d+"?\]/, (values) => `[${values.split(',').length} values]`)

async function refused(): Promise<void> {
  tour.heading('Refused rules')
  const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const nested = (levels: number): object => ({ op: 'and', rules: levels === 1 ? [] : [nested(levels - 1)] })
  for (const rule of [
    7,
    {},
    { field: 'phone', operator: 'eq' },
    { field: 'custom.none', operator: 'eq', value: 1 },
    { field: 'email' },
    { field: 'email', operator: 'gt', value: 'a' },
    { field: 'email', operator: 'eq', value: '' },
    { field: 'email', operator: 'eq', value: 5 },
    { field: 'email', operator: 'contains', value: 'x'.repeat(1001) },
    { field: 'email', operator: 'in', value: [] },
    { field: 'email', operator: 'in', value: ['a', 3] },
    { field: 'email', operator: 'in', value: many(201).map(String) },
    { field: 'email', operator: 'is_set', value: 'a' },
    { field: 'email', operator: 'eq', value: 'a', status: 'pending' },
    { field: 'global_status', operator: 'eq', value: 'gone' },
    { field: 'global_status', operator: 'not_in', value: ['bounced', 'gone'] },
    { field: 'created_at', operator: 'eq', value: 'today' },
    { field: 'created_at', operator: 'eq', value: '2026-02-30' },
    { field: 'created_at', operator: 'between', value: ['2026-02-02', '2026-02-01'] },
    { field: 'created_at', operator: 'between', value: ['2026-02-02'] },
    { field: 'created_at', operator: 'between', value: ['2026-02-02', 5] },
    { field: 'created_at', operator: 'in_last_days', value: 0 },
    { field: 'created_at', operator: 'in_last_days', value: 1.5 },
    { field: 'created_at', operator: 'in_last_days', value: 36_501 },
    { field: 'custom.boats', operator: 'eq', value: '1' },
    { field: 'custom.boats', operator: 'between', value: [2, 1] },
    { field: 'custom.crew', operator: 'eq', value: 'yes' },
    { field: 'custom.crew', operator: 'is_set' },
    { field: 'list', operator: 'in', value: 'Open' },
    { field: 'list', operator: 'in', value: [1, 0] },
    { field: 'list', operator: 'in', value: [] },
    { field: 'list', operator: 'in', value: many(201) },
    { field: 'list', operator: 'in', value: 1, status: 'gone' },
    { field: 'tag', operator: 'eq', value: 1 },
    { field: 'tag', operator: 'in', value: 1.5 },
    { field: 'segment', operator: 'in', value: null, note: 'x', 'a/b': 1 },
    { field: 'opened', value: 'First' },
    { field: 'opened', value: null },
    { field: 'opened', value: [] },
    { field: 'opened', value: { campaign_id: 'First' } },
    { field: 'opened', value: { in_last_days: 0 } },
    { field: 'opened', value: { machine: 'no' } },
    { field: 'opened', value: { url: 'https://tide.example/' } },
    { field: 'received', value: { machine: 'include' } },
    { field: 'clicked', value: { url: '' } },
    { field: 'clicked', value: { days: 4 } },
    { op: 'xor', rules: [] },
    { op: 'and' },
    { op: 'and', rules: {}, note: 1 },
    nested(3),
    nested(4),
  ])
    tour.write(`${short(JSON.stringify(rule))}: ${await preview({ op: 'and', rules: [rule] })}`)
  for (const count of [60, 61]) {
    const rules = many(count).map(() => ({ field: 'email', operator: 'is_set' }))
    tour.write(`${count} rules: ${await preview({ op: 'and', rules })}`)
  }
  for (const count of [199, 200])
    tour.write(
      `${count} groups: ${await preview({ op: 'and', rules: many(count).map(() => ({ op: 'and', rules: [] })) })}`,
    )
  tour.write(`261 members: ${await preview({ op: 'and', rules: many(261).map(() => ({ op: 'and', rules: [] })) })}`)
  const flawed = many(25).map((index) => ({ field: `field_${index}` }))
  tour.write(`25 flaws: ${(await preview({ op: 'or', rules: flawed })).match(/Expected one of/g)?.length}`)
}

/** What relative dates match a minute before midnight, at midnight, and a minute later. */
async function midnight(): Promise<void> {
  tour.heading('Relative dates around midnight')
  const given = [
    ['created_at', 'in_last_days', 1],
    ['created_at', 'in_last_days', 8],
    ['custom.born', 'in_last_days', 1],
    ['custom.born', 'not_in_last_days', 1],
    ['custom.when', 'in_last_days', 8],
    ['last_open_at', 'in_last_days', 7],
  ] as const
  for (const minutes of [11 * 60 + 59, 12 * 60, 12 * 60 + 1, 24 * 60, 24 * 60 + 1]) {
    world.clock.advance(NOON + minutes * MINUTE_MS - world.clock.now())
    const told: string[] = []
    for (const [field, operator, value] of given)
      told.push(`${field} ${operator} ${value} ${await preview({ op: 'and', rules: [{ field, operator, value }] })}`)
    told.push(`opened ${await preview({ op: 'and', rules: [{ field: 'opened', value: { in_last_days: 7 } }] })}`)
    tour.write(`${new Date(world.clock.now()).toISOString()}: ${told.join(' | ')}`)
  }
}

async function segments(): Promise<void> {
  tour.heading('Segments')
  const group = (...members: object[]) => ({ op: 'and', rules: members })
  const tagged = group({ field: 'tag', operator: 'in', value: GOLD })
  const within = (...value: number[]) => group({ field: 'segment', operator: 'in', value })
  const create = (sentence: string, name: string, rules: object) =>
    tour.call(sentence, 'segments/create', { name, rules })
  await create('A segment.', ' Golden ', tagged)
  await create('A segment of everybody.', 'All', group())
  await create('A segment of segments.', 'Both', within(2, 3))
  await create('A segment of those.', 'Nested', { op: 'or', rules: [within(4), tagged] })
  await create('A name that is taken.', 'GOLDEN', tagged)
  await create('Rules that do not fit.', 'Wrong', group({ field: 'custom.none', operator: 'eq', value: 1 }))
  await create('A segment that nobody has.', 'Missing', within(99))
  await create("A neighbor's segment.", 'Foreign', within(1))
  await tour.changes()
  for (const id of [2, 3, 4, 5, 6, 7]) tour.write(`in segment ${id}: ${await preview(within(id))}`)
  await tour.call('All.', 'segments/list', { limit: 3 })
  await tour.pages('Two a page.', 'segments/list', { limit: 2 }, ({ id, name }) => [id, name])
  await tour.call('One.', 'segments/get', { segment_id: 4 })
  await tour.call("A neighbor's.", 'segments/get', { segment_id: 1 })
  const update = (sentence: string, segment_id: number, more: object = {}) =>
    tour.call(sentence, 'segments/update', { segment_id, ...more })
  await update('Nothing changes.', 2)
  await update('A name.', 2, { name: ' Gold ' })
  await update('Rules.', 2, { rules: group({ field: 'tag', operator: 'in', value: SILVER }) })
  await update('A name that is taken.', 2, { name: 'nested' })
  await update('Itself.', 2, { rules: within(2) })
  await update('A loop.', 2, { rules: group({ field: 'email', operator: 'is_set' }, within(3, 5)) })
  await update("A neighbor's.", 1, { name: 'Mine' })
  await tour.changes()
  const remove = (sentence: string, segment_id: number) => tour.call(sentence, 'segments/delete', { segment_id })
  const audience_spec = { include: [{ type: 'list', id: OPEN }], exclude: [{ type: 'segment', id: 4 }] }
  for (const name of ['Third', 'Fourth'])
    await world.ok('campaigns/create', { name, subject: name, editor_json: SAMPLE_DOCUMENT, audience_spec })
  await tour.skip()
  await remove('Which another names.', 3)
  await remove('Which another and drafts name.', 4)
  await remove('Which nobody names.', 5)
  await remove('It is gone.', 5)
  await remove("A neighbor's.", 1)
  await tour.changes()

  tour.heading('Limits of nested segments')
  const made: number[] = []
  for (let index = 0; index < 11; index += 1)
    made.push((await world.ok('segments/create', { name: `Inner ${index}`, rules: tagged })).segment.id)
  for (const count of [10, 11]) await create(`${count} nested.`, `Outer ${count}`, within(...made.slice(0, count)))
  const sixty = { op: 'and', rules: Array.from({ length: 60 }, () => ({ field: 'email', operator: 'is_set' })) }
  for (const segment_id of made.slice(0, 9)) await world.ok('segments/update', { segment_id, rules: sixty })
  const { body } = await world.call('segments/update', { segment_id: made[9], rules: sixty })
  tour.write(`609 rules within a parent: ${JSON.stringify(body.error)}`)
  await tour.skip()
}

async function materialized(): Promise<void> {
  tour.heading('Tags from segments')
  const call = (sentence: string, segment_id: number, tag: object) =>
    tour.call(sentence, 'segments/materialize', { segment_id, ...tag })
  await call('A tag by its name, which is new.', 2, { tag_name: ' Chosen ' })
  await call('A tag by its name, in other case.', 3, { tag_name: 'GOLD' })
  await call('A tag by its id.', 2, { tag_id: GOLD })
  await call('Both.', 2, { tag_id: GOLD, tag_name: 'Gold' })
  await call('Neither.', 2, {})
  await call("A neighbor's segment.", 1, { tag_id: GOLD })
  await call("A neighbor's tag.", 2, { tag_id: NEIGHBORS_TAG })
  world.clock.advance(MINUTE_MS)
  await world.service.drain('jobs')
  await tour.changes()
  await call('A tag that goes before the job runs.', 2, { tag_id: SILVER })
  await world.ok('tags/delete', { tag_id: SILVER })
  await tour.skip()
  await world.service.drain('jobs')
  await tour.changes()
}
