import { Database } from 'bun:sqlite'
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { DAY_MS, FixedClock } from '../src/clock.ts'
import { isLeftOpen, keepChecked } from '../src/database-check.ts'
import { createLog } from '../src/log.ts'
import { migrationsFolder } from '../src/service.ts'
import { migrate } from '../src/store/migrate.ts'
import { reachedMilestones } from '../src/store/milestones.ts'
import { openStore } from '../src/store/open.ts'
import { scratchFolder } from './support/folder.ts'

const file = join(scratchFolder(), 'masthead.db')
const clock = new FixedClock(DAY_MS)
const open = () => openStore({ url: `file:${file}` })

/** Checks the database once and closes it: the worst fault, and when the last whole check was. */
async function checked() {
  const store = await open()
  const end = keepChecked({ store, clock, log: createLog('error', 'pretty', () => 0) }, true)
  const reached = async () => (await reachedMilestones(store.db)).database_check?.at ?? null
  while (store.faults.current() === null && (await reached()) !== clock.now()) await Bun.sleep(1)
  end()
  const found = [store.faults.current(), await reached()]
  await store.close()
  return found
}

test('Damage in a table or an index that nobody reads is found.', async () => {
  const store = await open()
  await migrate(store, migrationsFolder, clock)
  await store.close()
  expect(await checked()).toEqual([null, DAY_MS])

  const database = new Database(file)
  const [[page]] = database
    .query("SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'directory_items'")
    .values() as [[number]]
  database.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096)
  closeSync(descriptor)
  clock.advance(DAY_MS)
  expect(await checked()).toEqual(['damaged', DAY_MS])
})

test('A database was left open when a write-ahead log is beside it.', () => {
  const other = join(scratchFolder(), 'other.db')
  expect(isLeftOpen(other)).toBe(false)
  writeFileSync(`${other}-wal`, '')
  expect(isLeftOpen(other)).toBe(false)
  writeFileSync(`${other}-wal`, 'frames')
  expect(isLeftOpen(other)).toBe(true)
})
