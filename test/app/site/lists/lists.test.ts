import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { List } from '../../../../static/app/api/operations.d.ts'
import { unpackRules } from '../../../../static/app/rules/address.ts'
import { list, page, tag } from '../../../support/answers.ts'
import { type Answers, asked, change, flawed, flawsAt, visit } from '../../../support/visit.ts'

const tab = useTab()

const AGAIN = ['contacts/stats', 'lists/list', 'overview']
const DELETED = [
  ...['contacts/list', 'contacts/stats', 'custom-fields/list', 'lists/list', 'overview', 'schema/get'],
  ...['segments/list', 'segments/preview', 'tags/list'],
]

interface Opened {
  lists?: List[]
  tags?: ReturnType<typeof tag>[]
  role?: Role
  at?: string
  answers?: Answers
}

const WEEKLY = list(1, 'Weekly', { description: 'Each Monday.', double_opt_in: true })
const COUNTS = [{ list_id: 1, subscribed: 1_200, pending: 40, unsubscribed: 3 }]

async function open({ lists = [WEEKLY], tags = [], role = 'owner', at = '', answers = {} }: Opened = {}) {
  await visit(
    tab,
    `/lists${at}`,
    {
      'lists/list': page(...lists),
      'tags/list': page(...tags),
      'contacts/stats': { by_list: COUNTS },
      'lists/create': { list: list(9, 'Daily') },
      'lists/update': {},
      'lists/delete': {},
      'tags/create': {},
      'tags/update': {},
      'tags/delete': {},
      ...answers,
    },
    role,
  )
}

const rulesOf = (name: string) =>
  unpackRules(new URL(tab.button(name).getAttribute('href')!, 'https://x').searchParams.get('filter')!)!
    .rules as unknown

test('Lists stand with how many are on them, and lead to those people.', async () => {
  await open({ lists: [WEEKLY, list(2, 'Inner', { public: false }), list(3, 'Old', { archived: true })] })
  expect(rowsOf(tab, 'Lists').map((row) => [row[0], ...row.slice(2, 5)])).toEqual([
    ['WeeklyEach Monday.', '1,200', '40', '3'],
    ['InnerNot public', '…', '…', '…'],
  ])
  expect(rulesOf('Weekly')).toEqual([{ field: 'list', operator: 'in', value: [1] }])
  expect(rulesOf('40')).toEqual([{ field: 'list', operator: 'in', value: [1], status: 'pending' }])
  expect(rulesOf('3')).toEqual([{ field: 'list', operator: 'in', value: [1], status: 'unsubscribed' }])
})

test('Archived lists are shown when they are asked for.', async () => {
  const lists = [WEEKLY, list(3, 'Old', { archived: true })]
  await open({ lists })
  await tab.check('Show archived lists (1)')
  expect(tab.address).toBe('/lists?archived=1')
  expect(rowsOf(tab, 'Lists').map((row) => [row[0], row[2]])).toEqual([
    ['WeeklyEach Monday.', '1,200'],
    ['OldArchived', '–'],
  ])
  await tab.check('Show archived lists (1)', false)
  expect(tab.address).toBe('/lists')
  await open()
  expect(tab.text('main')).not.toContain('Show archived lists')
})

test('A member reads the lists.', async () => {
  await open({ lists: [WEEKLY, list(2, 'Daily')], tags: [tag(5, 'VIP')], role: 'member' })
  expect(rowsOf(tab, 'Lists').map((row) => row[1])).toEqual(['Yes', 'No'])
  for (const name of ['New list', 'New tag']) expect(tab.has(name)).toBe(false)
  await tab.press('More to do with Weekly')
  expect(tab.texts('.menu-item')).toEqual(['Sign-up form', 'Sent letters…'])
  await tab.press('More to do with Weekly')
  await tab.press('More to do with VIP')
  expect(tab.texts('.menu-item')).toEqual(['See these people'])
})

