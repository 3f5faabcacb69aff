import { expect, test } from 'bun:test'
import { field } from '../../../support/answers.ts'
import { fieldText } from '../../../../static/app/site/people/field-text.ts'

test('The value of a field is read as what it is.', () => {
  expect(fieldText(undefined, field('city', 'City'))).toBe('')
  expect([true, false].map((value) => fieldText(value, field('paid', 'Paid', { type: 'boolean' })))).toEqual([
    'Yes',
    'No',
  ])
  expect([0, 1_200.5].map((value) => fieldText(value, field('age', 'Age', { type: 'number' })))).toEqual([
    '0',
    '1,200.5',
  ])
  expect(fieldText('2026-05-03', field('born', 'Born', { type: 'date' }))).toBe('3 May 2026')
  expect(fieldText('2026-05-03', field('city', 'City'))).toBe('2026-05-03')
})
