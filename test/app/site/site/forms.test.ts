import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { fieldsOf, rowsOf as rowsOfFields } from '../../../../static/app/site/site/item-fields.ts'
import { type Answers, asked, change, flawed, flawsAt, inTime, visit } from '../../../support/visit.ts'

const tab = useTab()

const AT = '2026-05-03T12:00:00.000Z'
const PEOPLE = {
  members: [
    { user_id: 'usr_ada', firstName: 'Ada', lastName: 'Lind', email: 'ada@example.com' },
    { user_id: 'usr_bo', firstName: 'Bo', lastName: '', email: 'bo@example.com' },
  ],
  invitations: [],
}
const GENERAL = { form: null, notify: ['usr_ada', 'usr_gone'], keep_days: 60, required: ['name'], addresses: ['email'] }
const OWN = { form: 'Contact us', notify: [], keep_days: null }

async function open(at: string, answers: Answers = {}, role: Role = 'owner') {
  await visit(
    tab,
    `/forms${at}`,
    {
      'POST /project/form-entries/forms': {
        forms: [
          { form: 'Contact us', entries: 1_200, last_on: AT },
          { form: 'Orders', entries: 2, last_on: AT },
        ],
      },
      'POST /project/site-settings/get': { settings: { proof_of_work: false } },
      'POST /project/form-settings/list': { settings: [GENERAL, OWN] },
      'POST /project/form-settings/update': {},
      'POST /project/form-settings/reset': {},
      'POST /project/form-settings/expired': { entries: 0 },
      'POST /project/members/list': PEOPLE,
      'POST /project/form-entries/list': { items: [entry(1), entry(2)] as never, next_cursor: null },
      'POST /project/form-entries/delete': { deleted: 1, left: 0 },
      ...answers,
    },
    role,
  )
}

const entry = (id: number) => ({
  id,
  created_on: AT,
  fields: { name: 'Grace', kinds: ['a', 'b'], mixed: ['a', 1], more: { x: 1 } },
})

test('Forms stand with their entries and how long those stay.', async () => {
  await open('')
  expect(rowsOf(tab, 'Forms')).toEqual([
    ['Contact us', '1,200', '3 May 2026, 12:00', 'For good'],
    ['Orders', '2', '3 May 2026, 12:00', '60 days'],
  ])
  expect(tab.button('Contact us').getAttribute('href')).toEndWith('/forms/Contact%20us')
  expect(tab.text('main')).toContain('By mail to Ada Lind, …. Entries are deleted after 60 days.')
})

test('The form to paste sends to this project, and asks for work where the project does.', async () => {
  await open('')
  expect(tab.text('pre')).toContain('name="project_id" value="prj_harbour"')
  expect(tab.text('pre')).not.toContain('altcha')
  await open('', { 'POST /project/site-settings/get': { settings: { proof_of_work: true } } })
  expect(tab.text('pre')).toContain(
    'challenge="https://masthead.example/general/project/form/challenge?project_id=prj_harbour"',
  )
})

test('A project without entries is told how to begin, and a member changes no settings.', async () => {
  await open('', { 'POST /project/form-entries/forms': { forms: [] } }, 'member')
  expect(tab.text('main')).toContain('Nothing was sent yet.')
  expect(tab.has('Change')).toBe(false)
})

test('Forms that could not be loaded say so.', async () => {
  const refusal = new Refusal(403, 'FORBIDDEN')
  await open('', { 'POST /project/form-entries/forms': refusal, 'POST /project/form-settings/list': refusal })
  expect(tab.text('main')).toContain('Forms could not be loaded.')
  expect(tab.text('main')).toContain('The settings could not be loaded.')
  await open('/Orders', { 'POST /project/form-entries/list': refusal })
  expect(tab.text('main')).toContain('The entries could not be loaded.')
})

test('The settings of every form are changed together.', async () => {
  await open('')
  await tab.press('Change')
  expect([tab.text('dialog h2'), tab.has('Settings of its own')]).toEqual(['Settings of every form', false])
  await tab.press('Remove usr_gone')
  await tab.choose('Tell by mail', 'Bobo@example.com')
  await tab.type('Days that entries stay', '30')
  expect(await change(tab, 'POST /project/form-settings/update', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['/project/form-entries/forms', '/project/form-settings/list'],
  })
  expect(asked(tab, 'POST /project/form-settings/update')).toEqual([
    { form: null, notify: ['usr_ada', 'usr_bo'], keep_days: 30, required: ['name'], addresses: ['email'] },
  ])
  expect(tab.text('.toasts')).toContain('The settings are saved.')
})

