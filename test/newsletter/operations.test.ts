import { expect, test } from 'bun:test'
import { operations } from '../../src/newsletter/operations.ts'

/** What the operations declare beside their schemas and words. */

test('Reads that count, export or draw much cost more than one unit of quota, and all others one.', () => {
  const costs = (body: Record<string, unknown>) =>
    Object.fromEntries(operations.map(({ path, cost }) => [path, cost(body)] as const).filter(([, cost]) => cost !== 1))
  const always = {
    '/contacts/stats': 5,
    '/contacts/export': 20,
    '/segments/preview': 5,
    '/campaigns/audience-count': 5,
    '/campaigns/readiness': 5,
  }
  expect(costs({})).toEqual({ ...always, '/render': 5 })
  expect(costs({ include: ['stats'], editor_json: 'x'.repeat(9_998) })).toEqual({ ...always, '/campaigns/list': 5 })
  expect(costs({ editor_json: 'x'.repeat(9_999) })).toEqual({ ...always, '/render': 5 })
})
