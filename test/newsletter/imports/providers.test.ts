import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { mappingOf, PROVIDERS, providersOf, statusOfFile } from '../../../src/newsletter/imports/providers.ts'
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
  const consent = (...headers: string[]) =>
    mappingOf(PROVIDERS.mailchimp!, columns('Email', 'OPTIN_TIME', 'OPTIN_IP', ...headers)).mapping
  expect(consent()).toEqual({ 0: 'email', 1: 'consent_at', 2: 'consent_ip' })
  expect(consent('CONFIRM_TIME', 'CONFIRM_IP')).toEqual({ 0: 'email', 3: 'consent_at', 4: 'consent_ip' })
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

/** What the columns of an export are; all others are left out. */
const EXPORTS: [provider: string, file: string, fields: Record<string, string>][] = [
  ['listmonk', 'listmonk.csv', { email: 'email', name: 'full_name', status: 'status' }],
  [
    'ghost',
    'ghost.csv',
    {
      ...{ email: 'email', name: 'full_name', subscribed_to_emails: 'status', created_at: 'consent_at' },
      ...{ deleted_at: 'opted_out', labels: 'tags' },
    },
  ],
  [
    'mailchimp',
    'unsubscribed_members_export_8f.csv',
    {
      ...{ 'Email Address': 'email', 'First Name': 'first_name', 'Last Name': 'last_name', TAGS: 'tags' },
      ...{ CONFIRM_TIME: 'consent_at', CONFIRM_IP: 'consent_ip', UNSUB_TIME: 'opted_out' },
    },
  ],
  [
    'mailtrain',
    'mailtrain.csv',
    { status: 'status', EMAIL: 'email', MERGE_FIRST_NAME: 'first_name', MERGE_LAST_NAME: 'last_name' },
  ],
  ['keila', 'keila.csv', { Email: 'email', 'First name': 'first_name', 'Last name': 'last_name', Status: 'status' }],
  ['substack', 'substack.csv', { email: 'email', email_disabled: 'opted_out', created_at: 'consent_at' }],
  ...[
    ['brevo.csv', { EMAIL_BLACKLISTED: 'opted_out' }] as const,
    ['brevo-api.csv', { _UNSUBSCRIBED: 'opted_out', _BLOCKLISTED: 'opted_out' }] as const,
    ['brevo-template.csv', { email_marketing: 'status' }] as const,
  ].map(([file, fields]): (typeof EXPORTS)[number] => [
    'brevo',
    file,
    { EMAIL: 'email', FIRSTNAME: 'first_name', LASTNAME: 'last_name', ADDED_TIME: 'consent_at', ...fields },
  ]),
]
test.each(EXPORTS)('Each column of an export of %s that means something is mapped: %s.', (provider, file, fields) => {
  const [line = ''] = readFileSync(join(import.meta.dir, 'exports', file), 'utf8').split('\n')
  const headers = line.replaceAll('"', '').split(/[,;]/)
  const { mapping, knows_status } = mappingOf(PROVIDERS[provider]!, columns(...headers))
  expect(Object.fromEntries(Object.entries(mapping).map(([index, field]) => [headers[Number(index)], field]))).toEqual(
    fields,
  )
  expect(knows_status).toBe(true)
  const fitting = providersOf({ columns: columns(...headers), filename: file }).filter(({ fits }) => fits)
  expect(fitting).toMatchObject([{ provider, knows_status: true }])
})

test('An export of listmonk warns unless its name says that the people left, who keep no column of status.', () => {
  const of = (filename: string) =>
    providersOf({ columns: columns('uuid', 'email', 'attributes', 'status'), filename }).find(({ fits }) => fits)!
  expect(of('all.csv')).toMatchObject({ default_status: null, mapping: { 1: 'email', 3: 'status' } })
  expect(of('all.csv').warning).toStartWith('An export of listmonk calls everybody enabled')
  expect(of('unsubscribed.csv')).toMatchObject({
    default_status: 'unsubscribed',
    mapping: { 1: 'email' },
    warning: null,
  })
})
