import { expect, test } from 'bun:test'
import { editorOf, letter } from '../../support/letter-editor.ts'
import { pageKey } from '../../../static/app/letter/page-key.ts'

function press(key: string, more: object = {}, editor = editorOf(letter([]))) {
  const done: string[] = []
  const event = { key, ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, defaultPrevented: false, ...more }
  const keys = { preventDefault: () => done.push('taken'), stopPropagation: () => done.push('kept') }
  const parts = { ...editor, undo: () => done.push('undo'), redo: () => done.push('redo') }
  pageKey({ ...event, ...keys } as never, parts as never, { save: async () => done.push('save') } as never)
  return done.join(' ')
}

test('Keys of the page undo, do again and save.', () => {
  expect(press('z')).toBe('undo taken')
  expect(press('Z', { shiftKey: true })).toBe('redo taken')
  expect(press('y')).toBe('redo taken')
  expect(press('s', { ctrlKey: false, metaKey: true })).toBe('save taken')
  expect(press('x')).toBe('')
  expect(press('s', { ctrlKey: false })).toBe('')
  expect(press('s', { altKey: true })).toBe('')
})

test('A key that a text has taken is not done again, and its key for links opens no search.', () => {
  expect(press('z', { defaultPrevented: true })).toBe('')
  expect(press('K', { defaultPrevented: true })).toBe('kept')
  expect(press('k')).toBe('')
})
