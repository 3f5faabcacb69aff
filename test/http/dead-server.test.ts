import { expect, test } from 'bun:test'
import { SESSION_COOKIE } from '../../src/access/session.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
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

test('A mutation whose database server falls silent answers 503, and its key tells what came of it.', async () => {
  const server = await startLibsqlServer()
  const proxy = startDatabaseProxy(server.url)
  const world = await createWorld({ database_url: proxy.url })
  const upsert = (n: number, key: string) => world.call('contacts/upsert', email(n), { key })
  const email = (n: number) => ({ email: `n${n}@harbour.example`, consent_text: 'Yes' })
  const losses = [
    ['lose', 3, null],
    ['lose answer', 1, 'true'],
  ] as const
  for (const [index, [loses, calls, replayed]] of losses.entries()) {
    const keys = Array.from({ length: calls }, (_, n) => `key ${index} ${n}`)
    // The commit of the effects, which also has the row of the audit log.
    proxy.intercept = (text) => (text.includes('COMMIT') && text.includes('audit_log') ? loses : null)
    const failed = await Promise.all(keys.map((key, n) => upsert(10 * index + n, key)))
    expect(failed.map(({ status, body }) => [status, body.error.retryable])).toEqual(keys.map(() => [503, true]))
    proxy.intercept = null
    const again = await Promise.all(keys.map((key, n) => upsert(10 * index + n, key)))
    expect(again.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual(
      keys.map(() => [200, replayed]),
    )
  }
  expect((await world.ok('contacts/list')).items).toHaveLength(4)
  await world.close()
  await proxy.close()
  await server.close()
})
