import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { expect, test } from 'bun:test'
import { watchRevision } from '../../src/store/revision.ts'
import { scratchFolder } from '../support/folder.ts'

const nextTurn = () =>
  new Promise<void>((resume) => {
    setImmediate(resume)
  })

test('a revision is another one after each commit, and only then', async () => {
  const url = `file:${join(scratchFolder(), 'watched.db')}`
  const client = createClient({ url, timeout: 5000 })
  await client.execute('PRAGMA journal_mode=WAL')
  await client.execute('CREATE TABLE things (id INTEGER PRIMARY KEY) STRICT')
  const revision = watchRevision(url)
  const seen = [revision.now()]
  for (const statement of ['INSERT INTO things VALUES (1)', 'SELECT * FROM things', 'DELETE FROM things']) {
    await client.execute(statement)
    await nextTurn()
    seen.push(revision.now())
  }
  const [before, inserted, read, deleted] = seen
  expect(before).toBeNumber()
  expect([inserted === before, read === inserted, deleted === read]).toEqual([false, true, false])

  const transaction = await client.transaction('write')
  await transaction.execute('INSERT INTO things VALUES (2)')
  await nextTurn()
  expect(revision.now()).toBe(deleted!)
  await transaction.commit()
  await nextTurn()
  expect(revision.now()).not.toBe(deleted!)

  // Watching holds nothing open: the log can be brought into the database file.
  const { rows } = await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  expect(rows[0]!.busy).toBe(0)
  client.close()
  revision.close()
  await nextTurn()
  expect(revision.now()).toBeNull()
})

test('a database server cannot tell', () => {
  expect(watchRevision('http://127.0.0.1:1').now()).toBeNull()
})
