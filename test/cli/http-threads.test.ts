import { expect, test } from 'bun:test'
import { httpThreads, quotaOf } from '../../src/cli/http-threads.ts'

const linux = (processors: number) => ({ platform: 'linux', processors }) as const

test('One thread for each processor answers, at most eight, or as many as the setting says.', () => {
  const all = { role: 'all', http_threads: 0 } as const
  expect([1, 4, 64].map((processors) => httpThreads(all, linux(processors)).threads)).toEqual([1, 4, 8])
  expect(httpThreads({ ...all, http_threads: 12 }, linux(4))).toEqual({ threads: 12, message: null })
  expect(httpThreads({ ...all, role: 'worker' }, linux(4)).threads).toBe(1)
})

test('One thread answers where connections are not spread, and the log says so where more were meant.', () => {
  const mac = { platform: 'darwin', processors: 8 } as const
  const { threads, message } = httpThreads({ role: 'all', http_threads: 0 }, mac)
  expect([threads, message]).toEqual([1, expect.stringContaining('one thread answers')])
  expect(httpThreads({ role: 'all', http_threads: 1 }, mac)).toEqual({ threads: 1, message: null })
})

test('The limit of a container counts as processors, rounded up.', () => {
  expect(['150000 100000\n', '50000 100000\n', 'max 100000\n', ''].map(quotaOf)).toEqual([2, 1, Infinity, Infinity])
})
