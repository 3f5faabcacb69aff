import { beforeEach, expect, test } from 'bun:test'
import { calls, clearCalls, logAnswered, logCall } from '../../../static/app/api/call-log.ts'

beforeEach(clearCalls)

test('A call stands in the list from its beginning on, and gets its answer with the id of the request.', () => {
  const ended = logCall('POST', '/project/newsletter/tags/list', { limit: 1 })
  const begun = { method: 'POST', path: '/project/newsletter/tags/list', body: { limit: 1 } }
  const id = calls.value[0]!.id
  expect(calls.value).toEqual([
    { id, ...begun, status: null, ms: null, request_id: null, answer: undefined, came_along: false },
  ])
  ended(new Response(null, { status: 403, headers: { 'X-Request-ID': 'req_1' } }), { error: 'forbidden' })
  expect(calls.value).toEqual([
    {
      id,
      ...begun,
      status: 403,
      ms: expect.any(Number),
      request_id: 'req_1',
      answer: { error: 'forbidden' },
      came_along: false,
    },
  ])
})

test('A call without an answer has no status, and is no other call.', () => {
  const [first, second] = [logCall('GET', '/a', undefined), logCall('GET', '/b', undefined)]
  first(null)
  expect(calls.value.map(({ path, status, request_id }) => [path, status, request_id])).toEqual([
    ['/b', null, null],
    ['/a', 0, null],
  ])
  second(new Response())
  expect(calls.value.map(({ status }) => status)).toEqual([200, 0])
})

test('The list holds the newest fifty calls, the newest first.', () => {
  for (let count = 1; count <= 60; count++) logCall('GET', `/${count}`, undefined)
  expect([calls.value.length, calls.value[0]!.path, calls.value.at(-1)!.path]).toEqual([50, '/60', '/11'])
})

test('A call whose answer came with the document is a call of the page.', () => {
  logAnswered('/project/newsletter/contacts/list', { project_id: 'prj_1', limit: 50 }, { items: [] })
  const [call] = calls.value
  expect(call).toMatchObject({ method: 'POST', status: 200, came_along: true, answer: { items: [] } })
})
