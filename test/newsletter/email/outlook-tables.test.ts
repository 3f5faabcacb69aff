import { expect, test } from 'bun:test'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail, fillEmail } from '../../../src/newsletter/email/render.ts'
import { sanitizeImport } from '../../../src/newsletter/email/sanitize.ts'

function render(html: string) {
  const blocks = [{ id: 'b0', type: 'html', props: { html } }]
  const compiled = compileEmail({
    document: checkDocument({ version: 1, settings: {}, blocks }, ''),
    subject: 'News',
    brand: { project_name: 'Harbour' },
  })
  return fillEmail(compiled, {}).html
}

const OPEN = '<!--[if mso | IE]><table><tr><td style="width:300px"><![endif]-->'
const NEXT = '<!--[if mso | IE]></td><td style="width:300px"><![endif]-->'
const CLOSE = '<!--[if mso | IE]></td></tr></table><![endif]-->'

test('Columns stay.', () => {
  const html = `${OPEN}<div>a</div>${NEXT}<div>b</div>${CLOSE}`
  expect(sanitizeImport(html, 'x1').html).toBe(html)
  expect(sanitizeImport(html.replaceAll('mso | IE', '(gte mso 9)|(IE)'), 'x1').html).toBe(html)
  expect(render(html)).toContain(html)
})

test('A hard space in a cell stays, because Outlook hides an empty one.', () => {
  const html = `${OPEN}a<!--[if mso | IE]></td><td>&nbsp;<![endif]-->${CLOSE}`
  expect(sanitizeImport(html, 'x1').html).toBe(html)
  expect(sanitizeImport(html.replace('&nbsp;', ' &nbsp; '), 'x1').html).toBe(html)
  expect(sanitizeImport(html.replace('&nbsp;', '  '), 'x1').html).toBe(html.replace('&nbsp;', ''))
})

test('A visible table that is not well-formed leaves those for Outlook where they are.', () => {
  const html = `${OPEN}a${CLOSE}<table>loose<tr><td>b</td></tr></table>`
  expect(sanitizeImport(html, 'x1').html).toBe(html)
})

test('Comments of more than 4000 characters and elements more than 150 deep lose the columns.', () => {
  const long = (length: number) => {
    const comment = `<!--[if mso]><table><tr><td>${' '.repeat(length)}<![endif]-->`
    return sanitizeImport(`${comment}a${CLOSE}`, 'x1').html.includes('mso')
  }
  const frame = '<!--[if mso]><table><tr><td><![endif]-->'.length
  expect([long(4000 - frame), long(4001 - frame)]).toEqual([true, false])
  // Each start opens three elements around the next.
  const deep = (starts: number) =>
    sanitizeImport(`${OPEN.repeat(starts)}<b>a</b>${CLOSE.repeat(starts)}`, 'x1').html.includes('mso')
  expect([deep(49), deep(50)]).toEqual([true, false])
})

test('Parts removed for Outlook are noted, except in the head of the page.', () => {
  const removed = (html: string) => {
    const noted: string[] = []
    sanitizeImport(html, 'x1', (kind, example) => noted.push(`${kind}: ${example}`))
    return noted
  }
  expect(removed(`${OPEN}a`)).toEqual(['comment: <!--[if mso]> (the tables in them are not complete)'])
  expect(removed(`${OPEN}a${CLOSE}`)).toEqual([])
  const other = (words: string) => `<!--[if mso 12]>${words}<![endif]-->`
  expect(removed(`<html><head>${other('x')}</head><body>a${other('b')}</body></html>`)).toEqual([
    'comment: <!--[if mso 12]>',
  ])
})

test('The attributes of tables for Outlook are sanitized, and graphics around them are removed.', () => {
  expect(
    sanitizeImport(
      '<!--[if mso]><table width="300" onclick="x" title="{{ contact.email }}" style="position:fixed;width:9px">' +
        '<tr><td class="a"><v:rect fill="x"><v:fill src="y"/><![endif]-->a<!--[if mso]></v:rect></td></tr></table>' +
        '<![endif]-->',
      'x1',
    ).html,
  ).toBe(
    '<!--[if mso | IE]><table width="300" style="width:9px"><tr><td><![endif]-->a' +
      '<!--[if mso | IE]></td></tr></table><![endif]-->',
  )
})

test.each([
  ['an end without a start', `${CLOSE}a`],
  ['a start without an end', `${OPEN}a`],
  ['an end too many', `${OPEN}a${CLOSE}${CLOSE}`],
  ['an end outside the element of the start', `<div>${OPEN}a</div>${CLOSE}`],
  ['an end inside another element', `${OPEN}<div>${CLOSE}</div>`],
  ['an end of a visible cell', `<table><tr><td>${CLOSE.replace('</table>', '')}a</td></tr></table>`],
  ['an end that crosses a visible table', `${OPEN}<table><tr><td>a${CLOSE}b</td></tr></table>`],
  ['a row in a visible table', '<table><!--[if mso]><tr><td></td></tr><![endif]--><tr><td>a</td></tr></table>'],
  ['text between rows', `${OPEN.replace('<td style="width:300px">', '')}a${CLOSE.replace('</td>', '')}`],
  [
    'a visible element in a row',
    `${OPEN.replace('<td style="width:300px">', '')}<b>a</b>${CLOSE.replace('</td>', '')}`,
  ],
  ['other elements', '<!--[if mso]><table><tr><td><b><![endif]-->a<!--[if mso]></b></td></tr></table><![endif]-->'],
  ['words', '<!--[if mso]><table><tr><td>word</td></tr></table><![endif]-->a'],
  ['another condition', `${OPEN}a${CLOSE}`.replaceAll('mso | IE', 'mso 12')],
  ['a comment inside an attribute', `<a title="${OPEN}">a</a>`],
  ['a mark that the author wrote', '&#xFDD2;0&#xFDD2;a\uFDD20\uFDD2'],
])('Comments with %s are removed.', (_, html) => {
  expect(sanitizeImport(html, 'x1').html).not.toMatch(/mso|<!--|uFDD2/)
})

test('A mark that the author wrote cannot place a comment a second time.', () => {
  const html = `${OPEN}a${CLOSE}`
  expect(sanitizeImport(`&#xFDD2;1&#xFDD2;${html}`, 'x1').html).toBe('a')
  expect(sanitizeImport(`&#xFDD2;9&#xFDD2;${html}`, 'x1').html).toBe(html)
})
