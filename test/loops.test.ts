import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { Cron } from 'croner'
import { allLoops, startLoops } from '../src/loops.ts'
import { createWorld, loopContext, START, type World } from './support/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

test('The cleanup and the check of domains run hourly, mail goes within half a minute, sending every second.', () => {
  const seconds = allLoops().map(({ name, pattern }): [string, number] => {
    const [one, next] = new Cron(pattern, { paused: true }).nextRuns(2, new Date(START))
    return [name, (next!.getTime() - one!.getTime()) / 1000]
  })
  expect(Object.fromEntries(seconds)).toEqual({
    ...{ schedule: 1, jobs: 1, delivery: 1, posts: 1, facts: 5 },
    ...{ delivery_days: 20, mail: 20, forms: 30 },
    ...{ domains: 3_600, maintenance: 3_600 },
  })
})

test('A loop tells when it ran last, and when it failed last.', async () => {
  const context = loopContext(world.service.runtime, 'prc_loops')
  const running = startLoops(context, false)
  await running.drain('mail')
  const good = { started_at: START, ended_at: START, failed_at: null, lag_ms: null }
  expect(running.runs()).toEqual({ mail: good })
  const broken = { ...context.store, write: () => Promise.reject(new Error('The disk is gone.')) }
  const failing = startLoops({ ...context, store: broken, log: { ...context.log, error: () => undefined } }, false)
  await failing.drain('maintenance')
  expect(failing.runs()).toEqual({ maintenance: { ...good, failed_at: START } })
})

/** The loop `mail`, whose ticks the test answers, and all that it asks for. */
function controlled(scheduled = false) {
  const all = allLoops()
  const mail = all.find(({ name }) => name === 'mail')!
  const ticks: PromiseWithResolvers<boolean>[] = []
  const tick = spyOn(mail, 'tick').mockImplementation(() => {
    const one = Promise.withResolvers<boolean>()
    ticks.push(one)
    return one.promise
  })
  const failures: unknown[] = []
  const context = loopContext(world.service.runtime, 'prc_loops')
  const log = { ...context.log, error: (...given: unknown[]) => void failures.push(given) }
  return { ticks, failures, tick, loops: startLoops({ ...context, log }, scheduled, all), all, context }
}
const turn = () => new Promise(setImmediate)

test('A loop ticks until nothing is due, and once more when it was woken meanwhile.', async () => {
  const { ticks, tick, loops: running } = controlled()
  let ended = false
  const drained = running.drain('mail').then(() => (ended = true))
  ticks[0]!.resolve(true)
  await turn()
  expect([ticks.length, ended]).toEqual([2, false])
  const again = running.drain('mail')
  expect(ticks).toHaveLength(2)
  ticks[1]!.resolve(false)
  await turn()
  expect([ticks.length, ended]).toEqual([3, false])
  ticks[2]!.resolve(false)
  await Promise.all([drained, again])
  expect(ticks).toHaveLength(3)
  tick.mockRestore()
})

test('A loop that fails is logged with its name, and runs again when it is woken.', async () => {
  const { ticks, failures, tick, loops: running } = controlled()
  const drained = running.drain('mail')
  void running.drain('mail')
  ticks[0]!.reject(new Error('broken on purpose'))
  await drained
  expect([ticks.length, failures]).toMatchObject([
    1,
    [['a loop failed; it runs again at its next time', { loop: 'mail' }]],
  ])
  world.clock.advance(5)
  const next = running.drain('mail')
  expect(running.runs().mail).toEqual({ started_at: START + 5, ended_at: null, failed_at: START, lag_ms: null })
  ticks[1]!.resolve(false)
  await next
  expect(running.runs().mail).toMatchObject({ ended_at: START + 5, failed_at: START })
  tick.mockRestore()
})

test('Loops that stop finish the running tick, begin no other, and are closed.', async () => {
  const { ticks, tick, loops: running, all } = controlled()
  const delivery = all.find(({ close }) => close !== undefined)!
  const close = spyOn(delivery, 'close').mockResolvedValue()
  void running.drain('mail')
  const context = tick.mock.calls[0]![0]
  expect(context.stopping()).toBe(false)
  let ended = false
  const stopped = running.stop().then(() => (ended = true))
  await turn()
  expect([ended, context.stopping(), close.mock.calls.length]).toEqual([false, true, 0])
  ticks[0]!.resolve(true)
  await stopped
  expect([ticks.length, close.mock.calls.length]).toEqual([1, 1])
  await running.drain('mail')
  expect(ticks).toHaveLength(1)
  tick.mockRestore()
  close.mockRestore()
})

test('Loops that are not scheduled run only when they are drained.', async () => {
  const { ticks, tick, loops: running } = controlled()
  running.wake('mail')
  expect(ticks).toHaveLength(0)
  const drained = running.drain('mail')
  tick.mock.calls[0]![0].wake('mail')
  ticks[0]!.resolve(false)
  await drained
  expect(ticks).toHaveLength(1)
  tick.mockRestore()
})

test('A scheduled loop is woken, and lags when its next time has passed without a run.', async () => {
  const { ticks, tick, loops: running } = controlled(true)
  running.wake('mail')
  expect([ticks.length, running.runs().mail!.lag_ms]).toEqual([1, 0])
  tick.mock.calls[0]![0].wake('mail')
  ticks[0]!.resolve(false)
  await turn()
  expect(ticks).toHaveLength(2)
  ticks[1]!.resolve(false)
  await running.drain('nowhere' as 'mail')
  await turn()
  const { started_at } = running.runs().mail!
  expect(running.runs().mail!.lag_ms).toBe(0)
  world.clock.advance(3_600_000)
  const late = running.runs().mail!.lag_ms!
  expect(late).toBeGreaterThan(3_600_000 - 120_000)
  expect(late).toBeLessThan(3_600_000)
  expect(world.clock.now() - started_at).toBe(3_600_000)
  await running.stop()
  tick.mockRestore()
})
