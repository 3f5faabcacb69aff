import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'bun:test'
import { configOf } from '../src/config.ts'
import { openThreadStore } from '../src/thread-store.ts'
import { scratchFolder } from './support/folder.ts'

const folder = scratchFolder()

test.each([
  ['loops', 2],
  ['reads', 1],
] as const)('The thread of the %s commits with synchronous level %i.', async (part, level) => {
  const database_url = `file:${join(folder, `${part}.db`)}`
  const store = await openThreadStore({ part, config: configOf(), database_url, queue_memory: null })
  expect(await store.write((tx) => tx.all(sql`PRAGMA synchronous`))).toEqual([{ synchronous: level }])
  await store.close()
})
