import { expect, test } from 'bun:test'
import { h } from 'preact'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import { ruleFields } from '../../../../src/newsletter/segments/rule-fields.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { RuleGroup } from '../../../../static/app/api/operations.d.ts'
import { packRules, unpackRules } from '../../../../static/app/rules/address.ts'
import { contact, list, page, segment, tag } from '../../../support/answers.ts'
import { type Answers, asked, change, inTime, visit } from '../../../support/visit.ts'

const tab = useTab()

const DELETED = [
  ...['contacts/list', 'contacts/stats', 'custom-fields/list', 'lists/list', 'overview', 'schema/get'],
  ...['segments/list', 'segments/preview', 'tags/list'],
]

const RULES: RuleGroup = { op: 'and', rules: [{ field: 'list', operator: 'in', value: [1] }] }
const OTHER: RuleGroup = { op: 'and', rules: [{ field: 'tag', operator: 'in', value: [5] }] }
const LAPSED = segment(4, 'Lapsed', { rules: RULES })

async function open(at: string, answers: Answers = {}, role: Role = 'owner') {
  await visit(
    tab,
    `/segments${at}`,
    {
      'schema/get': {
        rule_fields: ruleFields([]) as never,
        engagement_conditions: [],
        limits: { rules: 50, rule_levels: 3 },
      },
      'custom-fields/list': page(),
      'lists/list': page(list(1, 'Weekly')),
      'tags/list': page(tag(5, 'VIP')),
      'segments/list': page(LAPSED),
      'segments/get': { segment: LAPSED },
      'segments/preview': { count: 1_204, sample: [contact(), contact({ full_name: '' }), contact()] },
      'contacts/stats': { total: 5_000 },
      'segments/create': { segment: segment(9, 'New one') },
      'segments/update': { segment: segment(4, 'Lapsed people') },
      'segments/delete': {},
      'segments/materialize': {},
      ...answers,
    },
    role,
  )
}

const filterOf = (address: string) => unpackRules(new URL(address, 'https://x').searchParams.get('filter')!)

test('Segments stand with their rules in words and how many are in them.', async () => {
  await open('', { 'segments/list': page(LAPSED, segment(6, 'All')) })
  expect(rowsOf(tab, 'Segments').map((row) => row.slice(0, 3))).toEqual([
    ['Lapsed', 'List is on “Weekly”', '1,204'],
    ['All', 'Everybody', '1,204'],
  ])
  expect(tab.sent('segments/preview')).toHaveLength(2)
})

test('A segment that cannot be counted does not keep the others, and thirty are counted at most.', async () => {
  const many = Array.from({ length: 31 }, (_, at) => segment(at + 1, `Segment ${at + 1}`, { rules: RULES }))
  let counted = 0
  await open('', {
    'segments/list': page(...many),
    'segments/preview': () =>
      counted++ === 0 ? new Refusal(400, 'VALIDATION_FAILED') : { count: counted, sample: [] },
  })
  for (let turn = 0; turn < 20; turn++) await tab.settled()
  const people = rowsOf(tab, 'Segments').map((row) => row[2])
  expect([people[0], people[1], people[29], people[30]]).toEqual(['…', '2', '30', '…'])
})

test('A project without segments is led to make one, by who may.', async () => {
  await open('', { 'segments/list': page() })
  expect(tab.names().filter((name) => name === 'New segment')).toHaveLength(2)
  await open('', { 'segments/list': page() }, 'member')
  expect([tab.has('New segment'), tab.text('main').includes('Changing segments takes an editor')]).toEqual([
    false,
    true,
  ])
})

test('The menu of a segment copies, tags and deletes it.', async () => {
  await open('')
  await tab.press('More to do with Lapsed')
  expect(filterOf(tab.button('See these people').getAttribute('href')!)).toEqual(RULES)
  await tab.press('Duplicate')
  expect(tab.address).toStartWith('/segments/new?')
  expect([filterOf(tab.address), new URL(tab.address, 'https://x').searchParams.get('name')]).toEqual([
    RULES,
    'Lapsed (copy)',
  ])
})

test('The people in a segment now get a tag that is there, or one that the job makes.', async () => {
  await open('')
  await tab.press('More to do with Lapsed')
  await tab.press('Tag who is in it now…')
  await tab.press('Tag them')
  expect(tab.text('dialog')).toContain('Choose a tag first.')
  await tab.choose('Tag', 'VIP')
  expect(await change(tab, 'segments/materialize', () => tab.press('Tag them'))).toEqual({
    busy: ['Tag them'],
    again: ['jobs/get', 'jobs/list', 'tags/list'],
  })
  expect(tab.text('.toasts')).toContain('Tagging who is in “Lapsed” has begun.')
  await tab.press('More to do with Lapsed')
  await tab.press('Tag who is in it now…')
  await tab.type('Tag', 'Spring')
  await tab.press('Create “Spring”')
  await tab.press('Tag them')
  expect(asked(tab, 'segments/materialize')).toEqual([
    { segment_id: 4, tag_id: 5 },
    { segment_id: 4, tag_name: 'Spring' },
  ])
})

