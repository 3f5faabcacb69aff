import { expect, spyOn, test } from 'bun:test'
import { createClient, MastheadError } from '../../../src/http/docs/client-runtime.ts'

interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** A client whose requests are answered in turn; an error stands for no answer. The last one repeats. */
function clientWith(answers: (Response | Error)[], more: Partial<Parameters<typeof createClient>[0]> = {}) {
  const sent: Sent[] = []
  const client = createClient({
    base_url: 'http://s/',
    token: 'svc_at_x',
    async fetch(url, { method, headers, body }) {
      sent.push({
        method: method!,
        url,
        headers: headers as Record<string, string>,
        body: body && JSON.parse(body as string),
      })
      const answer = answers[Math.min(sent.length, answers.length) - 1]!
      if (answer instanceof Error) throw answer
      return answer.clone()
    },
    ...more,
  })
  return { client, sent }
}
const json = (value: unknown, status = 200, headers = {}) =>
  Response.json(value, { status, headers: { 'Retry-After': '0', 'X-Request-ID': 'req_1', ...headers } })
const refusal = async (calling: Promise<unknown>) => {
  const error = await calling.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(MastheadError)
  return { message: (error as MastheadError).message, ...(error as MastheadError).refusal }
}
const BUSY = json({ error: { code: 'RATE_LIMIT_UNAVAILABLE', message: 'Busy.', retryable: true } }, 503)
const LIST = { name: 'Weekly' }

test('A call sends its project and a key of its own, and answers the data.', async () => {
  const { client, sent } = clientWith([json({ data: { list: 1 } })], { project_id: 'prj_a' })
  expect(await client.call('lists/create', LIST)).toEqual({ list: 1 } as never)
  expect(sent[0]).toMatchObject({
    method: 'POST',
    url: 'http://s/general/api/v1/newsletter/lists/create',
    headers: { Authorization: 'Bearer svc_at_x', 'Content-Type': 'application/json' },
    body: { project_id: 'prj_a', name: 'Weekly' },
  })
  await client.call('lists/create', LIST, { project_id: 'prj_b', idempotency_key: 'k1' })
  expect(sent[1]).toMatchObject({ headers: { 'Idempotency-Key': 'k1' }, body: { project_id: 'prj_b' } })
  expect(sent[0]!.headers['Idempotency-Key']).not.toBe(sent[1]!.headers['Idempotency-Key'])
})

test('A project API key is sent as it is, and needs no project.', async () => {
  const { client, sent } = clientWith([json({ data: {} })], { token: 'svc_pk_x' })
  await client.call('lists/create', LIST)
  expect(sent[0]).toMatchObject({ headers: { Authorization: 'svc_pk_x' }, body: { name: 'Weekly' } })
  expect(sent[0]!.body).not.toHaveProperty('project_id')
})

test('A stream is answered as text.', async () => {
  const { client } = clientWith([new Response('a,b\n', { headers: { 'Content-Type': 'text/csv' } })])
  expect(await client.call('contacts/export', {} as never)).toBe('a,b\n' as never)
})

test('A call is repeated with its key while the service says that it may succeed, four times in all.', async () => {
  const ok = json({ data: {} })
  for (const temporary of [BUSY, json({}, 500)]) {
    const { client, sent } = clientWith([temporary, ok])
    await client.call('lists/create', LIST)
    expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1)
    expect(sent).toHaveLength(2)
  }
  const { client, sent } = clientWith([BUSY])
  expect(await refusal(client.call('lists/create', LIST, { idempotency_key: 'k1' }))).toEqual({
    message: 'Busy.',
    status: 503,
    code: 'RATE_LIMIT_UNAVAILABLE',
    retryable: true,
    details: undefined,
    request_id: 'req_1',
    idempotency_key: 'k1',
  })
  expect(sent).toHaveLength(4)
})

test('A refusal of another kind is thrown at once, in either shape.', async () => {
  const { client, sent } = clientWith([
    json({ error: { code: 'CONFLICT', message: 'In use.', retryable: false, details: [1] } }, 409),
  ])
  expect(await refusal(client.call('lists/create', LIST))).toMatchObject({
    code: 'CONFLICT',
    details: [1],
    retryable: false,
  })
  expect(sent).toHaveLength(1)
  const platform = clientWith([json({ error: 'unauthorized', message: 'Sign in.' }, 401)]).client
  expect(await refusal(platform.call('lists/create', LIST))).toMatchObject({
    message: 'Sign in.',
    code: 'unauthorized',
    retryable: false,
  })
  const odd = clientWith([new Response('<html>', { status: 404 })]).client
  expect(await refusal(odd.call('lists/create', LIST))).toMatchObject({
    message: 'The service answered 404.',
    code: 'unknown',
    request_id: null,
  })
})

test('A route that changes something is repeated only when the service refused it for too many requests.', async () => {
  const limited = json({ error: 'rate_limited' }, 429)
  const change = (answer: Response | Error) => {
    const { client, sent } = clientWith([answer, json({ ok: true })])
    return {
      sent,
      done: client.route('POST /project/create' as never, { body: { name: 'x' } } as never) as Promise<unknown>,
    }
  }
  const repeated = change(limited)
  expect(await repeated.done).toEqual({ ok: true })
  expect(repeated.sent).toHaveLength(2)
  expect(await refusal(change(BUSY).done)).toMatchObject({ status: 503, idempotency_key: null })
  expect(await refusal(change(new Error('lost')).done)).toMatchObject({ status: 0, code: 'no_answer', retryable: true })
})

test('A route has its parameters in path and query, and no body unless it posts.', async () => {
  const { client, sent } = clientWith([BUSY, json({})])
  await client.route('GET /a/:id/b' as never, { params: { id: 'x/y' }, query: { q: 'a b' } } as never)
  expect(sent[1]).toMatchObject({ method: 'GET', url: 'http://s/a/x%2Fy/b?q=a+b', body: undefined })
  expect(sent[1]!.headers).not.toHaveProperty('Content-Type')
  await client.route('POST /a' as never, {} as never)
  expect(sent[2]!.body).toEqual({})
  await client.route('DELETE /a' as never, {} as never)
  expect(sent[3]!.body).toBeUndefined()
})

test('Between two tries it waits as long as it is told, at most a minute, else twice as long each time.', async () => {
  const waits: unknown[] = []
  const waiting = spyOn(globalThis, 'setTimeout').mockImplementation(((resume: () => void, ms: number) => {
    waits.push(ms)
    queueMicrotask(resume)
  }) as never)
  const told = (seconds: string) => json({}, 503, { 'Retry-After': seconds })
  const untold = new Response('{}', { status: 503 })
  try {
    await clientWith([new Error('lost'), untold, told('soon'), json({})]).client.call('lists/create', LIST)
    await clientWith([told('7'), told('61'), told('0'), json({})]).client.call('lists/create', LIST)
  } finally {
    waiting.mockRestore()
  }
  expect(waits).toEqual([250, 500, 1000, 7000, 60_000, 0])
})

test('A signal ends the waiting between two tries.', async () => {
  const { client, sent } = clientWith([json({}, 503, { 'Retry-After': '60' })])
  const signal = AbortSignal.timeout(1)
  await expect(client.call('lists/create', LIST, { signal })).rejects.toThrow('timed out')
  expect(sent).toHaveLength(1)
  await expect(client.call('lists/create', LIST, { signal })).rejects.toThrow('timed out')
})
