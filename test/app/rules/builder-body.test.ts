import { expect, jest, test } from 'bun:test'
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { ruleFields } from '../../../src/newsletter/segments/rule-fields.ts'
import { Refusal, useTab, send } from '../../support/tab.ts'
import { inTime } from '../../support/visit.ts'
import { RuleBuilderBody } from '../../../static/app/rules/builder-body.tsx'
import { useLiveCount } from '../../../static/app/rules/live-count.ts'

const CUSTOM = [
  { id: 1, key: 'country', label: 'Country', type: 'select', options: ['Norway', 'Sweden'] },
  { id: 2, key: 'age', label: 'Age', type: 'number', options: null },
  { id: 3, key: 'vip', label: 'VIP', type: 'boolean', options: null },
  { id: 4, key: 'town', label: 'Town', type: 'text', options: null },
]
const machine = { machine: { default: 'exclude' } }
const SCHEMA = {
  rule_fields: ruleFields(CUSTOM as never),
  engagement_conditions: [
    { field: 'opened', description: '', value: { properties: machine } },
    { field: 'clicked', description: '', value: { properties: { ...machine, url: {} } } },
    { field: 'received', description: '', value: { properties: {} } },
  ],
  limits: { rules: 4, rule_levels: 2 },
}
const tab = useTab(
  {},
  {
    'schema/get': SCHEMA,
    'custom-fields/list': { items: CUSTOM, next_cursor: null },
    'lists/list': {
      items: [
        { id: 1, name: 'Weekly', archived: false },
        { id: 2, name: 'Old', archived: true },
      ],
      next_cursor: null,
    },
    'tags/list': { items: [{ id: 7, name: 'Fair' }], next_cursor: null },
    'segments/list': { items: [{ id: 8, name: 'Near' }], next_cursor: null },
  },
)

type Rules = { op: string; rules: any[] }
let value: Rules
let cleared = 0

function Builder() {
  const [now, set] = useState(value)
  return h(RuleBuilderBody, {
    value: now as never,
    onChange: (next) => set((value = next as Rules)),
    onClear: () => cleared++,
  })
}
async function open(...rules: object[]) {
  value = { op: 'and', rules }
  cleared = 0
  await tab.draw(h(Builder, {}))
}
const rule = () => value.rules[0]
const pick = (name: string) => tab.type('Field', name)
const notes = () => tab.texts('.rule-notes')
const entries = async (at = 0) => {
  const menus = tab.all('button[aria-label="What to do with this rule"]')
  menus[at]!.click()
  await tab.settled()
  return tab.texts('[role=menu] .menu-item')
}

test('A new rule asks for its field, and the field brings the operator that it begins with.', async () => {
  await open()
  await tab.press('Rule')
  expect(value.rules).toEqual([{ field: '' }])
  expect(notes()).toEqual([''])
  expect(tab.texts('option')).toContain('Choose what to ask…')
  await pick('email')
  expect(rule()).toEqual({ field: 'email', operator: 'contains' })
  expect(notes()).toEqual(['Not finished: it does not count yet.'])
  await tab.type('Value', 'x')
  expect([rule().value, notes()]).toEqual(['x', ['']])
  await tab.type('Operator', 'is_set')
  expect(rule()).toEqual({ field: 'email', operator: 'is_set' })
  await open({ field: 'email', value: 'x' })
  expect(tab.field('Operator').value).toBe(tab.field('Operator').querySelector('option')!.value)
})

test('Texts are made of what is typed, and of what is pasted in a column.', async () => {
  await open({ field: 'email', operator: 'in', value: ['a'] })
  const input = () => tab.field('Values')
  await tab.type('Values', ' b ')
  await tab.key('Enter', {}, input())
  expect(rule().value).toEqual(['a', 'b'])
  await tab.type('Values', 'c')
  await tab.key(',', {}, input())
  await tab.type('Values', 'd')
  await tab.leave('Values')
  expect(rule().value).toEqual(['a', 'b', 'c', 'd'])
  await tab.type('Values', 'b')
  await tab.key('Enter', {}, input())
  expect(rule().value).toEqual(['a', 'b', 'c', 'd'])
  await tab.key('Backspace', {}, input())
  await tab.press('Remove a')
  expect(rule().value).toEqual(['b', 'c'])
  const paste = async (text: string) => {
    const event = { clipboardData: { getData: () => text } }
    const taken = !send(input(), 'paste', event)
    await tab.settled()
    return taken
  }
  expect(await paste('one word')).toBe(false)
  expect(await paste('e;f\tg\n\nh, b')).toBe(true)
  expect(rule().value).toEqual(['b', 'c', 'e', 'f', 'g', 'h'])
  for (const separator of ['\n', '\t', ',', ';']) {
    await open({ field: 'email', operator: 'in', value: [] })
    expect([await paste(`i${separator}j`), rule().value]).toEqual([true, ['i', 'j']])
  }
})

