import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { impliedErrors } from '../../../src/http/core/route-errors.ts'

type Checks = Parameters<typeof impliedErrors>[0]
const NONE = Type.Object({})
const SOME = Type.Object({ a: Type.String() })
const ALWAYS = new Set(['MISDIRECTED_REQUEST', 'INTERNAL', 'DATABASE_UNAVAILABLE', 'TOO_MANY_UNREAD'])
/** The errors that a public GET route without input does not have. */
const more = (given: Partial<Checks>) =>
  [
    ...new Set(
      impliedErrors({
        auth: 'none',
        methods: ['GET'],
        own_pages: false,
        confirmed: false,
        operator: false,
        scope: null,
        role: null,
        body: null,
        takes: [],
        query: NONE,
        params: NONE,
        params_error: 'NOT_FOUND',
        ...given,
      }),
    ),
  ].filter((code) => !ALWAYS.has(code))
const LIMITS = ['RATE_LIMITED', 'RATE_LIMIT_UNAVAILABLE'] as const

test('Authentication gives a route its errors.', () => {
  expect(more({})).toEqual([])
  expect(more({ auth: 'session' })).toEqual(['UNAUTHORIZED', ...LIMITS, 'VALIDATION_FAILED'])
  expect(more({ auth: 'oauth' })).toEqual([...LIMITS, 'UNAUTHORIZED', 'INVALID_TOKEN', 'FORBIDDEN'])
  expect(more({ auth: 'metrics' })).toEqual(['FORBIDDEN'])
})

test('Only a route that changes something refuses pages of other sites.', () => {
  expect(more({ auth: 'session', methods: ['GET', 'POST'] })).toContain('FORBIDDEN')
  expect(more({ own_pages: true, methods: ['POST'] })).toEqual(['FORBIDDEN'])
  expect(more({ own_pages: true })).toEqual([])
  expect(more({ methods: ['POST'] })).toEqual([])
})

test('Each further check has its error.', () => {
  expect(more({ confirmed: true })).toEqual(['CONFIRMATION_REQUIRED'])
  expect(more({ operator: true })).toEqual(['FORBIDDEN'])
  expect(more({ scope: 'x' })).toEqual(['INSUFFICIENT_SCOPE'])
  expect(more({ role: 'member' })).toEqual(['PROJECT_NOT_AUTHORIZED'])
  expect(more({ role: 'editor' })).toEqual(['PROJECT_NOT_AUTHORIZED', 'INSUFFICIENT_ROLE'])
  expect(more({ query: SOME })).toEqual(['VALIDATION_FAILED'])
  expect(more({ params: SOME })).toEqual(['NOT_FOUND'])
  expect(more({ body: SOME })).toContain('INVALID_JSON')
  expect(more({ takes: ['image/png'] })).toContain('TOO_MANY_UPLOADS')
  expect(more({ takes: ['image/png'] })).not.toContain('INVALID_JSON')
})
