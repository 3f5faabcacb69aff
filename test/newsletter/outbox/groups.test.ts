import { afterEach, expect, spyOn, test } from 'bun:test'
import { createGroups } from '../../../src/newsletter/outbox/groups.ts'
import type { LedgerOptions } from '../../../src/newsletter/outbox/ledger.ts'
import { limitsOf } from '../../../src/newsletter/outbox/paced-batch.ts'
import { sendBatch } from '../../../src/newsletter/outbox/send-batch.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { ACCEPTED, createScene, fakeTransport, OURS, type OutboxScene } from './support.ts'
import { sendUnevenly } from './uneven-relay.ts'

/** How far ahead of the relay messages are marked as `sending`. */

let scene: OutboxScene
afterEach(() => scene.world.close())

test('A relay that answers one message at a time leaves at most two and a half groups marked.', async () => {
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

test('With ten connections to a relay that takes 100 to 400 ms, at most 40 rows stand at sending.', async () => {
  scene = await createScene(120)
  const marked: number[] = []
  await sendUnevenly(scene, async () => marked.push((await scene.statuses()).sending ?? 0))
  expect(await scene.statuses()).toEqual({ sent: 120 })
  expect(Math.max(...marked)).toBeWithin(20, 41)
})

/** The groups of a leased batch, with two messages in each. */
async function groupsOf(
  recipients: number,
  limits: Partial<LedgerOptions['limits']>,
  sendAt: (index: number) => number,
) {
  scene = await createScene(recipients)
  const { stream } = scene
  let stopping = false
  let writes = 0
  const write: LoopContext['store']['write'] = (...work) => {
    writes += 1
    return scene.context.store.write(...work)
  }
  const context = { ...scene.context, stopping: () => stopping, store: { ...scene.context.store, write } }
  const rows = await scene.lease(OURS)
  const ledger: LedgerOptions = {
    lease: OURS,
    limits: { ...limitsOf(stream, context.clock.now()), ...limits },
    may_send: stream.may_send,
    running: stream.running,
    messageId: stream.messageId,
  }
  const groups = createGroups({ context, ledger, rows, size: 2, sendAt: (row) => sendAt(rows.indexOf(row)) })
  /** Takes the next message and records that it was sent; answers its position in the batch. */
  const send = async () => {
    const marked = await groups.next()
    if (!marked) return null
    groups.record({ message: marked.message, outcome: { status: 'sent' } })
    return rows.indexOf(marked.message)
  }
  return { groups, rows, send, stop: () => void (stopping = true), writes: () => writes }
}

test('A message is not marked long before its send time, so that a late unsubscribe still counts.', async () => {
  const now = performance.now()
  const { groups, send } = await groupsOf(5, {}, (index) => (index < 1 ? Number.NEGATIVE_INFINITY : now + 4000))
  const time = spyOn(performance, 'now').mockReturnValue(now)
  try {
    expect(await send()).toBe(0)
    const { unmarked, stopped, handed_over } = await groups.finish()
    expect([unmarked.length, stopped, handed_over]).toEqual([4, false, 1])
  } finally {
    time.mockRestore()
  }
  expect(await scene.statuses()).toEqual({ sent: 1, leased: 4 })
})

test('A process that stops marks no further group, and its outcomes are written.', async () => {
  const { groups, rows, send, stop } = await groupsOf(7, {}, () => Number.NEGATIVE_INFINITY)
  expect(await send()).toBe(0)
  stop()
  const sent = [0]
  for (let at = await send(); at !== null; at = await send()) sent.push(at)
  expect(sent.length).toBeLessThan(5)
  const { unmarked, stopped, handed_over } = await groups.finish()
  expect([unmarked, stopped, handed_over]).toEqual([rows.slice(sent.length), false, sent.length])
  expect(await scene.statuses()).toEqual({ sent: sent.length, leased: 7 - sent.length })
})

test('Nothing is written while a batch waits for its next send time.', async () => {
  let soon = 0
  const { send, groups, writes } = await groupsOf(2, {}, (index) => (index < 1 ? Number.NEGATIVE_INFINITY : soon))
  soon = performance.now() + 200
  expect([await send(), await send(), await send()]).toEqual([0, 1, null])
  await groups.finish()
  // Two marks and two outcomes.
  expect(writes()).toBeLessThanOrEqual(4)
  expect(await scene.statuses()).toEqual({ sent: 2 })
})

test('A message that a limit refuses is neither marked nor counted, and stays leased.', async () => {
  const { groups, rows, send } = await groupsOf(7, { max_per_day: 3 }, () => Number.NEGATIVE_INFINITY)
  expect([await send(), await send(), await send(), await send()]).toEqual([0, 1, 2, null])
  const { unmarked, stopped, handed_over, failed } = await groups.finish()
  expect([unmarked, stopped, handed_over, failed]).toEqual([rows.slice(3), true, 3, false])
  expect(await scene.statuses()).toEqual({ sent: 3, leased: 4 })
})

test.each(['unreachable', 'unsent'] as const)(
  'After a message that is %s no further one is marked.',
  async (status) => {
    const { groups, rows } = await groupsOf(7, {}, () => Number.NEGATIVE_INFINITY)
    const first = await groups.next()
    groups.record({ message: first!.message, outcome: { status, error: 'Later.', due_at: 0 } })
    for (let marked = await groups.next(); marked; marked = await groups.next())
      groups.record({ message: marked.message, outcome: { status: 'sent' } })
    const { unmarked } = await groups.finish()
    expect(unmarked).toEqual(rows.slice(2))
    expect(await scene.statuses()).toEqual({ queued: 1, sent: 1, leased: 5 })
  },
)

test('Outcomes that a failing store did not take are among those to settle later.', async () => {
  scene = await createScene(3)
  const { stream } = scene
  const rows = await scene.lease(OURS)
  const ledger: LedgerOptions = {
    lease: OURS,
    limits: limitsOf(stream, scene.context.clock.now()),
    may_send: stream.may_send,
    running: stream.running,
    messageId: stream.messageId,
  }
  const context = scene.failingAt(2)
  const groups = createGroups({ context, ledger, rows, size: 3, sendAt: () => Number.NEGATIVE_INFINITY })
  for (let marked = await groups.next(); marked; marked = await groups.next())
    groups.record({ message: marked.message, outcome: { status: 'sent' } })
  const { failed, settle } = await groups.finish()
  expect([failed, await scene.statuses()]).toEqual([true, { sending: 3 }])
  await scene.context.store.write(settle)
  expect(await scene.statuses()).toEqual({ sent: 3 })
})