test.each([
  ['0', true],
  ['1', false],
  ['1.5', true],
  ['3650', false],
  ['3651', true],
  ['', true],
])('A number of %s days is refused: %p.', async (days, isRefused) => {
  await open('')
  await tab.press('Change')
  await tab.type('Days that entries stay', days)
  expect(tab.text('dialog').includes('Write a number of days from 1 to 3650 first.')).toBe(isRefused)
  await tab.press('Save')
  expect(tab.sent('POST /project/form-settings/update')).toHaveLength(isRefused ? 0 : 1)
})

test('A flaw of the settings of forms stands at its field.', async () => {
  await open('', { 'POST /project/form-settings/update': flawed('keep_days', 'notify/0', 'required/1', 'addresses') })
  await tab.press('Change')
  await tab.press('Save')
  const fields = ['Tell by mail', 'Must be filled in', 'Must be an address', 'Days that entries stay']
  expect(flawsAt(tab, ...fields)).toEqual(['notify/0', 'required/1', 'addresses', 'keep_days'])
})

test('Entries that would go are counted before they do.', async () => {
  await inTime(tab, async (pass) => {
    await open('', {
      'POST /project/form-settings/expired': ({ keep_days }) => ({ entries: keep_days === 7 ? 1_200 : 0 }),
    })
    await tab.press('Change')
    await pass(400)
    expect(tab.has('Save')).toBe(true)
    await tab.type('Days that entries stay', '7')
    await pass(400)
    expect(asked(tab, 'POST /project/form-settings/expired').at(-1)).toEqual({ form: null, keep_days: 7 })
    expect(tab.text('dialog')).toContain('1,200 entries are older than that')
    await tab.press('Save, and delete 1,200 entries')
    expect(tab.sent('POST /project/form-settings/update')).toHaveLength(1)
  })
})

test('Entries stay for good where nothing is deleted.', async () => {
  await open('')
  await tab.press('Change')
  await tab.check('Delete old entries')
  await tab.press('Save')
  expect(asked(tab, 'POST /project/form-settings/update')[0].keep_days).toBeNull()
})

test('A form goes back to the settings of every other.', async () => {
  await open('/Contact%20us')
  expect(tab.text('main')).toContain('Nobody is told by mail. Entries stay until somebody deletes them.')
  await tab.press('Settings')
  expect(tab.field('Settings of its own').getAttribute('aria-checked')).toBe('true')
  await tab.check('Settings of its own')
  expect(tab.text('dialog')).toContain('By mail to Ada Lind, …. Entries are deleted after 60 days.')
  await tab.press('Save')
  expect(asked(tab, 'POST /project/form-settings/reset')).toEqual([{ form: 'Contact us' }])
})

test('The entries that a form would lose by the settings of every other are told.', async () => {
  await inTime(tab, async (pass) => {
    await open('/Contact%20us', { 'POST /project/form-settings/expired': { entries: 3 } })
    await tab.press('Settings')
    await pass(400)
    expect(tab.has('Save')).toBe(true)
    await tab.check('Settings of its own')
    await pass(400)
    expect(asked(tab, 'POST /project/form-settings/expired')).toEqual([{ form: 'Contact us', keep_days: 60 }])
    expect(tab.has('Save, and delete 3 entries')).toBe(true)
  })
})

test('A form gets settings of its own, which begin as those of every other.', async () => {
  await open('/Orders')
  expect(tab.text('main')).toContain('Required: name. Checked as an address: email.')
  await tab.press('Settings')
  await tab.check('Settings of its own')
  await tab.choose('Tell by mail', 'The owner')
  await tab.choose('Must be filled in', 'kinds')
  await tab.press('Save')
  expect(asked(tab, 'POST /project/form-settings/update')).toEqual([
    {
      form: 'Orders',
      notify: ['usr_ada', 'usr_gone', 'owner'],
      keep_days: 60,
      required: ['name', 'kinds'],
      addresses: ['email'],
    },
  ])
})