test('A tag that is there and was chosen last is given instead of one that was named before.', async () => {
  await open('')
  await tab.press('More to do with Lapsed')
  await tab.press('Tag who is in it now…')
  await tab.type('Tag', 'Spring')
  await tab.press('Create “Spring”')
  await tab.choose('Tag', 'VIP')
  await tab.press('Tag them')
  expect(asked(tab, 'segments/materialize')).toEqual([{ segment_id: 4, tag_id: 5 }])
})

test('A member only looks at the people of a segment.', async () => {
  await open('', {}, 'member')
  await tab.press('More to do with Lapsed')
  expect(tab.texts('.menu-item')).toEqual(['See these people'])
})

test('A segment is deleted on its own page, which is left.', async () => {
  await open('/4')
  await tab.press('More to do with Lapsed')
  await tab.press('Delete…')
  expect(await change(tab, 'segments/delete', () => tab.press('Delete 1 segment'))).toEqual({
    busy: ['Delete 1 segment'],
    again: [...DELETED],
  })
  expect([asked(tab, 'segments/delete'), tab.address]).toEqual([[{ segment_id: 4 }], '/segments'])
})

test('The page of a segment leads to a letter to its people.', async () => {
  await open('/4')
  expect(tab.button('Write to them').getAttribute('href')).toEndWith('/campaigns/new?audience=segment%3A4')
})

test('A segment that was not changed is saved as it is.', async () => {
  await open('/4')
  expect(tab.field('Name').value).toBe('Lapsed')
  expect(filterOf(tab.button('See these people').getAttribute('href')!)).toEqual(RULES)
  await tab.type('Name', '  ')
  expect(tab.text('main')).toContain('Give it a name first.')
  await tab.type('Name', 'Lapsed people')
  expect(await change(tab, 'segments/update', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['segments/list', 'segments/preview'],
  })
  expect(asked(tab, 'segments/update')).toEqual([{ segment_id: 4, name: 'Lapsed people', rules: RULES }])
  expect([tab.text('.toasts').includes('“Lapsed people” is saved.'), tab.address]).toEqual([true, '/segments/4'])
  expect(tab.sent('segments/get')).toHaveLength(2)
})

test('A segment that is not saved yet is in the address, and comes back from it.', async () => {
  await inTime(tab, async (pass) => {
    await open('/4')
    await pass(400)
    expect(tab.address).toBe('/segments/4')
    await tab.type('Name', 'Others')
    await pass(399)
    expect(tab.address).toBe('/segments/4')
    await pass(1)
    expect(tab.address).toBe(`/segments/4?name=Others&filter=${packRules(RULES)}`)
    await tab.type('Name', 'Lapsed')
    await pass(400)
    expect(tab.address).toBe('/segments/4')
    // The back button leads out of the segment, and whoever left it is not brought back.
    expect(tab.pushed).toEqual([])
    await tab.type('Name', 'Others')
    await tab.draw(h('p', null))
    await pass(400)
    expect(tab.address).toBe('/segments/4')
  })
  await open(`/4?name=Others&filter=${packRules(OTHER)}`)
  expect(tab.field('Name').value).toBe('Others')
  await tab.press('Save')
  expect(asked(tab, 'segments/update')).toEqual([{ segment_id: 4, name: 'Others', rules: OTHER }])
})

test('A new segment begins with the rules of the address.', async () => {
  await open(`/new?filter=${packRules(OTHER)}`)
  expect(tab.text('h1')).toBe('New segment')
  expect(tab.sent('segments/get')).toEqual([])
  await tab.press('Save')
  expect(tab.sent('segments/create')).toEqual([])
  await tab.type('Name', 'Guests')
  expect(await change(tab, 'segments/create', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['segments/list', 'segments/preview'],
  })
  expect(asked(tab, 'segments/create')).toEqual([{ name: 'Guests', rules: OTHER }])
  expect(tab.address).toBe('/segments/9')
})

test('A name that is taken is told beside it.', async () => {
  await open('/4', { 'segments/update': new Refusal(400, 'X', [{ path: '/name', message: 'Is taken.' }]) })
  await tab.type('Name', 'Taken')
  await tab.press('Save')
  expect(tab.texts('.field-flaw')).toEqual(['Is taken.'])
})

test('A member reads who is in a segment.', async () => {
  await open('/4', {}, 'member')
  expect(tab.text('.card')).toBe(
    'Who is in itList is on “Weekly”1,204 peoplefor example Grace Hopper, grace@example.com',
  )
  expect([tab.has('Save'), tab.text('main').includes('Changing segments takes an editor')]).toEqual([false, true])
})

test('A segment that is not there is told apart from one that could not be loaded.', async () => {
  await open('/9', { 'segments/get': new Refusal(404, 'NOT_FOUND') })
  expect(tab.text('main')).toContain('There is no such segment.')
  await open('/x', { 'segments/get': new Refusal(400, 'VALIDATION_FAILED') })
  expect(tab.text('main')).toContain('There is no such segment.')
  await open('/9', { 'segments/get': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('The segment could not be loaded.')
  await open('', { 'segments/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Segments could not be loaded.')
})
