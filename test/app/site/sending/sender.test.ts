import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { Settings } from '../../../../static/app/api/operations.d.ts'
import { type Answers, asked, change, flawed, flawsAt, visit } from '../../../support/visit.ts'

const tab = useTab()

const SETTINGS: Settings = {
  ...{ from_name: 'News', from_email: 'n@a.example', reply_to: '', company_name: 'A', postal_address: 'Quay 1' },
  ...{ default_connection_id: 1, timezone: 'Europe/Oslo', locale: 'en', footer_text: '', track_opens: true },
  ...{ track_clicks: false, confirmation_subject: '', confirmation_text: '', unsubscribe_mailto: '' },
  ...{ confirmations_held: false, brand_color: '', logo_url: '' },
}

async function open(answers: Answers = {}, role: Role = 'owner') {
  await visit(
    tab,
    '/sending/sender',
    {
      'settings/get': { settings: SETTINGS },
      'settings/update': (body: Partial<Settings>) => {
        const settings = { ...SETTINGS, ...body }
        tab.answers['settings/get'] = { settings }
        return { settings }
      },
      ...answers,
    },
    role,
  )
}

test('Only what was changed of the sender is saved.', async () => {
  await open()
  expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
  await tab.type('Name', 'Harbour News')
  await tab.check('Count opens')
  await tab.check('Count clicks')
  await tab.type('Time zone', 'UTC')
  await tab.type('Postal address', 'Quay 2')
  await tab.type('Postal address', 'Quay 1')
  expect(await change(tab, 'settings/update', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['campaigns/readiness', 'settings/get'],
  })
  expect(asked(tab, 'settings/update')).toEqual([
    { from_name: 'Harbour News', track_opens: false, track_clicks: true, timezone: 'UTC' },
  ])
  expect([tab.text('.toasts').includes('Saved.'), tab.button('Save').getAttribute('aria-disabled')]).toEqual([
    true,
    'true',
  ])
  expect(tab.field('Name').value).toBe('Harbour News')
})

test('Every text of the sender has its own field.', async () => {
  await open()
  const fields: [string, keyof Settings, string][] = [
    ['Address', 'from_email', 'sender@example.com'],
    ['Answers go to', 'reply_to', 'answers@example.com'],
    ['Company or organization', 'company_name', 'Company'],
    ['Color of the brand', 'brand_color', '#123456'],
    ['Address of the logo', 'logo_url', 'https://example.com/logo.png'],
    ['Text at the foot', 'footer_text', 'Foot'],
    ['Language', 'locale', 'nb'],
    ['Address for leaving by mail', 'unsubscribe_mailto', 'leave@example.com'],
    ['Subject of the confirmation', 'confirmation_subject', 'Subject'],
    ['Text of the confirmation', 'confirmation_text', 'Text'],
  ]
  for (const [label, , value] of fields) await tab.type(label, value)
  await tab.press('Save')
  expect(asked(tab, 'settings/update')).toEqual([Object.fromEntries(fields.map(([, name, value]) => [name, value]))])
})

test('A flaw of the sender stands beside it, and the written text stays.', async () => {
  const flaws = [{ path: '/from_email', message: 'Is no address.' }]
  await open({ 'settings/update': new Refusal(400, 'X', flaws) })
  await tab.type('Address', 'sender@elsewhere.example')
  await tab.press('Save')
  expect([
    tab.texts('.field-flaw'),
    tab.text('.flaw-summary').includes('Nothing was saved.'),
    tab.field('Address').value,
  ]).toEqual([['Is no address.'], true, 'sender@elsewhere.example'])
})

test('A flaw of any text of the sender stands at its field.', async () => {
  const fields: [string, keyof Settings][] = [
    ['Name', 'from_name'],
    ['Answers go to', 'reply_to'],
    ['Company or organization', 'company_name'],
    ['Postal address', 'postal_address'],
    ['Color of the brand', 'brand_color'],
    ['Address of the logo', 'logo_url'],
    ['Text at the foot', 'footer_text'],
    ['Language', 'locale'],
    ['Address for leaving by mail', 'unsubscribe_mailto'],
    ['Subject of the confirmation', 'confirmation_subject'],
    ['Text of the confirmation', 'confirmation_text'],
  ]
  const parts = fields.map(([, name]) => name)
  await open({ 'settings/update': flawed(...parts) })
  await tab.type('Name', 'Other')
  await tab.press('Save')
  expect(flawsAt(tab, ...fields.map(([label]) => label))).toEqual(parts)
})

test('Others read the sender.', async () => {
  await open({}, 'editor')
  expect(tab.text('main')).toContain('Changing the sender takes an administrator')
  expect([
    tab.has('Save'),
    tab.field('Name').hasAttribute('disabled'),
    tab.field('Time zone').hasAttribute('disabled'),
  ]).toEqual([false, true, true])
  await tab.check('Count opens')
  expect(tab.field('Count opens').getAttribute('aria-checked')).toBe('true')
})

test('Settings that could not be loaded say so.', async () => {
  await open({ 'settings/get': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('The settings could not be loaded.')
})
