import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startLoops } from '../src/loops.ts'
import { createWorld, loopContext, START, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('A loop tells when it ran last, and when it failed last.', async () => {
  const context = loopContext(world.service.runtime, 'prc_loops')
  const loops = startLoops(context, false)
  await loops.drain('mail')
  const good = { started_at: START, ended_at: START, failed_at: null, lag_ms: null }
  expect(loops.runs()).toEqual({ mail: good })
  const broken = { ...context.store, write: () => Promise.reject(new Error('The disk is gone.')) }
  const failing = startLoops({ ...context, store: broken, log: { ...context.log, error: () => undefined } }, false)
  await failing.drain('maintenance')
  expect(failing.runs()).toEqual({ maintenance: { ...good, failed_at: START } })
})
