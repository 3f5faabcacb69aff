import { expect, test } from 'bun:test'
import { confirmationMessage, linkMessage } from '../../../src/newsletter/outbox/confirmation.ts'
import { translationsFor } from '../../../src/i18n/languages.ts'
import { publicUrl } from '../../../src/newsletter/tracking/links.ts'
import { createRecipientToken } from '../../../src/newsletter/tracking/tokens.ts'
import { Keys } from '../../../src/secrets.ts'

const message = ({
  lists = ['Tides <b>'],
  ...settings
}: {
  locale: string
  brand_color?: string
  confirmation_subject?: string
  confirmation_text?: string
  lists?: string[]
}) =>
  confirmationMessage(
    {
      project: { name: 'Harbour News' },
      keys: new Keys('k'.repeat(43)),
      base_url: 'https://news.example',
      settings: {
        brand_color: '',
        confirmation_subject: '',
        confirmation_text: '',
        company_name: '',
        postal_address: '1 Quay Street',
        ...settings,
      },
    },
    { contact_id: 1, email: 'ada@example.com', lists: lists.map((name, at) => ({ id: at + 1, name })) },
  )

test("A confirmation is in the project's language, and says which that is.", () => {
  const german = message({ locale: 'de-AT' })
  expect(german.subject).toBe('Bitte bestätigen Sie Ihre Anmeldung bei Tides <b> (Harbour News)')
  expect(german.html).toContain('<html lang="de" dir="ltr">')
  expect(german.text).toContain('Anmeldung bestätigen: https://news.example/')
  expect(message({ locale: 'ar' }).html).toContain('<html lang="ar" dir="rtl">')
  expect(message({ locale: 'tlh' }).html).toContain('<html lang="en" dir="ltr">')
})

test("The owner's words follow what is confirmed, as text.", () => {
  const { subject, html, text } = message({
    locale: 'fr',
    confirmation_subject: 'Sure?',
    confirmation_text: 'One <i>\n\nTwo',
  })
  expect(subject).toBe('Sure?')
  expect(html).toContain(
    '<p dir="ltr" style="margin:0 0 16px">One &lt;i&gt;</p><p dir="ltr" style="margin:0 0 16px">Two</p>',
  )
  expect(html).toContain('<strong>Tides &lt;b&gt; (Harbour News)</strong>')
  expect(text).toStartWith('Tides <b> (Harbour News)\n\nOne <i>\n\nTwo\n\n')
})

test.each([
  [['Weekly', 'Offers'], 'Weekly, Offers (Harbour News)', 0],
  [['A', 'B', 'C', 'D'], 'A, B, C, … (Harbour News)', 4],
  [['A', 'B', 'C'], 'A, B, C (Harbour News)', 0],
  [['A', 'B', 'C', 'Harbour News'], 'A, B, C (Harbour News)', 4],
  [['Harbour news'], 'Harbour News', 0],
  [['x'.repeat(61)], `${'x'.repeat(60)}… (Harbour News)`, 0],
  [['👍'.repeat(60)], `${'👍'.repeat(60)} (Harbour News)`, 0],
  [['👍'.repeat(61)], `${'👍'.repeat(60)}… (Harbour News)`, 0],
])('Subject and first line name %j.', (lists, what, listed) => {
  const { subject, text, html } = message({ locale: 'en', lists })
  expect(subject).toBe(`Please confirm your subscription to ${what}`)
  expect(text).toStartWith(`${what}\n\nYou asked`)
  expect(html.match(/<li>/g) ?? []).toHaveLength(listed)
})

test.each([
  ['#ffffff', '#1f1f23', '#5a6270'],
  ['#ffe600', '#1f1f23', '#5a6270'],
  ['#1f4b99', '#ffffff', '#1f4b99'],
  ['#000', '#ffffff', '#000000'],
])('The button can be seen and read on %s.', (brand_color, letters, edge) => {
  const { html } = message({ locale: 'en', brand_color })
  expect(html).toContain(`border:2px solid ${edge}`)
  expect(html).toContain(`color:${letters};text-decoration:none`)
})

test('The message with a personal link leads to the preferences, in the language of the project.', () => {
  const keys = new Keys('k'.repeat(43))
  const recipient = { delivery_id: 3, contact_id: 1, campaign_id: 0 }
  const settings = { brand_color: '', confirmation_subject: '', confirmation_text: '', company_name: '' }
  const { subject, text, html } = linkMessage(
    {
      ...{ project: { name: 'Harbour News' }, keys, base_url: 'https://news.example' },
      settings: { ...settings, postal_address: '1 Quay Street', locale: 'en' },
    },
    recipient,
  )
  const { own_link, preferences } = translationsFor('en')
  const url = publicUrl('https://news.example', 'preferences', createRecipientToken(keys, recipient))
  expect(subject).toBe(own_link.subject('Harbour News'))
  expect(text).toContain(`${preferences.title}: ${url}`)
  for (const part of [own_link.request('Harbour News'), own_link.closing]) expect(text).toContain(part)
  expect(html).toContain(`>${preferences.title}</a>`)
  expect(html).not.toContain('<li>')
})
