import { expect, test } from 'bun:test'
import { ApiError, readError } from '../../../static/app/api/errors.ts'

const response = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers })

test('A refusal of the newsletter is read with its code, details and request.', async () => {
  const details = [{ path: '/name', message: 'Required.' }]
  const body = { error: { code: 'VALIDATION_FAILED', message: 'Look.', details } }
  const error = await readError(response(400, { 'x-request-id': 'req_1', 'retry-after': '7' }), body)
  expect(error).toMatchObject({ code: 'VALIDATION_FAILED', message: 'Look.', status: 400, request_id: 'req_1' })
  expect([error.about.retry_after_s, error.flaws]).toEqual([
    7,
    [{ path: '/name', name: 'Name', message: 'Fill this in.' }],
  ])
  expect([error.flawOf('/name'), error.flawOf('/email')]).toEqual(['Fill this in.', null])
})

test('A refusal of the platform has its code in capitals, and its message beside it.', async () => {
  const details = [{ path: '/title', message: 'Too long.' }]
  const error = await readError(response(409), { error: 'conflict', message: 'Taken.', details })
  expect(error).toMatchObject({ code: 'CONFLICT', message: 'Taken.', status: 409, request_id: undefined })
  expect([error.about.retry_after_s, error.flawOf('/title')]).toEqual([undefined, 'Too long.'])
})

test('A refusal without a body has its status as code.', async () => {
  const error = await readError(response(502), null)
  expect(error).toMatchObject({ code: '502', message: 'The service refused this.', flaws: [] })
})

test('A change that crossed another one tells who stored it, as far as it is known.', () => {
  const crossed = (...details: unknown[]) => new ApiError('EDIT_CONFLICT', 'x', { status: 409, details }).crossed_by
  const updated_at = '2026-05-03T12:00:00.000Z'
  expect(crossed({ updated_by: { id: 'usr_1', name: 'Ada' }, updated_at })).toEqual({
    id: 'usr_1',
    name: 'Ada',
    at: updated_at,
  })
  expect(crossed({ updated_by: null, updated_at })).toEqual({ id: null, name: null, at: updated_at })
  expect([crossed({ path: '/name' }), crossed()]).toEqual([null, null])
  expect(new ApiError('X', 'x', { status: 400, details: { state: 'full' } }).flaws).toEqual([])
})
