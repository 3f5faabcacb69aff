import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { FixedClock } from '../../../src/clock.ts'
import { AppError } from '../../../src/errors.ts'
import { clientRefusal, parsed } from '../../../src/http/core/client-endpoint.ts'
import { OAuthError } from '../../../src/oauth/errors.ts'
import type { Runtime } from '../../../src/runtime.ts'

const runtimeWith = (error: (message: string, fields: object) => number) =>
  ({ config: {}, clock: new FixedClock(5), log: { error } }) as unknown as Runtime

/** What a client gets of an error, and how often it was logged. */
async function refusalOf(error: unknown) {
  let logged = 0
  const runtime = runtimeWith(() => logged++)
  const answer = (await clientRefusal(runtime, error, { request_id: 'req_1' } as never)) as Response
  const body = (await answer.json()) as { error: string; error_description: string }
  return { status: answer.status, headers: answer.headers, logged, ...body }
}

test('A client gets each error as RFC 6749 says, and no cache keeps it.', async () => {
  const own = await refusalOf(new OAuthError('invalid_client', 'Unknown.', 401, { 'WWW-Authenticate': 'Basic' }))
  expect(own).toMatchObject({ status: 401, error: 'invalid_client', error_description: 'Unknown.', logged: 0 })
  expect(own.headers.get('www-authenticate')).toBe('Basic')
  expect([own.headers.get('cache-control'), own.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
  const request = await refusalOf(new AppError('METHOD_NOT_ALLOWED', 'Post.', { headers: { Allow: 'POST' } }))
  expect(request).toMatchObject({ status: 405, error: 'invalid_request', error_description: 'Post.', logged: 0 })
  expect(request.headers.get('allow')).toBe('POST')
})

test('A client is told to come back where the service is busy, and nothing of what broke inside.', async () => {
  const busy = await refusalOf(new AppError('TOO_MANY_UPLOADS', 'Wait.', { headers: { 'Retry-After': '5' } }))
  expect(busy).toMatchObject({ status: 503, error: 'temporarily_unavailable', error_description: 'Wait.', logged: 0 })
  expect(busy.headers.get('retry-after')).toBe('5')
  const away = await refusalOf(new AppError('RATE_LIMIT_UNAVAILABLE', 'Later.'))
  expect(away).toMatchObject({ status: 503, error: 'temporarily_unavailable', logged: 1 })
  for (const error of [new AppError('INTERNAL', 'The table is gone.'), new Error('The table is gone.'), 'x']) {
    const internal = await refusalOf(error)
    expect(internal).toMatchObject({ status: 500, error: 'server_error', logged: 1 })
    expect(internal.error_description).not.toContain('table')
  }
})

test('A fault inside is logged with its cause and the id of the request.', async () => {
  const lines: object[] = []
  const runtime = runtimeWith((_, fields) => lines.push(fields))
  const cause = new Error('The disk is gone.')
  for (const error of [
    new AppError('RATE_LIMIT_UNAVAILABLE', 'Later.', { cause }),
    new AppError('INTERNAL', 'Broken.'),
    cause,
  ])
    await clientRefusal(runtime, error, { request_id: 'req_1' } as never)
  expect(lines).toMatchObject(
    ['The disk is gone.', 'Broken.', 'The disk is gone.'].map((words) => ({
      request_id: 'req_1',
      error: expect.stringContaining(words),
    })),
  )
})

test('Parameters are parsed by their schema, and the first missing one is named.', () => {
  const schema = Type.Object({ a: Type.String(), b: Type.String(), c: Type.Optional(Type.String()) })
  expect(parsed(schema, new URLSearchParams('a=1&b=2'))).toEqual({ a: '1', b: '2' })
  expect(() => parsed(schema, new URLSearchParams('b=1'))).toThrow('a is missing.')
})
