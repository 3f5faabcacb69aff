import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../support/tab.ts'
import { LineDiff } from '../../../static/app/app-review/line-diff.tsx'

const tab = useTab()
const show = (before: string, after: string, beside = false) =>
  tab.draw(h(LineDiff, { before, after, label: 'Code', beside }))
const lines = () => tab.all('pre span').map(({ textContent }) => textContent.replace('\n', ''))
const pairs = () => tab.all('tbody tr').map((row) => [...row.children].map((cell) => cell.textContent))

test('Lines that are gone and new have a sign, the others stand as they are.', async () => {
  await show('a\nb\nc\n', 'a\nx\ny\nc')
  expect(lines()).toEqual(['  a', '− b', '+ x', '+ y', '  c'])
  await show('', 'a')
  expect(lines().at(-1)).toBe('+ a')
})

test('Where nothing changed that is said, and where there is nothing too.', async () => {
  await show('a', 'a')
  expect(tab.text()).toBe('Unchanged.')
  await show('', '', true)
  expect(tab.text()).toBe('Nothing.')
})

test('Side by side, each line stands beside the one that came into its place.', async () => {
  await show('a\nb\nc\nd', 'a\nx\nc\ny\nz', true)
  expect(pairs()).toEqual([
    ['  a', '  a'],
    ['− b', '+ x'],
    ['  c', '  c'],
    ['− d', '+ y'],
    ['', '+ z'],
  ])
  await show('a\nb\nc', 'c\nd', true)
  expect(pairs()).toEqual([
    ['− a', ''],
    ['− b', ''],
    ['  c', '  c'],
    ['', '+ d'],
  ])
})
