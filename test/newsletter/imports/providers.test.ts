import { expect, test } from 'bun:test'
import { mappingOf, PROVIDERS } from '../../../src/newsletter/imports/providers.ts'
import { readRow, type RowRules } from '../../../src/newsletter/imports/rows.ts'
import { requireMapping } from '../../../src/newsletter/imports/mapping.ts'
import type { FileColumn } from '../../../src/store/tables/imports.ts'

const RULES: RowRules = {
  on_invalid_value: 'fail_row',
  default_status: 'subscribed',
  date_format: 'iso',
  has_decimal_comma: false,
  lists: new Map(),
  allowsTag: () => false,
}
/** The status of a row of a Brevo file with these headers and cells after the address. */
function statusOf(headers: string[], cells: string[]) {
  const names = ['EMAIL', ...headers]
  const columns = names.map((header, index) => ({ index, header, suggested_field: null }) as unknown as FileColumn)
  const { mapping, knows_status } = mappingOf(PROVIDERS.brevo!, columns)
  const record = { number: 2, cells: ['ada@example.com', ...cells] }
  const { person } = readRow(record, names.length, requireMapping(mapping, names.length, []), RULES)
  return [knows_status, person?.[5]?.status ?? 'subscribed']
}

test.each([
  'EMAIL_BLACKLISTED',
  'EMAIL_BLOCKLISTED',
  'emailBlacklisted',
  'EMAIL_BLOCKLIST',
  'Blocklisted',
  '_BLOCKLISTED',
])('a Brevo column %s says who is blocklisted, in each word for yes and no', (header) => {
  for (const yes of ['Yes', 'true', '1', 'email_marketing', 'sms_marketing|email_marketing'])
    expect(statusOf([header], [yes])).toEqual([true, 'unsubscribed'])
  for (const no of ['', 'No', 'false', '0', 'Non', 'sms_marketing', 'sms_marketing|whatsapp'])
    expect(statusOf([header], [no])).toEqual([true, 'subscribed'])
})

test('of several columns that say who left, each one counts', () => {
  const headers = ['UNSUBSCRIBED', 'EMAIL_BLOCKLISTED', '_BLOCKLISTED']
  for (const cells of [
    ['Yes', 'No', ''],
    ['No', 'Yes', ''],
    ['No', 'No', 'email_marketing'],
  ])
    expect(statusOf(headers, cells)).toEqual([true, 'unsubscribed'])
  expect(statusOf(headers, ['No', 'No', ''])).toEqual([true, 'subscribed'])
})

test('a column for text messages alone says nothing about mail', () => {
  expect(statusOf(['SMS_BLACKLISTED'], ['Yes'])).toEqual([false, 'subscribed'])
  expect(statusOf(['SMS_BLOCKLISTED', 'EMAIL_BLOCKLISTED'], ['Yes', 'No'])).toEqual([true, 'subscribed'])
})
