import { expect, test } from 'bun:test'
import { NO_TEXTS } from '../../../src/shared/contact-fields.ts'
import {
  isSameProfile,
  newProfile,
  onlyMissing,
  type Profile,
  profileAfter,
} from '../../../src/newsletter/contacts/profile.ts'

const ADA = { email: 'ada@example.com', ...NO_TEXTS, first_name: 'Ada', custom_fields: { city: 'Bern' } }

test('A new profile is trimmed and well-formed, and has empty parts for what nobody said.', () => {
  expect(newProfile({ email: ' ada@example.com ', first_name: ' Ada \ud83d', custom_fields: { city: null } })).toEqual({
    ...{ email: 'ada@example.com', ...NO_TEXTS, first_name: 'Ada \ufffd', custom_fields: {} },
  })
})

test('A source changes the parts that it names, an empty text included, and never the address.', () => {
  const said = { email: 'new@example.com', first_name: '', last_name: null, custom_fields: { city: null, age: 36 } }
  expect(profileAfter(ADA, said)).toEqual({ ...ADA, first_name: '', custom_fields: { age: 36 } })
  expect(profileAfter(ADA, { email: ADA.email })).toEqual(ADA)
  const named = { ...ADA, last_name: 'Lind' }
  expect(profileAfter(named, { email: ADA.email, last_name: '' })).toEqual(ADA)
  expect(profileAfter(named, { email: ADA.email, last_name: ' King ' }).last_name).toBe('King')
})

test('A source that may only fill gaps changes no part that the profile has.', () => {
  const said = {
    email: ADA.email,
    first_name: 'Eve',
    last_name: 'Lovelace',
    custom_fields: { city: 'Rome', age: null },
  }
  expect(profileAfter(ADA, onlyMissing(ADA, { ...said, custom_fields: { ...said.custom_fields, size: 'M' } }))).toEqual(
    {
      ...ADA,
      last_name: 'Lovelace',
      custom_fields: { city: 'Bern', size: 'M' },
    },
  )
  expect(onlyMissing(ADA, said).custom_fields).toEqual({})
  const named = { ...ADA, first_name: '', last_name: 'Byron' }
  expect(profileAfter(named, onlyMissing(named, said))).toEqual({ ...named, first_name: 'Eve' })
})

test('Two profiles are the same when every part is.', () => {
  expect(isSameProfile(ADA, { ...ADA, custom_fields: { city: 'Bern' } })).toBe(true)
  const others: Partial<Profile>[] = [
    { email: 'Ada@example.com' },
    { first_name: 'ada' },
    { last_name: 'L' },
    { custom_fields: { city: 'Rome' } },
    { custom_fields: {} },
  ]
  for (const other of others) expect(isSameProfile(ADA, { ...ADA, ...other })).toBe(false)
})