test('Entries stand with all that was sent.', async () => {
  await open('/Contact%20us?from=c1', {
    'POST /project/form-entries/list': { items: [entry(1)] as never, next_cursor: 'c2' },
  })
  expect(asked(tab, 'POST /project/form-entries/list')).toEqual([{ form: 'Contact us', limit: 50, cursor: 'c1' }])
  expect(tab.texts('.values dd')).toEqual(['Grace', 'a; b', '["a",1]', '{"x":1}'])
  expect(tab.button('Export CSV').getAttribute('href')).toBe(
    '/project/form-entries/export?project_id=prj_harbour&form=Contact+us',
  )
  await tab.press('Older')
  expect(tab.address).toBe('/forms/Contact%20us?from=c2')
})

test('One entry, some or all are deleted, in as many calls as it takes.', async () => {
  await open('/Contact%20us')
  await tab.press('Delete the entry of')
  expect(await change(tab, 'POST /project/form-entries/delete', () => tab.press('Delete 1 entry'))).toEqual({
    busy: ['Delete 1 entry'],
    again: ['/project/form-entries/forms'],
  })
  await tab.check('Select the entry of 3 May 2026, 12:00')
  await tab.press('Delete 1 entry')
  await tab.press('Delete 1 entry')
  expect(asked(tab, 'POST /project/form-entries/delete')).toEqual([{ entry_ids: [1] }, { entry_ids: [1] }])
  expect(tab.text('.toasts')).toContain('1 entry is deleted.')
  let left = 700
  tab.answers['POST /project/form-entries/delete'] = () => ({ deleted: 500, left: (left = Math.max(0, left - 500)) })
  await tab.press('Delete all')
  await tab.press('Delete 1,200 entries')
  expect(tab.text('dialog')).toContain('Type 1200 first.')
  await tab.type('Type 1200 to go on', '1200')
  await tab.press('Delete 1,200 entries')
  expect(asked(tab, 'POST /project/form-entries/delete').slice(2)).toEqual([
    { form: 'Contact us' },
    { form: 'Contact us' },
  ])
  expect(tab.text('.toasts')).toContain('1,000 entries are deleted.')
})

test('Deleting ends where nothing is deleted any more, and a later page is left for the first.', async () => {
  await open('/Orders?from=c1', { 'POST /project/form-entries/delete': { deleted: 0, left: 5 } })
  await tab.press('Delete all')
  await tab.press('Delete 2 entries')
  expect(tab.sent('POST /project/form-entries/delete')).toHaveLength(1)
  expect(tab.address).toBe('/forms/Orders')
})

test('A member reads the entries.', async () => {
  await open('/Orders', {}, 'member')
  expect(tab.names().filter((name) => /^(Delete|Export|Settings)/.test(name))).toEqual([])
  expect(tab.text('main')).toContain('Exporting and deleting entries takes an editor')
  expect(tab.body.querySelector('tbody input')).toBeNull()
})

const item = (id: number, more: object = {}) => ({
  ...{ id, directory: 'Shops', title: `Shop ${id}`, slug: `shop-${id}`, fields: { city: 'Oslo', open: true } },
  last_update: AT,
  ...more,
})

async function openDirectory(at: string, items: object[] = [item(1)], role: Role = 'owner', answers: Answers = {}) {
  await visit(
    tab,
    `/directory${at}`,
    {
      'POST /project/directory/list': { directories: [{ directory: 'Shops', items: 1_200, last_update: AT }] },
      'POST /project/directory/items/list': { items: items as never },
      'POST /project/directory/items/create': {},
      'POST /project/directory/items/update': {},
      'POST /project/directory/items/delete': {},
      ...answers,
    },
    role,
  )
}

test('Directories stand with how much they hold.', async () => {
  await openDirectory('')
  expect(rowsOf(tab, 'Directories')).toEqual([['Shops', '1,200', '3 May 2026']])
  expect(tab.button('Shops').getAttribute('href')).toEndWith('/directory/Shops')
  await openDirectory('', [], 'member', { 'POST /project/directory/list': { directories: [] } })
  expect([tab.has('New entry'), tab.text('main').includes('Changing the directory takes an editor')]).toEqual([
    false,
    true,
  ])
})

