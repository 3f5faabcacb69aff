import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import {
  AppError,
  conflict,
  ERROR_CODES,
  invalid,
  invalidRequest,
  invalidState,
  notFound,
  requireRoom,
} from '../src/errors.ts'

const shown = ({ code, status, message, details, headers }: AppError) => [code, status, message, details, headers]

test('Each code has the documented status, and may be tried again as documented.', () => {
  const text = readFileSync(join(import.meta.dir, '../docs/api/errors.md'), 'utf8')
  const documented = [...text.matchAll(/^\| `([A-Z_]+)` +\| (\d{3}) \| (yes|no) /gm)]
  expect(documented.map(([, code, status, again]) => [code!, Number(status), again === 'yes']).toSorted()).toEqual(
    Object.entries(ERROR_CODES)
      .map(([code, { status, retryable }]) => [code, status, retryable])
      .toSorted(),
  )
})

test('The name of a code on the routes of the platform follows its status, but for those that say more.', () => {
  const names: Record<number, string> = {
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not_found',
    409: 'conflict',
    429: 'rate_limited',
  }
  const own = new Set(['INVALID_TOKEN', 'CONFIRMATION_REQUIRED', 'INSUFFICIENT_SCOPE', 'PROJECT_NOT_AUTHORIZED'])
  for (const [code, { status, platform }] of Object.entries(ERROR_CODES)) {
    const usual = names[status] ?? (status >= 500 ? 'internal_error' : 'invalid_request')
    expect([code, platform]).toEqual([code, own.has(code) ? code.toLowerCase() : usual] as never)
  }
})

test('A refusal has its details and headers, and what caused it.', () => {
  const cause = new Error('inner')
  const error = new AppError('CONFLICT', 'In use.', { details: 5, headers: { 'X-A': 'b' }, cause })
  expect([...shown(error), error.cause, error.name]).toEqual([
    'CONFLICT',
    409,
    'In use.',
    5,
    { 'X-A': 'b' },
    cause,
    'AppError',
  ])
  expect(shown(new AppError('NOT_FOUND', 'No.'))).toEqual(['NOT_FOUND', 404, 'No.', undefined, {}])
})

test('Each kind of refusal names what it is about.', () => {
  expect(shown(notFound('file', '/file_id')).slice(0, 4)).toEqual([
    'NOT_FOUND',
    404,
    'No such file.',
    [{ path: '/file_id' }],
  ])
  expect(notFound('file').details).toBeUndefined()
  expect(invalid('/name', 'Too long.').details).toEqual([{ path: '/name', message: 'Too long.' }])
  const flaws = Array.from({ length: 21 }, (_, n) => ({ path: `/${n}` }))
  expect(invalidRequest(flaws).details).toEqual(flaws.slice(0, 20))
  const cause = new Error('unique')
  const used = conflict('/name', 'In use.', cause)
  expect([used.code, used.details, used.cause]).toEqual(['CONFLICT', [{ path: '/name', message: 'In use.' }], cause])
  expect(shown(invalidState('Not now.', 'sent')).slice(0, 4)).toEqual([
    'INVALID_STATE',
    409,
    'Not now.',
    { state: 'sent' },
  ])
})

test('A project has room for a thing below its limit only.', () => {
  expect(() => requireRoom(4, 5, 'tags')).not.toThrow()
  for (const count of [5, 6])
    expect(() => requireRoom(count, 5, 'tags')).toThrow(
      expect.objectContaining({ message: 'A project can have at most 5 tags.', details: { state: 'full', limit: 5 } }),
    )
})
