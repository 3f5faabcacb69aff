import { expect, test } from 'bun:test'
import { AppError } from '../../../src/errors.ts'
import type { FieldDefinition } from '../../../src/newsletter/contacts/custom-values.ts'
import {
  dateColumns,
  datedColumns,
  requireConsent,
  requireMapping,
  settledOptions,
} from '../../../src/newsletter/imports/mapping.ts'

const FOUND = { delimiter: ';', date_format: 'dmy' } as const
const CITY: FieldDefinition = { key: 'city', type: 'text', options: null, slot: 1 }

function flawsOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_FAILED') return error.details
    throw error
  }
  return []
}

test('A mapping becomes a target for each mapped column.', () => {
  expect(requireMapping({ 2: 'email', 0: 'custom.city', 1: 'last_name' }, 3, [CITY])).toEqual([
    { column: 0, field: 'custom.city', custom: CITY },
    { column: 1, field: 'last_name' },
    { column: 2, field: 'email' },
  ])
})

test('Each wrong entry of a mapping is reported at its column.', () => {
  const mapping = { 0: 'email', 1: 'email', 2: 'custom.gone', 3: 'city', 4: 'first_name' }
  expect(flawsOf(() => requireMapping(mapping, 4, [CITY]))).toEqual([
    { path: '/mapping/1', message: 'Another column is mapped to email.' },
    expect.objectContaining({ path: '/mapping/2', message: expect.stringMatching(/^Expected email,/) }),
    expect.objectContaining({ path: '/mapping/3', message: expect.stringMatching(/^Expected email,/) }),
    { path: '/mapping/4', message: 'The file has 4 columns; the first is 0.' },
  ])
  expect(flawsOf(() => requireMapping({ 0: 'email', 1: 'first_name' }, 1, []))).toEqual([
    { path: '/mapping/1', message: 'The file has 1 column; the first is 0.' },
  ])
})

test('Only fields that say why nobody may write to a person may be mapped from several columns.', () => {
  const fields = ['email', 'first_name', 'last_name', 'full_name', 'tags', 'lists', 'consent_at', 'consent_text']
  const strict = ['status', 'opted_out', 'bounced', 'complained']
  for (const field of [...fields, 'consent_ip', 'consent_source', 'custom.city', ...strict]) {
    const twice = { 0: 'email', 1: field, 2: field } as const
    const flaws = flawsOf(() => requireMapping(twice, 3, [CITY])) as { path: string; message: string }[]
    const message = `Another column is mapped to ${field}.`
    if (strict.includes(field)) expect(flaws).toEqual([])
    else expect(flaws.at(-1)).toEqual({ path: '/mapping/2', message })
  }
})

test('A mapping without the address is refused as a whole.', () => {
  const message = 'One column must be mapped to email.'
  expect(flawsOf(() => requireMapping({ 0: 'first_name' }, 1, []))).toEqual([{ path: '/mapping', message }])
  expect(flawsOf(() => requireMapping({}, 1, []))).toEqual([{ path: '/mapping', message }])
})

test('Options get their defaults, and name each list and tag once.', () => {
  expect(settledOptions({}, FOUND)).toEqual({
    list_ids: [],
    tag_ids: [],
    update_existing: false,
    on_invalid: 'skip',
    on_invalid_value: 'fail_row',
    date_format: 'dmy',
    create_tags: false,
    default_status: 'subscribed',
    consent_text: '',
    consent_confirmed: false,
    send_confirmation: false,
    delimiter: ';',
  })
  expect(
    settledOptions(
      { list_ids: [2, 1, 2], tag_ids: [3, 3], on_invalid: 'abort', consent_text: 'Yes \ud83d', delimiter: '\t' },
      FOUND,
    ),
  ).toMatchObject({ list_ids: [2, 1], tag_ids: [3], on_invalid: 'abort', consent_text: 'Yes \ufffd', delimiter: '\t' })
})

test('Lists need a confirmed consent or a confirmation message.', () => {
  const check = (given: Parameters<typeof settledOptions>[0]) =>
    flawsOf(() => requireConsent(settledOptions(given, FOUND)))
  expect(check({ list_ids: [1] })).toEqual([
    {
      path: '/options/consent_confirmed',
      message: 'Lists need consent_confirmed: true or send_confirmation: true.',
    },
  ])
  expect(check({ list_ids: [1], consent_confirmed: true })).toEqual([])
  expect(check({ list_ids: [1], send_confirmation: true })).toEqual([])
  expect(check({})).toEqual([])
})

test('The times of consent and the custom fields that hold days are the columns with dates.', () => {
  const born: FieldDefinition = { key: 'born', type: 'date', options: null, slot: 2 }
  const mapping = { 0: 'email', 1: 'custom.city', 2: 'custom.born', 3: 'consent_at', 4: 'first_name' }
  expect(dateColumns(requireMapping(mapping, 5, [CITY, born]))).toEqual([2, 3])
  // Before the fields are known, every custom field may hold days.
  expect(datedColumns(mapping)).toEqual([1, 2, 3])
})
