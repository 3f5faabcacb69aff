import { expect, test } from 'bun:test'
import { mappingOf, PROVIDERS, statusOfFile } from '../../../src/newsletter/imports/providers.ts'
import type { FileColumn } from '../../../src/store/tables/imports.ts'

const columns = (...headers: string[]): FileColumn[] =>
  headers.map((header, index) => ({ index, header, samples: [], suggested_field: null })) as unknown as FileColumn[]

test('Columns are found by the letters of their headers, and others are left out.', () => {
  expect(mappingOf(PROVIDERS.mailchimp!, columns('Email Address', 'First Name', 'LNAME', 'Notes'))).toEqual({
    mapping: { 0: 'email', 1: 'first_name', 2: 'last_name' },
    knows_status: false,
  })
})

test('Of two columns for one field the first counts, but every column that says who left.', () => {
  const { mapping, knows_status } = mappingOf(
    PROVIDERS.mailchimp!,
    columns('Email', 'Email Address', 'FNAME', 'First Name', 'UNSUB_TIME', 'CLEAN_TIME', 'Status'),
  )
  expect(mapping).toEqual({ 1: 'email', 3: 'first_name', 4: 'opted_out', 5: 'bounced', 6: 'status' })
  expect(knows_status).toBe(true)
})

test('Brevo names block lists for mail in headers of their own.', () => {
  const { mapping } = mappingOf(
    PROVIDERS.brevo!,
    columns('EMAIL', 'EMAIL_BLOCKLISTED', 'SMS_BLACKLIST', 'Whatsapp blocklist', 'PRENOM'),
  )
  expect(mapping).toEqual({ 0: 'email', 1: 'opted_out', 4: 'first_name' })
  const told = mappingOf(
    PROVIDERS.brevo!,
    columns('EMAIL', 'EMAIL_MARKETING', 'SUBSCRIPTION_STATUS', 'WHATSAPP_BLACKLIST'),
  )
  expect(told.mapping).toEqual({ 0: 'email', 1: 'status', 2: 'status' })
})

test('Custom fields are mapped as their headers suggest, unless the provider has a field for the column.', () => {
  const found = columns('Email', 'City', 'Name')
  const suggested = found.map((column, at) => ({
    ...column,
    suggested_field: ['custom.mail', 'custom.city', 'first_name'][at]!,
  }))
  expect(mappingOf(PROVIDERS.listmonk!, suggested as FileColumn[]).mapping).toEqual({
    0: 'email',
    1: 'custom.city',
    2: 'full_name',
  })
  const standard = [...suggested, { ...columns('Vorname')[0]!, index: 3, suggested_field: 'first_name' }]
  expect(mappingOf(PROVIDERS.listmonk!, standard as FileColumn[]).mapping).not.toHaveProperty('3')
})

test('The name of a file may say the status of all its rows.', () => {
  const status = (name: string) => statusOfFile(PROVIDERS.mailchimp!, name)
  expect(
    [
      'unsubscribed_members.csv',
      'non-subscribed.csv',
      'blocklist.csv',
      'cleaned.csv',
      'spam.csv',
      'subscribed.csv',
      'all.csv',
    ].map(status),
  ).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed', 'bounced', 'complained', 'subscribed', null])
  expect(statusOfFile(PROVIDERS.ghost!, 'subscribed.csv')).toBeNull()
})
