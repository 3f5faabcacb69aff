import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { codeViews } from '../../support/code-views.ts'
import { useTab } from '../../support/tab.ts'
import { CodeEditor, type CodeEditorProps } from '../../../static/app/code/editor.tsx'

const tab = useTab()
const given: string[] = []
const props = (value: string, more: Partial<CodeEditorProps> = {}): CodeEditorProps => ({
  ...{ value, language: 'html', label: 'Code', onInput: (text) => given.push(text) },
  ...more,
})
const view = () => codeViews.at(-1)!
async function open(value = 'a', more: Partial<CodeEditorProps> = {}) {
  given.length = 0
  await tab.draw(h(CodeEditor, props(value, more)))
}

test('The view shows what the page has, and tells what is written.', async () => {
  await open('a', { readonly: true })
  expect(tab.all('textarea')).toHaveLength(1)
  expect(view().options).toMatchObject({ value: 'a', language: 'html', label: 'Code', readonly: true })
  view().options.onInput('b')
  expect(given).toEqual(['b'])
  await tab.redraw(h(CodeEditor, props('c')))
  expect(view().options.readonly).toBe(false)
  await tab.redraw(h(CodeEditor, props('d')))
  expect(view().shown.at(-1)).toBe('d')
})

test('A text that was told comes back without being shown, whatever is written meanwhile.', async () => {
  await open()
  const shown = () => view().shown
  const before = shown().length
  for (const text of ['ab', 'abc', 'abcd']) view().options.onInput(text)
  await tab.redraw(h(CodeEditor, props('ab')))
  await tab.redraw(h(CodeEditor, props('abcd')))
  expect(shown()).toHaveLength(before)
  await tab.redraw(h(CodeEditor, props('ab')))
  expect(shown().slice(before)).toEqual(['ab'])
})

test('The newest page is told, not the one that made the view.', async () => {
  await open()
  const later: string[] = []
  await tab.redraw(h(CodeEditor, props('a', { onInput: (text) => later.push(text) })))
  view().options.onInput('b')
  expect([given, later]).toEqual([[], ['b']])
})

test('A problem stands at its place, and goes with it.', async () => {
  const problem = { message: 'No.', from: 1, to: 2 }
  await open('a', { problem })
  await tab.redraw(h(CodeEditor, props('a', { problem: { ...problem, to: 3 } })))
  await tab.redraw(h(CodeEditor, props('a', { problem: null })))
  expect(view().problems).toEqual([problem, { ...problem, to: 3 }, null])
})

test('The view goes with its page, and another language has a view of its own.', async () => {
  await open()
  const first = view()
  await tab.redraw(h(CodeEditor, props('a', { label: 'Other' })))
  expect([first.isGone, view() === first, view().options.label]).toEqual([true, false, 'Other'])
  await tab.draw(h('p', null))
  expect(view().isGone).toBe(true)
})

test('Nothing is exchanged below the hands of somebody who writes.', async () => {
  function Page(_: object) {
    const [value, set] = useState('a')
    return h(CodeEditor, props(value, { onInput: set }))
  }
  const before = codeViews.length
  const drawn = tab.draw(h(Page, {}))
  tab.find('textarea').focus()
  await drawn
  await tab.type('Code', 'ab')
  expect([codeViews.length, tab.find<HTMLTextAreaElement>('textarea').value]).toEqual([before, 'ab'])
  tab.find('textarea').blur()
  await tab.settled()
  expect(codeViews.length).toBe(before + 1)
  expect(view().options.value).toBe('ab')
})
