import { expect, spyOn, test } from 'bun:test'
import { databaseAnswers } from '../../../src/http/core/health.ts'
import type { Runtime } from '../../../src/runtime.ts'

const asking = (query: () => Promise<unknown>) => databaseAnswers({ store: { query } } as unknown as Runtime)

test('A database answers, fails, or is given up after two seconds.', async () => {
  expect(await asking(async () => [])).toBe(true)
  expect(await asking(() => Promise.reject(new Error('The disk is gone.')))).toBe(false)
  const sleep = spyOn(Bun, 'sleep').mockResolvedValue()
  expect(await asking(() => new Promise(() => undefined))).toBe(false)
  expect(sleep.mock.calls).toEqual([[2000]])
  sleep.mockRestore()
})
