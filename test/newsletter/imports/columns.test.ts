import { expect, test } from 'bun:test'
import { clip, requireHead } from '../../../src/newsletter/imports/columns.ts'

const suggestions = (csv: string, custom: { key: string; label: string }[] = []) =>
  requireHead([csv], ',', custom, '/csv').columns.map(({ suggested_field }) => suggested_field)

test('A header suggests a standard field before a custom one, and each field once.', () => {
  const custom = [
    { key: 'letters', label: 'Mail' },
    { key: 'town', label: 'Home Town' },
  ]
  expect(suggestions('Mail,letters,home-town,E-Mail,Vorname\nada@example.com,x,y,z,Ada\n', custom)).toEqual([
    'email',
    'custom.letters',
    'custom.town',
    null,
    'first_name',
  ])
})

test('Without a header the column with addresses is suggested.', () => {
  expect(suggestions('Ada,ada@example.com\nBo,bo@example.com\n')).toEqual([null, 'email'])
})

test('A clipped text has the given length and no half of a character.', () => {
  expect([clip('abcd', 4), clip('abcde', 4), clip('ab😀😀', 4)]).toEqual(['abcd', 'abc…', 'ab\uFFFD…'])
})