test('A number keeps what is typed, a pair has two, and days are counted.', async () => {
  await open({ field: 'custom.age', operator: 'gt', value: 5 })
  await tab.type('Value', '1.50')
  expect([rule().value, tab.field('Value').value]).toEqual([1.5, '1.50'])
  await tab.type('Value', ' ')
  expect(rule().value).toBeUndefined()
  await tab.type('Operator', 'between')
  await tab.type('To', '9')
  expect(rule().value).toEqual(['', 9])
  await tab.type('From', '3')
  expect(rule().value).toEqual([3, 9])
  await open({ field: 'created_at', operator: 'in_last_days', value: 30 })
  const { min, max } = tab.field('Number of days') as HTMLInputElement
  expect([min, max]).toEqual(['1', '36500'])
  await tab.type('Number of days', '7')
  expect(rule().value).toBe(7)
  await tab.type('Operator', 'eq')
  expect(rule()).toEqual({ field: 'created_at', operator: 'eq' })
  await open({ field: 'created_at', operator: 'eq', value: '2026-05-03T12:00:00Z' })
  expect(tab.field('Value').value).toBe('2026-05-03')
})

test('Yes or no has no operator to choose, and choices are chosen.', async () => {
  await open({ field: 'custom.vip', operator: 'eq', value: true })
  expect(tab.text('.rule-word')).toBe('is')
  expect(tab.field('Value').value).toBe('yes')
  await tab.type('Value', 'no')
  expect(rule().value).toBe(false)
  await open({ field: 'custom.country', operator: 'in', value: ['Norway'] })
  await tab.choose('Values', 'Sweden')
  expect(rule().value).toEqual(['Norway', 'Sweden'])
  await tab.type('Operator', 'eq')
  expect([rule().value, tab.field('Value').value]).toEqual(['Norway', 'Norway'])
})

test('Lists are chosen with the status there, tags and segments without; what is archived says so.', async () => {
  await open({ field: 'list', operator: 'in', value: 1 })
  expect(tab.field('Status on the list').value).toBe('subscribed')
  await tab.choose('Lists', 'OldArchived')
  expect(rule().value).toEqual([1, 2])
  await tab.type('Status on the list', 'pending')
  expect(rule().status).toBe('pending')
  await open({ field: 'tag', operator: 'in', value: [] })
  await tab.choose('Tags', 'Fair')
  expect(rule().value).toEqual([7])
  expect(tab.texts('label')).not.toContain('Status on the list')
})

test('A rule says what of it was deleted, and whom it finds then.', async () => {
  tab.answers['campaigns/get'] = ({ campaign_id }: { campaign_id: number }) =>
    campaign_id === 3 ? { campaign: { name: 'May' } } : new Refusal(404, 'NOT_FOUND')
  await open(
    { field: 'custom.gone', operator: 'eq', value: 'x' },
    { field: 'tag', operator: 'not_in', value: [9] },
    { field: 'list', operator: 'in', value: [1, 9] },
    { field: 'not_opened', value: { campaign_id: 4 } },
  )
  expect(notes()).toEqual([
    'This field was deleted. Remove the rule, or choose another field.',
    'This tag was deleted: the rule finds everybody.',
    'A list of this rule was deleted and finds nobody.',
    'This campaign was deleted: the rule finds everybody.',
  ])
  expect(tab.texts('.chip')).toEqual(['deleted tag', 'Weekly', 'deleted list'])
  await open({ field: 'segment', operator: 'in', value: [9] }, { field: 'opened', value: { campaign_id: 4 } })
  expect(notes()).toEqual([
    'This segment was deleted: the rule finds nobody.',
    'This campaign was deleted: the rule finds nobody.',
  ])
  await open({ field: 'opened', value: { campaign_id: 3 } }, { field: 'inactive', value: { campaign_id: 4 } })
  expect(notes()).toEqual(['', 'This campaign was deleted: the rule finds everybody.'])
  expect(tab.field('Campaign').value).toBe('May')
})

