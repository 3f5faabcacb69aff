import { expect, test } from 'bun:test'
import { packRules } from '../../../../static/app/rules/address.ts'
import { listBody, readQuery, whoOf } from '../../../../static/app/site/contacts/query.ts'

test('An address without anything asks for the first page of everybody, newest first.', () => {
  const query = readQuery({})
  expect(listBody(query)).toEqual({ order: 'newest', limit: 50 })
  expect(whoOf(query)).toEqual({})
})

test('An address names text, rules, order, size and place.', () => {
  const rules = { op: 'and', rules: [{ field: 'list', operator: 'in', value: [1] }] } as never
  const query = readQuery({ q: 'lind', filter: packRules(rules)!, order: 'oldest', size: '200', from: 'abc' })
  expect(listBody(query)).toEqual({ search: 'lind', filter: rules, order: 'oldest', limit: 200, cursor: 'abc' })
})

test('A misspelled part of the address is as if it were not there.', () => {
  expect(listBody(readQuery({ filter: 'x', order: 'up', size: '51', from: '' }))).toEqual({
    order: 'newest',
    limit: 50,
  })
})
