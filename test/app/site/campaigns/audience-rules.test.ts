import { expect, test } from 'bun:test'
import { excludedFrom, leftOutFor, peopleOf } from '../../../../static/app/site/campaigns/audience-rules.ts'

const list = { type: 'list', id: 1 } as const
const tag = { type: 'tag', id: 2 } as const
const everybody = { type: 'all' } as const
const inList = (status?: string) => ({ field: 'list', operator: 'in', value: [1], ...(status && { status }) })
const tagged = { field: 'tag', operator: 'in', value: [2] }
const has = (status: string) => ({ field: 'global_status', operator: 'eq', value: status })

test('A recipient of a campaign is subscribed, is in one of the parts to include, and in none to exclude.', () => {
  expect(peopleOf({ include: [list, tag] })).toEqual({
    op: 'and',
    rules: [has('subscribed'), { op: 'or', rules: [inList(), tagged] }],
  } as never)
  expect(peopleOf({ include: [list, everybody], exclude: [tag] })).toEqual({
    op: 'and',
    rules: [has('subscribed'), { op: 'not', rules: [tagged] }],
  } as never)
})

test('A person whom the part to exclude takes out is in both parts.', () => {
  expect(excludedFrom({ include: [list], exclude: [tag] })).toEqual({
    op: 'and',
    rules: [
      { op: 'or', rules: [inList()] },
      { op: 'or', rules: [tagged] },
    ],
  } as never)
})

test('A person left out for a status has it in general, or in one of the lists where lists know it.', () => {
  expect(leftOutFor({ include: [everybody, list] }, 'pending')).toEqual({ op: 'and', rules: [has('pending')] } as never)
  const named = { op: 'or', rules: [...['subscribed', 'pending', 'unsubscribed'].map(inList), tagged] }
  const own = (status: string) => ({ op: 'and', rules: [has(status), named] })
  for (const status of ['pending', 'unsubscribed'] as const)
    expect(leftOutFor({ include: [list, tag] }, status)).toEqual({
      op: 'or',
      rules: [own(status), inList(status)],
    } as never)
  for (const status of ['bounced', 'complained'] as const)
    expect(leftOutFor({ include: [list, tag] }, status)).toEqual({ op: 'or', rules: [own(status)] } as never)
})