test('A rule about activity asks for a campaign, a time and a link.', async () => {
  tab.answers['campaigns/get'] = { campaign: { name: 'May' } }
  tab.answers['campaigns/list'] = { items: [{ id: 3, name: 'May', status: 'sent' }] }
  const links = [
    { url: 'https://a.example/x', unique_clicks: 1 },
    { url: 'https://b.example', unique_clicks: 2 },
  ]
  tab.answers['campaigns/stats'] = { links }
  await open({ field: 'clicked', value: {} })
  expect(tab.texts('label')).not.toContain('Link')
  await tab.choose('Campaign', 'Maysent')
  expect(tab.sent('campaigns/list')[0]).toEqual({ project_id: 'prj_harbour', order: 'newest', limit: 20 })
  expect(tab.sent('campaigns/get').map(({ campaign_id }) => campaign_id)).toEqual([3])
  expect(rule().value).toEqual({ campaign_id: 3 })
  await tab.type('In the last days', '7')
  await tab.type('Link', 'B.EX')
  await tab.press('https://b.example2 people')
  expect(rule().value).toEqual({ campaign_id: 3, in_last_days: 7, url: 'https://b.example' })
  await tab.type('In the last days', '')
  await tab.press('Clear Link')
  expect(rule().value).toEqual({ campaign_id: 3 })
  await tab.press('Clear Campaign')
  expect(rule().value).toEqual({})
  // A link without a campaign can be taken out, and one of another campaign goes with it.
  await open({ field: 'clicked', value: { url: 'https://b.example' } })
  expect(tab.field('Link').value).toBe('https://b.example')
  await open({ field: 'clicked', value: { campaign_id: 3, url: 'https://b.example' } })
  await tab.press('Clear Campaign')
  expect(rule().value).toEqual({})
  await open({ field: 'opened', value: { campaign_id: 3 } })
  expect(tab.texts('label')).not.toContain('Link')
})

test('Of many links those are offered that fit, and the first twenty of them.', async () => {
  await inTime(tab, async (pass) => {
    tab.answers['campaigns/get'] = new Refusal(404, 'NOT_FOUND')
    const links = Array.from({ length: 30 }, (_, at) => ({ url: `https://a.example/${at}`, unique_clicks: at }))
    tab.answers['campaigns/stats'] = { links }
    const url = 'https://a.example/kept'
    await open({ field: 'clicked', value: { campaign_id: 3, url } })
    expect([tab.field('Campaign').value, tab.field('Link').value]).toEqual(['deleted campaign', url])
    const options = async (typed: string) => {
      await tab.type('Link', typed)
      await pass(1_000)
      return tab.texts('[role=option]')
    }
    const offered = await options('A.EXAMPLE')
    expect([offered.length, offered[0], offered[1]]).toEqual([
      ...[20, 'https://a.example/00 people', 'https://a.example/11 person'],
    ])
    expect(await options('/29')).toEqual(['https://a.example/2929 people'])
    expect(tab.sent('campaigns/stats')).toHaveLength(1)
  })
})

test('Opens by machines count or not, where there can be any.', async () => {
  await open({ field: 'opened', value: {} })
  expect((await entries())[0]).toBe('Count opens and clicks by machines')
  expect(tab.find('[role=menuitemradio]').getAttribute('aria-checked')).toBe('false')
  await tab.press('Count opens')
  expect(rule().value).toEqual({ machine: 'include' })
  await entries()
  await tab.press('Count opens')
  expect(rule().value).toEqual({ machine: 'exclude' })
  await open({ field: 'received', value: {} })
  expect(await entries()).toEqual(['Duplicate', 'Put into a group', 'Remove'])
})

const tag = { field: 'tag', operator: 'in', value: [7] }

test('A rule is doubled, put into a group, and removed.', async () => {
  await open(tag)
  await entries()
  await tab.press('Duplicate')
  expect(value.rules).toEqual([tag, tag])
  await entries()
  await tab.press('Put into a group')
  expect(value.rules).toEqual([{ op: 'or', rules: [tag] }, tag])
  expect(await entries()).not.toContain('Put into a group')
  await tab.press('Remove')
  expect(value.rules).toEqual([tag])
})

test('A group says how many of its rules must match, and a new one inside is joined the other way.', async () => {
  await open(tag)
  await tab.type('How many of the rules must match', 'or')
  await tab.press('Group')
  expect(value).toEqual({ op: 'or', rules: [tag, { op: 'and', rules: [{ field: '' }] }] })
  expect(tab.texts('.rules-note')).toEqual(['Groups nest 2 levels deep; the innermost takes no group.'])
  expect(tab.names().filter((name) => name === 'Group')).toHaveLength(1)
  await tab.press('Remove this group')
  expect(value.rules).toEqual([tag])
  await tab.press('Remove the rules')
  expect(cleared).toBe(1)
})

test.each(['schema/get', 'custom-fields/list', 'lists/list', 'tags/list', 'segments/list'])(
  'Without an answer of %s there are no rules to choose from.',
  async (name) => {
    tab.answers[name] = new Refusal(403, 'FORBIDDEN')
    await open(tag)
    expect(tab.text()).toContain('The rules could not be loaded.')
  },
)

