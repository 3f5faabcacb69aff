import { expect, test } from 'bun:test'
import { h } from 'preact'
import { block, editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { send, useTab } from '../../support/tab.ts'
import { findBlock } from '../../../static/app/letter/document.ts'
import type { Editor } from '../../../static/app/letter/editor.ts'
import { Inspector } from '../../../static/app/letter/inspector.tsx'
import { Surface } from '../../../static/app/letter/surface.tsx'
import { ToastRegion } from '../../../static/app/ui/toast.tsx'

const tab = useTab({}, { 'settings/get': { settings: { logo_url: '' } } })
let editor: Editor

function Both() {
  return h('div', null, h(Surface, null), h(Inspector, { brandColor: null }), h(ToastRegion, null))
}

async function open(rows: string[][], more: Record<string, unknown> = {}) {
  editor = editorOf(letter([block('t', 'table', { rows, ...more }), block('x', 'text', { html: '<p>one</p>' })]))
  await tab.draw(inEditor(editor, Both, {}))
}
const rows = () => findBlock(editor.content.value.document, 't')!.block.props['rows']
const box = () => tab.find('[role=textbox]')
const label = () => box().getAttribute('aria-label')
async function press(key: string, more: Record<string, unknown> = {}) {
  send(box(), 'keydown', { key, keyCode: 0, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })
  await tab.settled()
}
async function paste(types: Record<string, string>) {
  send(box(), 'paste', { clipboardData: { getData: (type: string) => types[type] ?? '', files: [] } })
  await tab.settled()
}
async function write(at: 'start' | 'end' = 'start', id = 't') {
  editor.select(id, at)
  await tab.settled()
}

test('A cell is written in, Tab goes to the next, from the last into a new row, and undo takes it back.', async () => {
  await open([
    ['', 'b'],
    ['c', 'd'],
  ])
  await write()
  expect(label()).toBe('Row 1, column 1')
  await paste({ 'text/plain': 'Day' })
  await press('Enter')
  await paste({ 'text/html': '<p>and <b>hour</b></p><ul><li>x</li></ul>' })
  expect(rows()).toEqual([
    ['Day<br>and <strong>hour</strong><br>x', 'b'],
    ['c', 'd'],
  ])
  for (const at of ['Row 1, column 2', 'Row 2, column 1', 'Row 2, column 2', 'Row 3, column 1']) {
    await press('Tab')
    expect(label()).toBe(at)
  }
  expect(rows()).toHaveLength(3)
  editor.undo()
  expect(rows()).toHaveLength(2)
  await tab.settled()
  await press('Tab', { shiftKey: true })
  expect(label()).toBe('Row 1, column 2')
})

test('A click edits the cell that it hits, in a table that was not selected as well.', async () => {
  await open([['a', 'b']])
  for (const at of [1, 0]) {
    send(tab.all('.letter-cell')[at]!, 'click', { clientX: 0, clientY: 0 })
    await tab.settled()
    expect(label()).toBe(`Row 1, column ${at + 1}`)
  }
})

test('A table that is pasted into a cell fills the cells from there on.', async () => {
  await open([['a', 'b']])
  await write()
  await press('Tab')
  await paste({ 'text/html': '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td><b>4</b></td></tr></table>' })
  expect(rows()).toEqual([
    ['a', '1', '2'],
    ['', '3', '<strong>4</strong>'],
  ])
})

test('Pasted columns that a table has no room for are told of.', async () => {
  await open([['a', 'b']])
  await write()
  await press('Tab')
  await paste({ 'text/html': `<table>${`<tr>${'<td>1</td>'.repeat(12)}</tr>`.repeat(2)}</table>` })
  const ones = Array.from({ length: 11 }, () => '1')
  expect(rows()).toEqual([
    ['a', ...ones],
    ['', ...ones],
  ])
  expect(tab.text('.toasts')).toContain('Left out of what you pasted: 1 column beyond the 12 of a table.')
})

test('A table that is pasted into a text becomes a block, between the text before and after it.', async () => {
  await open([['a']])
  await write('end', 'x')
  await paste({
    'text/html':
      '<p>two</p><table><tr><th>Day</th><th>Tide</th></tr><tr><td>Mon</td><td><p>a</p><p>b</p></td></tr></table>' +
      '<p>three</p>',
  })
  expect(editor.content.value.document.blocks.slice(1).map(({ type, props }) => [type, props])).toEqual([
    ['text', { html: '<p>onetwo</p>' }],
    [
      'table',
      {
        rows: [
          ['Day', 'Tide'],
          ['Mon', 'a<br>b'],
        ],
      },
    ],
    ['text', { html: '<p>three</p>' }],
  ])
  editor.undo()
  expect(findBlock(editor.content.value.document, 'x')!.block.props['html']).toBe('<p>one</p>')
})

test('A table that an older text holds can be made a block, unless a block cannot show it.', async () => {
  await open([['a']])
  const data = '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'
  const set = async (html: string) => {
    editor.edit((content) => ({
      ...content,
      document: { ...content.document, blocks: [block('x', 'text', { html })] },
    }))
    await write('end', 'x')
  }
  await set(`<p>one</p>${data.replace('<td>', '<td rowspan="2">')}`)
  expect(tab.names()).not.toContain('Make the table a block, to change it')
  await set(`<p>one</p>${data}`)
  await tab.press('Make the table a block, to change it')
  expect(editor.content.value.document.blocks.map(({ type, props }) => [type, props])).toEqual([
    ['text', { html: '<p>one</p>' }],
    ['table', { rows: [['1', '2']], header: false }],
  ])
})

test('A table runs in the direction of its first letter, and a cell in its own.', async () => {
  await open([
    ['יום', '{{ date }} 12'],
    ['Monday', 'שני'],
  ])
  const dirs = () => tab.all('.letter-cell').map((cell) => cell.getAttribute('dir'))
  expect([tab.find('.letter-table').getAttribute('dir'), ...dirs()]).toEqual(['rtl', 'rtl', null, 'ltr', 'rtl'])
  await open([['יום']], { dir: 'ltr' })
  expect(tab.find('.letter-table').getAttribute('dir')).toBe('ltr')
})

test('The fields of a table change the row and the column of the cell that is edited.', async () => {
  await open([
    ['a', 'b'],
    ['c', 'd'],
  ])
  await write()
  await press('Tab')
  await tab.press('Column 2 of 2')
  await tab.press('Move it towards the start')
  expect([rows(), label()]).toEqual([
    [
      ['b', 'a'],
      ['d', 'c'],
    ],
    'Row 1, column 1',
  ])
  await tab.press('Row 1 of 2')
  await tab.press('Add a row below')
  expect([rows(), label()]).toEqual([
    [
      ['b', 'a'],
      ['', ''],
      ['d', 'c'],
    ],
    'Row 2, column 1',
  ])
  await tab.type('Place in column 1', 'right')
  await tab.press('Row 2 of 3')
  await tab.press('Delete the row')
  expect(findBlock(editor.content.value.document, 't')!.block.props).toEqual({
    rows: [
      ['b', 'a'],
      ['d', 'c'],
    ],
    column_align: ['right', 'start'],
  })
})
