import { expect, test } from 'bun:test'
import { AppError, conflict, ERROR_CODES, type ErrorCode, invalidRequest } from '../../src/errors.ts'
import { errorEnvelope, formError, platformError } from '../../src/operation/envelope.ts'

test('Newsletter routes answer an error with its code, whether to try again, and the id of the request.', () => {
  expect(errorEnvelope(new AppError('RATE_LIMITED', 'Slow down.', { details: { limit: 5 } }), 'req_1')).toEqual({
    error: { code: 'RATE_LIMITED', message: 'Slow down.', retryable: true, details: { limit: 5 } },
    request_id: 'req_1',
  })
  expect(errorEnvelope(new AppError('NOT_FOUND', 'No.'), 'req_1')).toEqual({
    error: { code: 'NOT_FOUND', message: 'No.', retryable: false },
    request_id: 'req_1',
  })
})

test("Only refusals of the caller's identity have the platform's shape there.", () => {
  const shaped = (Object.keys(ERROR_CODES) as ErrorCode[]).filter(
    (code) => !('request_id' in (errorEnvelope(new AppError(code, ''), 'r') as object)),
  )
  expect(shaped).toEqual(['UNAUTHORIZED', 'INVALID_TOKEN', 'FORBIDDEN', 'PROJECT_NOT_AUTHORIZED'])
})

test("The platform's shape names the first flaw, unless that repeats the message.", () => {
  const flaws = [
    { path: '/a/0/b', message: 'Wrong.' },
    { path: '/c', message: 'Other.' },
  ]
  expect(platformError(invalidRequest(flaws))).toEqual({
    error: 'invalid_request',
    message: 'The request is not valid. a.0.b: Wrong.',
  })
  expect(platformError(invalidRequest([{ path: '', message: 'Wrong.' }])).message).toEndWith(' The body: Wrong.')
  expect(platformError(invalidRequest([{ path: '/a' }])).message).toBe('The request is not valid.')
  expect(platformError(conflict('/slug', 'In use.'))).toEqual({ error: 'conflict', message: 'In use.' })
  expect(platformError(new AppError('NOT_READY', 'No.', { details: { x: 1 } })).message).toBe('No.')
})

test('A form is told every flaw.', () => {
  const flaws = [
    { path: '/a', message: 'Wrong.' },
    { path: '/b', message: 'Other.' },
  ]
  expect(formError(invalidRequest(flaws)).details).toEqual(flaws)
  expect(formError(new AppError('FORBIDDEN', 'No.'))).not.toHaveProperty('details')
})
