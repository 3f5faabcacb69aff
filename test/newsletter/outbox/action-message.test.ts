import { expect, test } from 'bun:test'
import { type ActionSender, actionMessage, type ActionTexts } from '../../../src/newsletter/outbox/action-message.ts'

const message = (texts: Partial<ActionTexts> = {}, settings: Partial<ActionSender['settings']> = {}) =>
  actionMessage(
    {
      project: { name: 'Harbour' },
      settings: { company_name: '', postal_address: '', brand_color: '', ...settings },
    },
    {
      ...{ lang: 'en', subject: 'Sure?', request: 'Please confirm.', names: [], url: 'https://a.example/?a=1&b=2' },
      ...{ button: 'Confirm', closing: 'Else do nothing.', ...texts },
    },
  )

test('The text has each part that is there in a paragraph of its own, and ends with the sender.', () => {
  expect(message().text).toBe('Please confirm.\n\nConfirm: https://a.example/?a=1&b=2\n\nElse do nothing.\n\nHarbour\n')
  const settings = { company_name: 'Harbour & Co', postal_address: '1 Quay\nPort' }
  expect(message({ heading: 'Weekly', names: ['A', 'B'] }, settings).text).toBe(
    'Weekly\n\nPlease confirm.\n\n- A\n- B\n\nConfirm: https://a.example/?a=1&b=2\n\nElse do nothing.\n\n' +
      'Harbour & Co\n1 Quay\nPort\n',
  )
})

test('The page has the same parts as text, never as markup.', () => {
  const { subject, html } = message(
    { heading: '<i>', names: ['<b>', 'B'], request: 'One\r\ntwo\n \nthree', subject: '<Sure>' },
    { company_name: 'Harbour & Co', postal_address: '1 Quay\nPort' },
  )
  expect(subject).toBe('<Sure>')
  for (const part of [
    '<title>&lt;Sure&gt;</title>',
    '<strong>&lt;i&gt;</strong>',
    '>One<br>two</p><p dir="ltr" style="margin:0 0 16px">three</p>',
    '<li><bdi>&lt;b&gt;</bdi></li><li><bdi>B</bdi></li>',
    'href="https://a.example/?a=1&amp;b=2"',
    'Harbour &amp; Co<br>1 Quay<br>Port</p>',
  ])
    expect(html).toContain(part)
  expect(message().html).not.toMatch(/<strong>|<ul/)
})

test('An address runs in its own direction below a name that runs in the other one.', () => {
  const { html } = message({}, { company_name: 'נמל', postal_address: '1 Quay\nPort' })
  expect(html).toContain('>נמל<br><span dir="ltr">1 Quay<br>Port</span></p>')
})

test('The page runs in the direction of its language, with the color of the project or a usual one.', () => {
  expect(message({ lang: 'ar' }).html).toContain('<html lang="ar" dir="rtl">')
  expect(message({ lang: 'ar' }).html).toContain('text-align:right')
  expect(message().html).toContain('text-align:left')
  expect(message().html).toContain('background:#0b5a6e;border:2px solid #0b5a6e')
  expect(message({}, { brand_color: '#070' }).html).toContain('background:#007700;border:2px solid #007700')
})
