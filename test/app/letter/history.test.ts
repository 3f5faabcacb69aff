import { expect, test } from 'bun:test'
import { begin, record, redo, undo } from '../../../static/app/letter/history.ts'

test('Steps are undone and done again, and a new step forgets the undone ones.', () => {
  let history = record(record(begin('a'), 'b', null, 0), 'c', null, 0)
  history = undo(undo(history))
  expect(history.present).toBe('a')
  expect(redo(history).present).toBe('b')
  expect(redo(record(history, 'd', null, 0)).present).toBe('d')
  expect(undo(begin('a')).present).toBe('a')
})

test('Changes of one thing soon after each other are one step.', () => {
  let history = begin('')
  for (const [at, text] of ['h', 'ho', 'hou'].entries()) history = record(history, text, 'text', at * 100)
  history = record(history, 'hour', 'text', 5_000)
  expect(undo(history).present).toBe('hou')
  expect(undo(undo(history)).present).toBe('')
})

test('Two hundred steps are kept.', () => {
  let history = begin(0)
  for (let step = 1; step <= 300; step++) history = record(history, step, null, 0)
  expect(history.past).toHaveLength(200)
  expect(history.past[0]).toBe(100)
})
