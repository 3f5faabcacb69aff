import { expect, test } from 'bun:test'
import { finishedPart, isFinished, ruleOfFlaw } from '../../../static/app/rules/finished.ts'
import type { Group } from '../../../static/app/rules/tree.ts'

test.each<[object, boolean]>([
  [{ operator: 'eq', value: 'x' }, true],
  [{ operator: 'eq', value: false }, true],
  [{ operator: 'eq', value: '' }, false],
  [{ operator: 'eq', value: null }, false],
  [{ operator: 'eq' }, false],
  [{ operator: 'in', value: ['x'] }, true],
  [{ operator: 'in', value: [] }, false],
  [{ operator: 'is_not_set' }, true],
  [{}, true],
  [{ operator: 'between', value: [1, 2] }, true],
  [{ operator: 'between', value: [null, 2] }, false],
  [{ operator: 'between', value: [1] }, false],
  [{ operator: 'between', value: [1, 2, 3] }, false],
  [{ operator: 'between', value: 'ab' }, false],
])('Whether %j has all that it asks for is %p.', (rule, finished) => {
  expect(isFinished({ field: 'x', ...rule } as never)).toBe(finished)
  expect(isFinished({ ...rule, field: '' } as never)).toBe(false)
})

const done = { field: 'x', operator: 'is_set' } as const
const undone = { field: 'x', operator: 'eq' } as const
const other = { field: 'y', operator: 'is_set' } as const

test('A group without finished rules goes, and one with some keeps them in their order.', () => {
  const group: Group = { op: 'or', rules: [done, { op: 'not', rules: [undone] }, other] }
  expect(finishedPart(group)).toEqual({ group: { op: 'or', rules: [done, other] }, unfinished: 1 })
  const inner: Group = { op: 'or', rules: [done, { op: 'not', rules: [undone, other] }] }
  expect(finishedPart(inner).group).toEqual({ op: 'or', rules: [done, { op: 'not', rules: [other] }] })
  expect(finishedPart({ op: 'or', rules: [undone] })).toEqual({ group: { op: 'and', rules: [] }, unfinished: 1 })
  expect(finishedPart({ op: 'not', rules: [] })).toEqual({ group: { op: 'and', rules: [] }, unfinished: 0 })
})

test('A flaw belongs to a rule only where its pointer leads to one.', () => {
  const sent: Group = { op: 'and', rules: [done, { op: 'or', rules: [other] }] }
  expect(ruleOfFlaw(sent, '/filter/rules/0', '/filter')).toBe(done)
  expect(ruleOfFlaw(sent, '/filter/rules/1/rules/0/value', '/filter')).toBe(other)
  for (const path of ['/filter', '/filter/op', '/filter/rules/1', '/filter/rules/7', '/search/rules/0'])
    expect(ruleOfFlaw(sent, path, '/filter'), path).toBeNull()
})
