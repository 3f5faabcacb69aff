import { expect, test } from 'bun:test'
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { FORMATS } from '../../../static/app/letter/text-commands.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { stepKey, watchTyping } from '../../../static/app/letter/typing.ts'
import { useTab } from '../../support/tab.ts'

useTab()

/** A text, and for each change of it whether it shares the undo step of the one before. */
function text(html: string) {
  let state = EditorState.create({ doc: readHtml(html) })
  const runOf = watchTyping()
  const runs: (number | null)[] = []
  const make = (change: (tr: Transaction) => Transaction, composing = false) => {
    const tr = change(state.tr)
    const run = runOf({ state, composing } as EditorView, tr)
    if (tr.docChanged) runs.push(run)
    state = state.apply(tr)
  }
  return {
    make,
    type: (words: string) => {
      for (const letter of words) make((tr) => tr.insertText(letter))
    },
    select: (from: number, to = from) => make((tr) => tr.setSelection(TextSelection.create(tr.doc, from, to))),
    get state() {
      return state
    },
    steps: () => runs.map((run, at) => run !== null && run === runs[at - 1]),
  }
}

test('Typed and deleted characters share a step until the caret moves.', () => {
  const { type, make, select, steps } = text('<p>one</p>')
  select(4)
  type('ab')
  make((tr) => tr.delete(5, 6))
  make((tr) => tr)
  select(2)
  type('c')
  make((tr) => tr.setSelection(tr.selection))
  type('d')
  make((tr) => tr.insertText('e', 1))
  expect(steps()).toEqual([false, true, true, false, true, false])
})

test('A paste, a format, a new paragraph and a deleted selection are steps of their own.', () => {
  const one = text('<p>one two</p>')
  one.select(1)
  one.type('a')
  one.make((tr) => tr.insertText('b').setMeta('uiEvent', 'paste'))
  one.type('c')
  one.select(1, 4)
  FORMATS.strong(one.state, (tr) => one.make(() => tr))
  one.make((tr) => tr.deleteSelection())
  one.type('d')
  one.make((tr) => tr.split(tr.selection.from))
  one.type('e')
  one.make((tr) => tr.insertText('x'.repeat(41)))
  FORMATS.bullet(one.state, (tr) => one.make(() => tr))
  one.type('f')
  expect(one.steps()).toEqual(Array.from({ length: 11 }, () => false))
})

test('Words that are composed may replace each other within a step.', () => {
  const one = text('<p>one</p>')
  one.make((tr) => tr.insertText('ni', 1), true)
  one.make((tr) => tr.insertText('に', 1, 3), true)
  expect(one.steps()).toEqual([false, true])
})

test('A step is named by what changes and the run of typing.', () => {
  expect([stepKey('b html', undefined), stepKey('b html', 3), stepKey('b html', null)]).toEqual([
    'b html',
    'b html 3',
    null,
  ])
})
