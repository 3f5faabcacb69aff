import { expect, test } from 'bun:test'
import { useTab, send } from '../../support/tab.ts'
import { signal } from '@preact/signals'
import { h } from 'preact'
import { Table, type TableProps } from '../../../static/app/ui/table.tsx'
import { Pager, SelectionBar } from '../../../static/app/ui/table-parts.tsx'
import { keyPages } from '../../../static/app/ui/key-pages.ts'

const tab = useTab()

const ROWS = ['a', 'b', 'c', 'd']
const selected = signal(new Set<string>())

function Rows(more: Partial<TableProps<string>>) {
  return h(Table<string>, {
    caption: 'Rows',
    columns: [
      { id: 'first', head: 'First', cell: (row: string) => `${row}1` },
      { id: 'second', head: 'Second', card: 'title', cell: (row: string) => `${row}2` },
      { id: 'third', head: 'Third', card: 'hidden', align: 'end', tight: true, cell: (row: string) => `${row}3` },
    ],
    rows: ROWS,
    row_key: (row: string) => row,
    row_href: (row: string) => (row === 'd' ? undefined : `#${row}`),
    selection: { selected: selected.value, onChange: (next) => (selected.value = next) },
    ...more,
  })
}

async function draw(more: Partial<TableProps<string>> = {}, chosen: string[] = []) {
  selected.value = new Set(chosen)
  await tab.draw(h('div', null, h(Rows, more)))
}
const boxes = () => tab.all<HTMLInputElement>('tbody input')
const chosen = () => [...selected.value].toSorted().join('')

async function press(index: number, shiftKey = false) {
  const box = boxes()[index]!
  send(box.parentElement!.parentElement!, 'click', { shiftKey }, false)
  box.checked = !box.checked
  send(box, 'change')
  await tab.settled()
}

test('A row leads on by its title, as a link where it leads somewhere.', async () => {
  await draw()
  const cells = [...tab.all('tbody tr')[0]!.children].slice(1)
  expect(cells.map((cell) => cell.getAttribute('class'))).toEqual([
    'table-line',
    'table-title',
    'table-end table-tight table-wide-only',
  ])
  expect(tab.texts('a.table-link')).toEqual(['a2', 'b2', 'c2'])
  expect(tab.texts('.table-name').slice(0, 2)).toEqual(['First', 'Third'])
})

test('Without a title the first column is one.', async () => {
  await draw({ columns: [{ id: 'x', head: 'X', cell: (row) => row }] })
  expect(tab.texts('a.table-link')).toEqual(['a', 'b', 'c'])
})

test('Rows that have not come are waited for, and none are told by what stands in their place.', async () => {
  await draw({ rows: null })
  expect(tab.body.querySelector('table')).toBeNull()
  await draw({ rows: [], empty: 'Nothing.' })
  expect(tab.text()).toBe('Nothing.')
  await draw({ rows: [] })
  expect(tab.body.querySelector('table')).not.toBeNull()
})

test('A row is chosen and left out again.', async () => {
  await draw()
  await press(1)
  await press(2)
  expect(chosen()).toBe('bc')
  await press(1)
  expect([chosen(), tab.all('tbody tr').map((row) => row.getAttribute('aria-selected'))]).toEqual([
    'c',
    ['false', 'false', 'true', 'false'],
  ])
})

test('With Shift all rows from the last one on are chosen, in both directions.', async () => {
  await draw()
  await press(2)
  await press(0, true)
  expect(chosen()).toBe('abc')
  await press(3, true)
  expect(chosen()).toBe('abcd')
  await press(1, true)
  expect(chosen()).toBe('a')
  await draw()
  await press(2, true)
  expect(chosen()).toBe('c')
})

test('With Shift rows are chosen on from where the arrows ended.', async () => {
  await draw()
  await press(0)
  for (const at of [0, 1]) await tab.key('ArrowDown', { shiftKey: true }, tab.all('tbody tr')[at]!)
  expect(chosen()).toBe('abc')
  await press(1, true)
  expect(chosen()).toBe('a')
})

