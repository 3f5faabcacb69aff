import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { keyOf } from '../../../../static/app/site/fields/field-key.ts'
import { field, page, segment } from '../../../support/answers.ts'
import { type Answers, asked, change, flawed, flawsAt, visit } from '../../../support/visit.ts'

const tab = useTab()

const AGAIN = ['contacts/list', 'contacts/stats', 'custom-fields/list', 'schema/get']

const CITY = field('city', 'City')
const PLAN = field('plan', 'Plan', { id: 2, type: 'select', options: ['small', 'big'] })
const rule = (name: string) => ({ field: name, operator: 'is_set' as const })

async function open(answers: Answers = {}, role: Role = 'owner') {
  await visit(
    tab,
    '/fields',
    {
      'custom-fields/list': page(CITY, PLAN),
      'segments/list': page(
        segment(4, 'Near', { rules: { op: 'and', rules: [{ op: 'or', rules: [rule('custom.city')] }] } }),
        segment(5, 'Far', { rules: { op: 'and', rules: [rule('custom.city'), rule('email')] } }),
      ),
      'segments/preview': { count: 1_204, sample: [] },
      'custom-fields/create': {},
      'custom-fields/update': {},
      'custom-fields/delete': {},
      ...answers,
    },
    role,
  )
}

test('Fields stand with their type, their key and the segments that name them.', async () => {
  await open()
  expect(rowsOf(tab, 'Fields').map((row) => row.slice(0, 4))).toEqual([
    ['City', 'Text', 'contact.city', 'Near, Far'],
    ['Plan', 'One of a fewsmall, big', 'contact.plan', ''],
  ])
  expect(tab.button('Far').getAttribute('href')).toEndWith('/segments/5')
})

test('A member reads the fields.', async () => {
  await open({}, 'member')
  expect([tab.has('New field'), tab.has('More to do with City')]).toEqual([false, false])
  expect(tab.text('main')).toContain('Changing fields takes an editor')
  await open({ 'custom-fields/list': page() }, 'member')
  expect(tab.has('New field')).toBe(false)
})

test('The key of a new field follows its name until it is written.', async () => {
  await open()
  await tab.press('New field')
  await tab.type('Name', 'Length of the boat')
  expect(tab.field('Key').value).toBe('length_of_the_boat')
  await tab.type('Key', 'length')
  await tab.type('Name', ' Length ')
  await tab.type('Type', 'select')
  await tab.type('Choices', 'short\n\n long \nshort')
  expect(await change(tab, 'custom-fields/create', () => tab.press('Make the field'))).toEqual({
    busy: ['Make the field'],
    again: AGAIN,
  })
  expect(asked(tab, 'custom-fields/create')).toEqual([
    { key: 'length', label: ' Length ', type: 'select', options: ['short', 'long'] },
  ])
  expect(tab.text('.toasts')).toContain('“Length” is saved.')
})

test('A flaw of a field stands at its part.', async () => {
  const parts = ['options', 'type', 'key', 'label']
  await open({ 'custom-fields/create': flawed(...parts), 'custom-fields/update': flawed(...parts) })
  const labels = ['Name', 'Key', 'Type', 'Choices']
  await tab.press('New field')
  await tab.type('Type', 'select')
  await tab.press('Make the field')
  expect(flawsAt(tab, ...labels)).toEqual(parts.toReversed())
  await tab.press('Not now')
  await tab.press('More to do with Plan')
  await tab.press('Change…')
  await tab.press('Save')
  expect(flawsAt(tab, ...labels)).toEqual(parts.toReversed())
})

test('Only one of a few has choices.', async () => {
  await open()
  await tab.press('New field')
  await tab.type('Name', 'Age')
  await tab.type('Type', 'number')
  await tab.press('Make the field')
  expect(asked(tab, 'custom-fields/create')).toEqual([{ key: 'age', label: 'Age', type: 'number' }])
})

test('A field keeps its key.', async () => {
  await open()
  await tab.press('More to do with Plan')
  await tab.press('Change…')
  expect([tab.field('Key').hasAttribute('readonly'), tab.field('Choices').value]).toEqual([true, 'small\nbig'])
  await tab.type('Name', 'Size')
  expect(await change(tab, 'custom-fields/update', () => tab.press('Save'))).toEqual({ busy: ['Save'], again: AGAIN })
  expect(asked(tab, 'custom-fields/update')).toEqual([
    { field_id: 2, label: 'Size', type: 'select', options: ['small', 'big'] },
  ])
})

test('A field is deleted with its values, and with what names it.', async () => {
  await open()
  await tab.press('More to do with City')
  await tab.press('Delete…')
  expect(tab.text('dialog')).toContain('Rules in “Near”, “Far” name it: they find nobody then.')
  expect(asked(tab, 'segments/preview')).toEqual([{ rules: { op: 'and', rules: [rule('custom.city')] } }])
  await tab.press('Delete the field and 1,204 values')
  expect(asked(tab, 'custom-fields/delete')).toEqual([{ field_id: 1 }])
})

test('Those with a yes or a no are counted, and a number that did not come is not told.', async () => {
  await open({
    'custom-fields/list': page(field('paid', 'Paid', { type: 'boolean' })),
    'segments/preview': new Refusal(403, 'FORBIDDEN'),
  })
  await tab.press('More to do with Paid')
  await tab.press('Delete…')
  expect(asked(tab, 'segments/preview')[0].rules).toEqual({
    op: 'or',
    rules: [true, false].map((value) => ({ field: 'custom.paid', operator: 'eq', value })),
  })
  expect([tab.has('Delete the field and all its values'), tab.text('dialog').includes('Rules in')]).toEqual([
    true,
    false,
  ])
})

test.each([
  ['Länge in Ångström', 'lange_in_angstrom'],
  ['  2nd address! ', '2nd_address'],
  ['x'.repeat(50), 'x'.repeat(40)],
  ['船', ''],
])('A key is made of the name %s.', (label, key) => {
  expect(keyOf(label)).toBe(key)
})

test('Fields that could not be loaded say so.', async () => {
  await open({ 'custom-fields/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Fields could not be loaded.')
})