test.each([
  [true, 'is on it at once'],
  [false, 'is asked to confirm'],
])('Whether a list asks people to confirm is switched from %s, and taken back.', async (double_opt_in, said) => {
  await open({ lists: [{ ...WEEKLY, double_opt_in }] })
  expect(await change(tab, 'lists/update', () => tab.check('Weekly asks people to confirm'))).toEqual({
    busy: ['Weekly asks people to confirm'],
    again: ['lists/list'],
  })
  expect(tab.text('.toasts')).toContain(`Whoever joins “Weekly” from now on ${said}.`)
  await tab.press('Undo')
  expect(asked(tab, 'lists/update')).toEqual([
    { list_id: 1, double_opt_in: !double_opt_in },
    { list_id: 1, double_opt_in },
  ])
})

test('A switch that was refused says nothing was done.', async () => {
  await open({ answers: { 'lists/update': new Refusal(409, 'CONFLICT') } })
  await tab.check('Weekly asks people to confirm')
  expect(tab.texts('.toast')).toEqual([])
})

test('A new list asks people to confirm and is public, unless said otherwise.', async () => {
  await open({ lists: [] })
  expect(tab.names().filter((name) => name === 'New list')).toHaveLength(2)
  await tab.press('New list')
  await tab.type('Name', 'Daily')
  await tab.type('What people get', 'News.')
  expect(await change(tab, 'lists/create', () => tab.press('Make the list'))).toEqual({
    busy: ['Make the list'],
    again: AGAIN,
  })
  expect(asked(tab, 'lists/create')).toEqual([
    { name: 'Daily', description: 'News.', double_opt_in: true, public: true },
  ])
  expect(tab.text('.toasts')).toContain('“Daily” is there.')
  expect(tab.button('Sign-up form').getAttribute('href')).toEndWith('/lists/9/form')
})

test('A flaw of a list or a tag stands at its field.', async () => {
  const answers: Answers = {
    'lists/create': flawed('description', 'name'),
    'lists/update': flawed('name'),
    'tags/create': flawed('color', 'name'),
  }
  await open({ answers })
  await tab.press('New list')
  await tab.press('Make the list')
  expect(flawsAt(tab, 'Name', 'What people get')).toEqual(['name', 'description'])
  await tab.press('Not now')
  await tab.press('More to do with Weekly')
  await tab.press('Change…')
  await tab.press('Save')
  expect(flawsAt(tab, 'Name', 'What people get')).toEqual(['name', ''])
  await tab.press('Not now')
  await tab.press('New tag')
  await tab.check('With a color')
  await tab.press('Make the tag')
  expect(flawsAt(tab, 'Name', 'Color')).toEqual(['name', 'color'])
})

test('A list is changed as it is.', async () => {
  await open({ lists: [{ ...WEEKLY, public: false }] })
  await tab.press('More to do with Weekly')
  await tab.press('Change…')
  await tab.type('Name', ' Weekly letter ')
  await tab.check('Ask people to confirm')
  expect(await change(tab, 'lists/update', () => tab.press('Save'))).toEqual({ busy: ['Save'], again: AGAIN })
  expect(asked(tab, 'lists/update')).toEqual([
    { list_id: 1, name: ' Weekly letter ', description: 'Each Monday.', double_opt_in: false, public: false },
  ])
  expect(tab.text('.toasts')).toContain('“Weekly letter” is saved.')
})

test('A list is archived and brought back.', async () => {
  await open()
  await tab.press('More to do with Weekly')
  expect((await change(tab, 'lists/update', () => tab.press('Archive'))).again).toEqual(AGAIN)
  expect(tab.text('.toasts')).toContain('“Weekly” is archived')
  await tab.press('Undo')
  await open({ lists: [list(3, 'Old', { archived: true })], at: '?archived=1' })
  await tab.press('More to do with Old')
  await tab.press('Bring back')
  expect(tab.text('.toasts')).toContain('“Old” is back.')
  expect(asked(tab, 'lists/update').map(({ list_id, archived }) => [list_id, archived])).toEqual([
    [1, true],
    [1, false],
    [3, false],
  ])
})