test('The box above takes all rows of the page, and leaves those of other pages as they are.', async () => {
  await draw({}, ['z'])
  const head = () => tab.find('thead input') as unknown as { checked: boolean; indeterminate: boolean }
  expect([head().checked, head().indeterminate]).toEqual([false, false])
  await press(0)
  expect([head().checked, head().indeterminate]).toEqual([false, true])
  await tab.check('Select all rows of this page')
  expect([chosen(), head().checked, head().indeterminate]).toEqual(['abcdz', true, false])
  await tab.check('Select all rows of this page', false)
  expect(chosen()).toBe('z')
})

test('A row is named for its box.', async () => {
  await draw({ row_label: (row) => `row ${row}` })
  expect(tab.texts('tbody label')[0]).toBe('Select row a')
  await draw({ selection: undefined })
  expect(boxes()).toEqual([])
})

const focusedRow = () => {
  const focused = document.activeElement as unknown as { closest(selector: string): unknown }
  return tab.all('tbody tr').findIndex((row) => row === focused.closest('tr'))
}

test('J and k move between rows, and stay at the ends.', async () => {
  await draw()
  for (const [key, row] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
    ['k', 0],
    ['j', 1],
    ['j', 2],
    ['j', 3],
    ['j', 3],
  ] as const) {
    await tab.key(key)
    expect(focusedRow()).toBe(row)
  }
})

test('Enter opens the row that has the focus, and other keys do nothing.', async () => {
  await draw()
  const pressed: string[] = []
  for (const link of tab.all('tbody a')) link.addEventListener('click', () => pressed.push(link.textContent))
  await tab.key('Enter')
  await tab.key('j')
  await tab.key('j')
  await tab.key('Enter')
  await tab.key('q')
  expect(pressed).toEqual(['b2'])
})

test('Shift with an arrow chooses on.', async () => {
  await draw()
  const row = (at: number) => tab.all('tbody tr')[at]!
  await tab.key('ArrowDown', { shiftKey: true }, row(1))
  expect([chosen(), focusedRow()]).toEqual(['bc', 2])
  await tab.key('ArrowDown', {}, row(2))
  expect(chosen()).toBe('bc')
  await tab.key('ArrowUp', { shiftKey: true }, row(0))
  expect([chosen(), focusedRow()]).toEqual(['abc', 0])
  await tab.key('ArrowDown', { shiftKey: true }, row(3))
  expect([chosen(), focusedRow()]).toEqual(['abcd', 3])
})

test('The actions on the chosen rows are hidden without any.', async () => {
  let cleared = 0
  const bar = (count: number) => h(SelectionBar, { count, onClear: () => void cleared++, children: 'Do' })
  await tab.draw(bar(0))
  expect(tab.find('.selection-bar').hasAttribute('hidden')).toBe(true)
  await tab.draw(bar(1_204))
  expect([tab.find('.selection-bar').hasAttribute('hidden'), tab.text('strong')]).toEqual([false, '1,204 selected'])
  await tab.press('Clear')
  expect(cleared).toBe(1)
})

test('The way to other rows is there where there are any.', async () => {
  await tab.draw(h('div', null, h(Pager, { newer: false })))
  expect(tab.body.querySelector('nav')).toBeNull()
  const sizes: number[] = []
  await tab.draw(h('div', null, h(Pager, { onSize: (size) => void sizes.push(size), size: 100 })))
  expect([tab.has('Newer'), tab.field('Rows on a page').value]).toEqual([false, '100'])
  await tab.type('Rows on a page', '200')
  expect(sizes).toEqual([200])
  await tab.draw(h('div', null, h(Pager, { older: true })))
  expect([
    tab.button('Newer').hasAttribute('aria-disabled'),
    tab.button('Older').hasAttribute('aria-disabled'),
  ]).toEqual([true, false])
})

test('The way back leads where one came from, and to the first page from a link.', () => {
  const went: (string | undefined)[] = []
  const go = (cursor: string | undefined) => void went.push(cursor)
  const first = keyPages({ cursor: undefined, next: 'c2', go })
  expect([first.newer, first.older]).toEqual([false, true])
  first.onOlder()
  keyPages({ cursor: 'c2', next: 'c3', go }).onOlder()
  keyPages({ cursor: 'c3', next: null, go }).onNewer()
  keyPages({ cursor: 'c2', next: 'c3', go }).onNewer()
  keyPages({ cursor: 'linked', next: null, go }).onNewer()
  expect(went).toEqual(['c2', 'c3', 'c2', undefined, undefined])
  expect(keyPages({ cursor: 'c3', next: null, go })).toMatchObject({ newer: true, older: false })
})
