import { expect, test } from 'bun:test'
import type { Group } from '../../../../static/app/rules/tree.ts'
import { isQuickOnly, quickValue, withQuick } from '../../../../static/app/site/contacts/quick.ts'

const group = (...rules: object[]): Group => ({ op: 'and', rules: rules as Group['rules'] })
const status = (value: unknown, operator = 'eq') => ({ field: 'global_status', operator, value })
const list = (value: unknown, more: object = {}) => ({ field: 'list', operator: 'in', value, ...more })

test('A shortcut shows the value of its rule, where everybody must match it and it has one value.', () => {
  expect(quickValue(group(status('pending')), 'global_status')).toBe('pending')
  expect(quickValue(group(status(['pending'], 'in')), 'global_status')).toBe('pending')
  expect(quickValue(group(status('pending'), list([7])), 'list')).toBe('7')
  expect(quickValue(group(list([7], { status: 'subscribed' })), 'list')).toBe('7')
  for (const other of [
    group(),
    { ...group(list([7])), op: 'or' as const },
    group(list([7, 8])),
    group(list([])),
    group(list([7], { status: 'pending' })),
    group(list([7], { operator: 'not_in' })),
    group(group(list([7]))),
  ])
    expect(quickValue(other, 'list')).toBe('')
  expect(quickValue(group(status('pending', 'neq')), 'global_status')).toBe('')
})

test('Shortcuts say all when each of them makes at most one rule, and nothing else is there.', () => {
  for (const all of [group(), { ...group(), op: 'or' as const }, group(list([7]), status('pending'))])
    expect(isQuickOnly(all)).toBe(true)
  for (const more of [
    group(list([7]), list([8])),
    group(list([7]), { field: 'email', operator: 'contains', value: 'x' }),
    group(list([7]), group(status('pending'))),
    { ...group(list([7])), op: 'not' as const },
  ])
    expect(isQuickOnly(more)).toBe(false)
})

test('Another value takes the place of the rule of a shortcut, and none removes it.', () => {
  const email = { field: 'email', operator: 'contains', value: 'x' }
  expect(withQuick(group(email, list([7])), 'list', '8')).toEqual(group(email, list([8])) as never)
  expect(withQuick(group(email), 'global_status', 'pending')).toEqual(group(email, status('pending')) as never)
  expect(withQuick(group(email, list([7]), group(list([7]))), 'list', '')).toEqual(
    group(email, group(list([7]))) as never,
  )
})
