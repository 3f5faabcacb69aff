import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseConnection } from '../src/store/database-connection.ts'
import { firstLine, scratchFolder, start } from './cli/masthead.ts'

const scratch = scratchFolder()
afterAll(() => scratch.remove())

test('After SIGTERM the database file alone is complete.', async () => {
  const service = start(scratch.path, ['serve', '--port', '0', '--log-level', 'error'])
  await firstLine(service)
  const data = join(scratch.path, 'data')
  const log = join(data, 'masthead.db-wal')
  expect(statSync(log).size).toBeGreaterThan(0)
  service.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0)

  const copy = join(scratch.path, 'copy.db')
  copyFileSync(join(data, 'masthead.db'), copy)
  const connection = new DatabaseConnection({ path: copy, read_only: true, synchronous: 'NORMAL' })
  expect(connection.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  // What the service wrote last: its loops took their worker out of the table.
  expect(connection.values('SELECT count(*) FROM workers')).toEqual([[0]])
  expect(connection.values('SELECT count(*) FROM schema_migrations')[0]![0]).toBeGreaterThan(0)
  connection.close()
  expect(readdirSync(data)).toContain('secret.key')
})