test('A first entry makes its directory.', async () => {
  await openDirectory('')
  await tab.press('New entry')
  await tab.press('Save the entry')
  expect(tab.text('dialog')).toContain('Write the directory and the title first.')
  await tab.type('Title', 'Fish')
  await tab.press('Save the entry')
  expect(tab.text('dialog')).toContain('Write the directory and the title first.')
  await tab.type('Directory', ' Shops ')
  await tab.press('Add a field')
  await tab.type('Name of field 1', ' city ')
  await tab.type('Value', 'Bergen')
  await tab.press('Add a field')
  expect(await change(tab, 'POST /project/directory/items/create', () => tab.press('Save the entry'))).toEqual({
    busy: ['Save the entry'],
    again: ['/project/directory/list'],
  })
  expect(asked(tab, 'POST /project/directory/items/create')).toEqual([
    { directory: 'Shops', title: 'Fish', fields: { city: 'Bergen' } },
  ])
})

test('An entry is changed with its values as they are.', async () => {
  await openDirectory('/Shops')
  expect(rowsOf(tab, 'Entries of Shops')[0]!.slice(0, 2)).toEqual(['Shop 1', 'shop-1'])
  await tab.press('Actions for Shop 1')
  await tab.press('Change')
  await tab.type('Slug', ' first ')
  await tab.type('Value, as JSON', '[1]')
  await tab.press('Remove field 1')
  await tab.press('Save the entry')
  expect(asked(tab, 'POST /project/directory/items/update')).toEqual([
    { directory: 'Shops', title: 'Shop 1', fields: { open: [1] }, slug: 'first', item_id: 1 },
  ])
  expect(tab.text('.toasts')).toContain('“Shop 1” is saved.')
})

test('An entry is deleted after a question.', async () => {
  await openDirectory('/Shops')
  await tab.press('Actions for Shop 1')
  await tab.press('Delete')
  expect(await change(tab, 'POST /project/directory/items/delete', () => tab.press('Delete the entry'))).toEqual({
    busy: ['Delete the entry'],
    again: ['/project/directory/list'],
  })
  expect(asked(tab, 'POST /project/directory/items/delete')).toEqual([{ item_id: 1 }])
})

test('A page has fifty entries, and one more tells that there are further ones.', async () => {
  const many = Array.from({ length: 51 }, (_, at) => item(at + 1))
  await openDirectory('/Shops?from=50', many)
  expect(asked(tab, 'POST /project/directory/items/list')).toEqual([{ directory: 'Shops', offset: 50, limit: 51 }])
  expect(rowsOf(tab, 'Entries of Shops')).toHaveLength(50)
  await tab.press('After')
  expect(tab.address).toBe('/directory/Shops?from=100')
  await tab.press('Before')
  await tab.press('Before')
  expect(tab.address).toBe('/directory/Shops')
  await openDirectory('/Shops', many.slice(0, 50))
  expect(tab.has('After')).toBe(false)
})

test('A member reads a directory, and failures are told.', async () => {
  await openDirectory('/Shops', [], 'member')
  expect([tab.has('New entry'), tab.text('main').includes('There is no entry here.')]).toEqual([false, true])
  await openDirectory('/Shops', [], 'owner', { 'POST /project/directory/items/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('The entries could not be loaded.')
  await openDirectory('', [], 'owner', { 'POST /project/directory/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('The directory could not be loaded.')
})

test('Fields of an entry are texts or JSON, each by one name.', () => {
  const row = (name: string, text: string, is_json = false) => ({ name, text, is_json })
  expect(rowsOfFields({ city: 'Oslo', open: true })).toEqual([row('city', 'Oslo'), row('open', 'true', true)])
  expect(fieldsOf([row(' city ', 'true'), row('open', 'true', true), row(' ', 'lost')])).toEqual({
    value: { city: 'true', open: true },
    flaw: null,
  })
  expect(fieldsOf([row('a', '1'), row('a ', '2')]).flaw).toBe('Two fields are called a.')
  expect(fieldsOf([row('a', '{', true)]).flaw).toBe('The value of a is not JSON.')
})
