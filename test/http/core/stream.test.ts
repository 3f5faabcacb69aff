import { expect, test } from 'bun:test'
import { createUnread } from '../../../src/http/core/unread.ts'
import { streamed } from '../../../src/http/core/stream.ts'

/** Pieces that may fail after some, and what became of them. */
function pieces(texts: string[], fails = false) {
  const seen = { closed: false }
  async function* make() {
    try {
      for (const text of texts) yield new TextEncoder().encode(text)
      if (fails) throw new Error('lost')
    } finally {
      seen.closed = true
    }
  }
  return { seen, given: { status: 200, pieces: make(), media_type: 'text/csv', filename: 'a.csv' } }
}
const reader = { request: new Request('http://x/'), address: '192.0.2.1', unread: createUnread() }
const logged: string[] = []
const about = {
  log: { error: (message: string) => void logged.push(message) } as never,
  request_id: 'req_1',
  ...reader,
}

test('A download has its pieces in order, a name and a type, and headers of its own.', async () => {
  const { given, seen } = pieces(['a', 'b', 'c'])
  const response = await streamed(about, { ...given, status: 206 }, { 'X-A': '1' })
  expect(response.status).toBe(206)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="a.csv"',
    'x-a': '1',
  })
  expect(await response.text()).toBe('abc')
  expect(seen.closed).toBe(true)
  expect(await (await streamed(about, pieces([]).given)).text()).toBe('')
})

test('A failure of the first piece is still an error, a later one breaks the answer and is logged.', async () => {
  await expect(streamed(about, pieces([], true).given)).rejects.toThrow('lost')
  expect(logged).toEqual([])
  const { given, seen } = pieces(['a'], true)
  await expect((await streamed(about, given)).text()).rejects.toThrow()
  expect([logged, seen.closed]).toEqual([['a streamed answer failed'], true])
})

test('A reader who leaves ends the making of the pieces.', async () => {
  let closed = false
  const endless = {
    next: async () => {
      await new Promise(setImmediate)
      return { done: false as const, value: new TextEncoder().encode('a') }
    },
    return: async () => {
      closed = true
      return { done: true as const, value: undefined }
    },
  }
  const given = { ...pieces([]).given, pieces: { [Symbol.asyncIterator]: () => endless } }
  const reader = (await streamed(about, given)).body!.getReader()
  expect((await reader.read()).done).toBe(false)
  expect(closed).toBe(false)
  await reader.cancel()
  expect(closed).toBe(true)
})
