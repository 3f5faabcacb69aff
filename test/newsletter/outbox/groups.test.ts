import { afterEach, expect, spyOn, test } from 'bun:test'
import { sendBatch } from '../../../src/newsletter/outbox/send-batch.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { ACCEPTED, createScene, fakeTransport, OURS, type OutboxScene } from './support.ts'

/** How far ahead of the relay messages are marked as `sending`. */

let scene: OutboxScene
afterEach(() => scene.world.close())

test('a relay that answers one message at a time leaves at most two and a half groups marked', async () => {
  scene = await createScene(60)
  const { store } = scene.context
  let elapsed_ms = 0
  const start = performance.now()
  const time = spyOn(performance, 'now').mockImplementation(() => start + elapsed_ms)
  const writes: Promise<unknown>[] = []
  const write: typeof store.write = (...work) => {
    const written = store.write(...work)
    writes.push(written.catch(() => undefined))
    return written
  }
  const context: LoopContext = { ...scene.context, store: { ...store, write } }
  const marked: number[] = []
  let turn: Promise<unknown> = Promise.resolve()
  const transport = fakeTransport(() => {
    const answer = turn.then(async () => {
      await Promise.all(writes.splice(0))
      marked.push((await scene.statuses()).sending ?? 0)
      // Outcomes wait for less, so the answer makes a write overdue.
      elapsed_ms += 60
      return ACCEPTED
    })
    turn = answer
    return answer
  })
  try {
    const rows = await scene.lease(OURS)
    const sending = { context, stream: scene.stream, transport, lease: OURS, down_since: null }
    await sendBatch(sending, { rows, send_at: null, wait_ms: null })
  } finally {
    time.mockRestore()
  }
  expect(await scene.statuses()).toEqual({ sent: 60 })
  expect(marked).toHaveLength(60)
  // One and a half groups, and one on the wire.
  expect(Math.max(...marked)).toBeLessThanOrEqual(2.5 * transport.parallel)
})
