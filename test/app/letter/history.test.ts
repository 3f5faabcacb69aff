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

test('Changes join only within a second, of one thing, and behind a first step.', () => {
  const first = record(begin('a'), 'b', 'text', 0)
  const steps = (key: string | null, now: number) => record(first, 'c', key, now).past.length
  expect([steps('text', 999), steps('text', 1_000), steps('image', 999), steps(null, 0)]).toEqual([1, 2, 2, 2])
  const undone = undo(first)
  expect(record(undone, 'x', 'text', 1).past).toEqual(['a'])
  expect(record({ ...begin('a'), key: 'text' }, 'b', 'text', 1).past).toEqual(['a'])
  expect(record(record(begin('a'), 'b', null, 0), 'c', null, 0).past).toEqual(['a', 'b'])
})

test('Changes that go on make a step every two seconds.', () => {
  let history = begin(-1)
  for (let at = 0; at < 60_000; at += 500) history = record(history, at, 'text', at)
  expect(history.past).toEqual([-1, ...Array.from({ length: 29 }, (_, step) => step * 2_000 + 1_500)])
  expect(undo(history).present).toBe(57_500)
})

test('An undone step is done again step by step, and is no step to join.', () => {
  const three = record(record(begin('a'), 'b', 'text', 0), 'c', 'image', 0)
  const back = undo(undo(three))
  expect([back.future, back.key, back.at]).toEqual([['b', 'c'], null, 0])
  const forth = redo(back)
  expect([forth.past, forth.present, forth.future, forth.key, forth.at]).toEqual([['a'], 'b', ['c'], null, 0])
  expect(redo(three)).toBe(three)
})
