import { expect, test } from 'bun:test'
import { bodyHash, parseBody } from '../../src/operation/json-body.ts'
import { TaskTimeout } from '../../src/threads/heavy.ts'
import type { Reader, Store } from '../../src/store/open.ts'

const aside: Pick<Store, 'heavyTask'> = { heavyTask: (task, input) => task.run({} as Reader, input) }
const parse = (text: string, store = aside) => parseBody(store, new TextEncoder().encode(text))
const refusal = (text: string, store = aside) => parse(text, store).catch((error: unknown) => error)
/** JSON above the size that is parsed on another thread. */
const large = (value: unknown) => JSON.stringify(value) + ' '.repeat(300_000)

test('A large body is parsed on another thread, with the hash that a small one has.', async () => {
  const body = { name: 'Tides', tags: [1, { '[,{': '"\\",[' }], project_id: 'prj_a', idempotency_key: 'k' }
  expect(await parse(large(body))).toEqual({ value: body, hash: bodyHash(body) })
  expect(await parse(JSON.stringify(body))).toEqual({ value: body })
  expect(await parse(large(null))).toEqual({ value: null })
})

test('A large body has at most 100,000 values, and texts count as one each.', async () => {
  expect((await parse(large(Array(99_999).fill('[,{"\\')))).value).toHaveLength(99_999)
  for (const text of [large(Array(100_000).fill(0)), '['.repeat(300_000), '{"a":'.repeat(110_000)])
    expect(await refusal(text)).toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('A body of 256 KiB is still a small one, of any number of values and without a hash.', async () => {
  const zeros = (bytes: number) => `[0${',0'.repeat(120_000)}]`.padEnd(bytes)
  expect(await parse(zeros(256 * 1024))).toEqual({ value: Array(120_001).fill(0) })
  expect(await refusal(zeros(256 * 1024 + 1))).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: '', message: 'A body of more than 262144 bytes has at most 100000 values.' }],
  })
  expect(await parse('{"a":1', aside).catch((error: unknown) => error)).toMatchObject({ code: 'INVALID_JSON' })
  // Another failure of the thread is none of the body.
  const broken = { heavyTask: async () => Promise.reject(new Error('The thread is gone.')) }
  expect(await refusal(large({}), broken)).toMatchObject({ message: 'The thread is gone.' })
})

test('A large body that is not JSON in UTF-8, or takes too long, is refused.', async () => {
  expect(await refusal(`{"a":"${' '.repeat(300_000)}`)).toMatchObject({ code: 'INVALID_JSON' })
  const bytes = new TextEncoder().encode(large('x'))
  bytes[1] = 0xff
  expect(await parseBody(aside, bytes).catch((error: unknown) => error)).toMatchObject({ code: 'INVALID_JSON' })
  const slow = { heavyTask: async () => Promise.reject(new TaskTimeout('parse_body')) }
  expect(await refusal(large({}), slow)).toMatchObject({ code: 'VALIDATION_FAILED' })
})