test('A full group takes no more.', async () => {
  await open(tag, tag, { op: 'or', rules: [tag, tag] })
  expect(tab.texts('.rules-note')).toEqual(['4 rules are the most that one group can have.'])
  expect(tab.names().filter((name) => name === 'Rule' || name === 'Group')).toEqual([])
  expect(await entries()).toEqual(['Put into a group', 'Remove'])
})

test('Rules that cannot be loaded are asked for again, every list to its end.', async () => {
  tab.answers['tags/list'] = new Refusal(403, 'FORBIDDEN')
  await open({ ...tag, value: [7, 9] })
  expect(tab.text()).toContain('The rules could not be loaded.')
  tab.answers['tags/list'] = ({ cursor }: { cursor?: string }) =>
    cursor === undefined
      ? { items: [{ id: 7, name: 'Fair' }], next_cursor: 'c2' }
      : { items: [{ id: 9, name: 'Late' }], next_cursor: null }
  await tab.press('Try again')
  expect(tab.texts('.chip')).toEqual(['Fair', 'Late'])
})

let asked: { op: string; rules: object[] }
let search = ''

/** `turn`: what has the same properties is not drawn again. */
function Counted({ at }: { at: number; turn?: number }) {
  const live = useLiveCount(asked as never, { search })
  return h(RuleBuilderBody, { key: at, value: asked as never, onChange() {}, live })
}

test('Matching contacts are counted a moment after the rules have changed, with two of them.', async () => {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  const sample = ['Ada Lind', '', 'Cy'].map((full_name) => ({ full_name, email: 'bo@example.com' }))
  tab.answers['segments/preview'] = { count: 1_204, sample }
  asked = { op: 'and', rules: [tag, { field: '' }] }
  search = ''
  await tab.draw(h(Counted, { at: 0 }))
  const count = () => tab.text('.rules-count')
  expect(tab.sent('segments/preview')).toMatchObject([{ rules: { op: 'and', rules: [tag] } }])
  expect(count()).toBe('1,204 people1 rule is not finished and not counted.')
  asked = { op: 'and', rules: [tag, tag] }
  await tab.redraw(h(Counted, { at: 0, turn: 1 }))
  expect(count()).toBe('1,204 peoplefor example Ada Lind, bo@example.com')
  expect(tab.find('.rules-number').getAttribute('aria-busy')).toBe('true')
  await tab.pass(399)
  expect(tab.sent('segments/preview')).toHaveLength(1)
  let answer = (_: object) => {}
  tab.answers['segments/preview'] = () => new Promise((resolve) => (answer = resolve))
  await tab.pass(1)
  expect([tab.sent('segments/preview').length, count()]).toEqual([
    2,
    '1,204 peoplefor example Ada Lind, bo@example.com',
  ])
  expect(tab.find('.rules-number').getAttribute('aria-busy')).toBe('true')
  answer({ count: 1, sample: [] })
  await tab.settled()
  expect(count()).toBe('1 person')
  expect(tab.find('.rules-number').hasAttribute('aria-busy')).toBe(false)
})

test('Everybody is counted without a sample, and so is who is searched for.', async () => {
  tab.answers['contacts/stats'] = { total: 50 }
  asked = { op: 'and', rules: [] }
  search = ''
  await tab.draw(h(Counted, { at: 1 }))
  expect(tab.text('.rules-count')).toBe('Everybody: 50 people')
  asked = { op: 'and', rules: [tag] }
  search = 'ada'
  await tab.draw(h(Counted, { at: 2 }))
  expect(tab.sent('contacts/stats').map(({ project_id: _, ...body }) => body)).toEqual([
    {},
    { search: 'ada', filter: { op: 'and', rules: [tag] } },
  ])
  expect(tab.text('.rules-count')).toBe('50 people')
})

test('A refusal of a rule stands at the rule, and any other refusal below.', async () => {
  const flaw = (path: string) => new Refusal(422, 'VALIDATION', [{ path, message: 'No such tag.' }])
  tab.answers['segments/preview'] = flaw('/rules/rules/0/value')
  asked = { op: 'and', rules: [{ field: '' }, tag] }
  search = ''
  await tab.draw(h(Counted, { at: 3 }))
  expect(tab.texts('.rule-notes')).toEqual(['', 'No such tag.'])
  expect(tab.text('.rules-count')).toStartWith('Counting…')
  tab.answers['segments/preview'] = new Refusal(403, 'FORBIDDEN')
  await tab.draw(h(Counted, { at: 4 }))
  expect(tab.text('.rules-foot')).toContain('They could not be counted.')
  tab.answers['segments/preview'] = { count: 2, sample: [] }
  await tab.press('Try again')
  expect(tab.text('.rules-count')).toStartWith('2 people')
})