test('A list is deleted by administrators only, with how many are on it.', async () => {
  await open()
  await tab.press('More to do with Weekly')
  await tab.press('Delete…')
  expect(tab.text('dialog')).toContain('1,200 people on it will be on it no more.')
  expect(await change(tab, 'lists/delete', () => tab.press('Delete 1 list'))).toEqual({
    busy: ['Delete 1 list'],
    again: DELETED,
  })
  expect(asked(tab, 'lists/delete')).toEqual([{ list_id: 1 }])
  expect(tab.text('.toasts')).toContain('“Weekly” is deleted.')
  await open({ role: 'editor' })
  await tab.press('More to do with Weekly')
  expect(tab.texts('.menu-item').at(-1)).toContain('Deleting a list takes an administrator')
})

test('A list that was not counted says everybody.', async () => {
  await open({ lists: [list(2, 'Inner')] })
  await tab.press('More to do with Inner')
  await tab.press('Delete…')
  expect(tab.text('dialog')).toContain('Everybody on it will be on it no more.')
})

test('The uses of a list are shown in the place of deleting it.', async () => {
  const uses = { segment_ids: [4], campaign_ids: [5, 6] }
  await open({ answers: { 'lists/delete': new Refusal(409, 'CONFLICT', uses, 'It is in use.') } })
  await tab.press('More to do with Weekly')
  await tab.press('Delete…')
  await tab.press('Delete 1 list')
  expect(tab.texts('dialog a')).toEqual(['Show segment 4', 'Show campaign 5', 'Show campaign 6'])
  expect(tab.button('Show campaign 6').getAttribute('href')).toEndWith('/campaigns/6')
  expect([tab.text('dialog').includes('It is in use.'), tab.texts('.toast')]).toEqual([true, []])
  await tab.press('Close')
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Another refusal stays in the question.', async () => {
  await open({ answers: { 'lists/delete': new Refusal(403, 'FORBIDDEN', undefined, 'Not yours.') } })
  await tab.press('More to do with Weekly')
  await tab.press('Delete…')
  await tab.press('Delete 1 list')
  expect(tab.text('dialog')).toContain('Not yours.')
  expect(tab.has('Delete 1 list')).toBe(true)
})

async function openLetters(list_ids: number[], more: Opened = {}) {
  await open({
    ...more,
    answers: {
      'POST /project/letters/settings/get': { list_ids, url: 'https://a.example/letters' },
      'POST /project/letters/settings/update': {},
    },
  })
  await tab.press(`More to do with ${more.lists?.[0]?.name ?? 'Weekly'}`)
  await tab.press('Sent letters…')
}

test('Sent letters of a list are made public beside those of others, and hidden again.', async () => {
  await openLetters([8])
  expect(tab.has('https://a.example/letters')).toBe(false)
  expect(
    await change(tab, 'POST /project/letters/settings/update', () => tab.check('Sent letters are public')),
  ).toEqual({ busy: ['Sent letters are public'], again: ['/project/letters/settings/get'] })
  expect(asked(tab, 'POST /project/letters/settings/update')).toEqual([{ list_ids: [8, 1] }])
  await openLetters([8, 1])
  expect(tab.button('https://a.example/letters')).toBeDefined()
  await tab.check('Sent letters are public')
  expect(asked(tab, 'POST /project/letters/settings/update').at(-1)).toEqual({ list_ids: [8] })
})

test('Whether letters are public is waited for, and refusals are told.', async () => {
  await open({ answers: { 'POST /project/letters/settings/get': () => new Promise(() => undefined) } })
  await tab.press('More to do with Weekly')
  await tab.press('Sent letters…')
  expect([tab.texts('dialog .skeleton').length, tab.texts('dialog [role=switch]').length]).toEqual([1, 0])
  expect(tab.texts('dialog [role=alert]')).toEqual([])
  await open({ answers: { 'POST /project/letters/settings/get': new Refusal(403, 'FORBIDDEN') } })
  await tab.press('More to do with Weekly')
  await tab.press('Sent letters…')
  expect([tab.text('dialog').includes('This could not be loaded.'), tab.texts('dialog .skeleton')]).toEqual([true, []])
  await openLetters([8], {})
  tab.answers['POST /project/letters/settings/update'] = new Refusal(403, 'FORBIDDEN', undefined, 'Not yours.')
  await tab.check('Sent letters are public')
  expect(tab.text('dialog')).toContain('This was not changed.Not yours.')
  expect(tab.texts('dialog .skeleton')).toEqual([])
})

