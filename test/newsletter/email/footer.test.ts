import { expect, test } from 'bun:test'
import { footerHtml, footerText } from '../../../src/newsletter/email/footer.ts'
import { type Brand, lookOf } from '../../../src/newsletter/email/look.ts'
import { draw, text } from './sketches.ts'

const look = (brand: Partial<Brand>, locale = 'en') =>
  lookOf({ settings: {}, brand: { project_name: 'Harbour', ...brand }, locale })
const SENDER = { company_name: 'Harbour & Co', postal_address: '1 Quay\nPort', footer_text: ' Hello <you> ' }

test('The footer has the own text, the text of the project, the sender and the links.', () => {
  const html = footerHtml(look(SENDER), { text: 'Why you get this', view_link: true })
  expect(
    html
      .match(/<p [^>]*>.*?<\/p>/g)!
      .map((p) => p.replace(/^<p [^>]*>|<\/p>$/g, '').replace(/<a .*?href="([^"]*)".*?>/g, '[$1]')),
  ).toEqual([
    'Why you get this',
    'Hello &lt;you&gt;',
    '<strong>Harbour &amp; Co</strong><br>1 Quay<br>Port',
    '[{{ unsubscribe_url }}]Unsubscribe</a> &middot; [{{ preferences_url }}]Preferences</a> &middot; ' +
      '[{{ view_url }}]View in browser</a>',
  ])
  expect(
    footerText(look(SENDER), { text: 'Why', view_link: true })
      .map((part) => (typeof part === 'string' ? part : part.tag))
      .join('|'),
  ).toBe(
    '---\n\nWhy\n\nHello <you>\n\nHarbour & Co\n1 Quay\nPort\n\nUnsubscribe: |unsubscribe_url|\nPreferences: |' +
      'preferences_url|\nView in browser: |view_url',
  )
})

test('An empty part is left out, and the link to the page of the message is there on demand only.', () => {
  const html = footerHtml(look({ company_name: '', postal_address: '1 Quay', footer_text: ' ' }), { text: ' ' })
  expect(html.match(/<p /g)).toHaveLength(2)
  expect(html).toContain('>1 Quay</p>')
  expect(html).not.toContain('view_url')
  expect(footerHtml(look({}), {}).match(/<p /g)).toHaveLength(1)
  expect(footerText(look({ postal_address: ' ' }), {})[0]).toBe('---\n\nUnsubscribe: ')
})

test('The footer is centered unless it is aligned, and begins on the side of the language.', () => {
  expect(footerHtml(look({}), {})).toContain('align="center"')
  expect(footerHtml(look({}), { align: 'start' })).toContain('align="left"')
  expect(footerHtml(look({}, 'ar'), { align: 'start' })).toContain('align="right"')
})

test('An address runs in its own direction below a name that runs in the other one.', () => {
  expect(footerHtml(look({ company_name: 'נמל', postal_address: '1 Quay\nPort' }), {})).toContain(
    '<strong>נמל</strong><br><span dir="ltr">1 Quay<br>Port</span></p>',
  )
})

test('The footer has a link to the message as a page when asked, in the language of the message.', () => {
  expect(draw([text('x')]).html).not.toContain('https://n.example/v')
  const { html, text: plain } = draw([text('x'), ['footer', { view_link: true }]], { locale: 'fr' })
  expect(html).toContain('href="https://n.example/v"')
  expect(plain).toContain('Voir dans le navigateur: https://n.example/v')
  // In the middle of a letter, too, its links stand on lines of their own.
  expect(draw([['footer', { view_link: true }], text('x')]).text).toContain('\nView in browser: https://n.example/v\n')
})
