import { expect, test } from 'bun:test'
import { mendTables } from '../../../src/newsletter/email/tables.ts'

test('A well-formed table stays.', () => {
  for (const html of [
    '<table><caption>c</caption><colgroup><col></colgroup><thead><tr><th>h</th></tr></thead>' +
      '<tbody><tr><td>a<table><tr><td>b</td></tr></table>c</td></tr></tbody></table>',
    '<table><col><tfoot><tr><td><p>a</p><br></td></tr></tfoot></table>',
  ])
    expect(mendTables(html)).toBe(html)
})

test('Parts of a table outside one lose their tags and keep their content.', () => {
  expect(mendTables('<td>a</td><tr><b>c</b></tr>')).toBe('a<b>c</b>')
  expect(mendTables('<div><tr><td>a</td></tr></div>')).toBe('<div>a</div>')
  expect(mendTables('<table><td>a</td></table>')).toBe('<table>a</table>')
  expect(mendTables('<p><col>a</p>')).toBe('<p>a</p>')
})

test('Other elements directly inside a table lose their tags.', () => {
  expect(mendTables('<table><tr><b>a</b><td>b</td></tr><table></table></table>')).toBe(
    '<table><tr>a<td>b</td></tr></table>',
  )
  expect(mendTables('<table><br><tr><td>a</td></tr></table>')).toBe('<table><tr><td>a</td></tr></table>')
})

test('After a removed element its parent counts again.', () => {
  expect(mendTables('<td>a</td><table><tr><td>b</td></tr></table>')).toBe('a<table><tr><td>b</td></tr></table>')
  expect(mendTables('<table><tr></tr><tr><td>b</td></tr></table><p>c</p>')).toBe(
    '<table><tr></tr><tr><td>b</td></tr></table><p>c</p>',
  )
})