test('Letters of an archived list are not shown, and a member changes nothing.', async () => {
  await openLetters([3], { lists: [list(3, 'Old', { archived: true })], at: '?archived=1', role: 'member' })
  expect(tab.text('dialog')).toContain('The list is archived: its letters are not shown until it is back.')
  expect(tab.text('dialog')).toContain('Changing it takes an editor')
  expect(tab.has('https://a.example/letters')).toBe(false)
  await tab.check('Sent letters are public')
  expect(tab.sent('POST /project/letters/settings/update')).toEqual([])
})

test('Tags lead to who has them, and are searched once they are many.', async () => {
  await open({ tags: Array.from({ length: 11 }, (_, at) => tag(at + 1, `Tag ${at + 1}`)) })
  expect(tab.texts('.card-search')).toEqual([])
  expect(rulesOf('Tag 3')).toEqual([{ field: 'tag', operator: 'in', value: [3] }])
  await open({ tags: Array.from({ length: 12 }, (_, at) => tag(at + 1, `Tag ${at + 1}`)) })
  await tab.type('Search tags', ' tag 11 ')
  expect(rowsOf(tab, 'Tags').map(([name]) => name)).toEqual(['Tag 11'])
  await tab.type('Search tags', 'nothing')
  expect(tab.text('main')).toContain('No tag matches.')
  await tab.press('Clear the search')
  expect(rowsOf(tab, 'Tags')).toHaveLength(12)
})

test('A tag is made with a color or without one.', async () => {
  await open()
  expect(tab.names().filter((name) => name === 'New tag')).toHaveLength(1)
  await tab.press('New tag')
  await tab.type('Name', 'Press')
  expect(await change(tab, 'tags/create', () => tab.press('Make the tag'))).toEqual({
    busy: ['Make the tag'],
    again: ['tags/list'],
  })
  await tab.press('New tag')
  await tab.type('Name', 'VIP')
  await tab.check('With a color')
  await tab.press('Make the tag')
  expect(asked(tab, 'tags/create')).toEqual([
    { name: 'Press', color: '' },
    { name: 'VIP', color: '#0b5a6e' },
  ])
})

test('A tag is changed and deleted.', async () => {
  await open({ tags: [tag(5, 'VIP')] })
  await tab.press('More to do with VIP')
  await tab.press('Change…')
  await tab.check('With a color', false)
  await tab.type('Name', 'Guests')
  await tab.press('Save')
  expect(asked(tab, 'tags/update')).toEqual([{ tag_id: 5, name: 'Guests', color: '' }])
  await tab.press('More to do with VIP')
  await tab.press('Delete…')
  await tab.press('Delete 1 tag')
  expect(asked(tab, 'tags/delete')).toEqual([{ tag_id: 5 }])
  expect(tab.sent('tags/list')).toHaveLength(3)
})

test('Lists and tags that could not be loaded say so.', async () => {
  const refusal = new Refusal(403, 'FORBIDDEN')
  await open({ answers: { 'lists/list': refusal, 'tags/list': refusal } })
  expect(tab.text('main')).toContain('Lists could not be loaded.')
  expect(tab.text('main')).toContain('Tags could not be loaded.')
})

test('Many lists are searched by name and stand on pages.', async () => {
  const lists = Array.from({ length: 100 }, (_, index) => list(index + 1, `List ${index + 1}`))
  await open({ lists })
  const names = () => rowsOf(tab, 'Lists').map(([name]) => name)
  expect([names().length, names()[0]]).toEqual([50, 'List 1'])
  await tab.press('After')
  expect([names()[0], tab.address]).toEqual(['List 51', '/lists?page=2'])
  await open({ lists, at: '?search=LIST%209' })
  expect(names()).toEqual(['List 9', ...Array.from({ length: 10 }, (_, index) => `List ${90 + index}`)])
  await open({ lists, at: '?search=none' })
  await tab.press('Clear the search')
  expect([names().length, tab.address]).toEqual([50, '/lists'])
})
