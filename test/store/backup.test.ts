import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { removeAbandonedParts } from '../../src/store/backup.ts'
import { scratchFolder } from '../support/folder.ts'

/** Holds the lock on a file that a copy holds while it is written. */
const WRITER = `
  import { Database } from 'bun:sqlite'
  const database = new Database(process.argv[1])
  database.run('BEGIN IMMEDIATE')
  console.log('begun')
  for await (const _ of Bun.stdin.stream());
  database.close()`

test('A copy that a process writes, or finished a moment ago, stays; others and their journals go.', async () => {
  const folder = scratchFolder()
  const left = () => {
    removeAbandonedParts(folder)
    return readdirSync(folder).toSorted()
  }
  const part = join(folder, 'a.db.masthead-0a1b2c3d.part')
  const [young, mine] = ['b.db.masthead-1.part', 'c.db.part']
  for (const name of [young, mine, 'd.db.masthead-7.part-journal']) writeFileSync(join(folder, name), '')
  const writer = Bun.spawn([process.execPath, '-e', WRITER, part], { stdin: 'pipe', stdout: 'pipe' })
  try {
    await writer.stdout.getReader().read()
    utimesSync(part, 0, 0)
    expect(left()).toEqual(['a.db.masthead-0a1b2c3d.part', 'a.db.masthead-0a1b2c3d.part-journal', young, mine])
  } finally {
    void writer.stdin.end()
    await writer.exited
  }
  utimesSync(part, 0, 0)
  expect(left()).toEqual([young, mine])
})
