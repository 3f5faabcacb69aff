import { expect, test } from 'bun:test'
import { SESSION_COOKIE } from '../../src/access/session.ts'
import { startLibsqlServer } from '../support/libsql-server.ts'
import { createWorld } from '../support/world.ts'

test('A database server that died is a 503 that may be repeated, on every kind of route.', async () => {
  const server = await startLibsqlServer()
  const world = await createWorld({ database_url: server.url })
  expect((await world.call('contacts/list')).status).toBe(200)
  await server.close()
  for (const [operation, body] of [
    ['contacts/list', {}],
    ['contacts/upsert', { email: 'ada@harbour.example' }],
  ] as const) {
    const { status, headers, body: answer } = await world.call(operation, body)
    expect([status, headers.get('retry-after'), answer.error.retryable]).toEqual([503, '5', true])
    expect(answer.error.code).toMatch(/^(DATABASE|RATE_LIMIT)_UNAVAILABLE$/)
  }
  const answers = [
    await world.fetch('/user/me', { headers: { Cookie: `${SESSION_COOKIE}=svc_ss_${'a'.repeat(43)}` } }),
    await world.fetch(`/sites/${world.project.slug}/`),
    await world.fetch('/general/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'y' }),
    }),
    await world.fetch('/readyz'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  expect(await answers[0]!.json()).toEqual({
    error: 'internal_error',
    message: 'The database does not answer. Try again in a moment.',
  })
  for (const page of ['/portal/login', '/general/oauth/authorize?client_id=x']) {
    const answer = await world.fetch(page)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.text()).toContain('The database does not answer. Try again in a moment.')
  }
  await world.close()
})
