import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { firstLine, masthead, scratchFolder, start } from './masthead.ts'

/** Who can read what Masthead writes (docs/operations.md#start). */

const scratch = scratchFolder()
const mask = process.umask(0)
afterAll(() => {
  process.umask(mask)
  scratch.remove()
})

/** Files and folders below a folder that others than their owner may use, with their modes. */
const open = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`)
    .filter((line) => !line.endsWith('00'))

test('Database, journal, key and backups are private in a folder that everybody can open, under umask 0.', async () => {
  const data = join(scratch.path, 'data')
  mkdirSync(data)
  chmodSync(data, 0o777)
  const service = start(scratch.path, ['serve', '--port', '0', '--log-level', 'error'])
  await firstLine(service)
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['masthead.db', 'masthead.db-shm', 'masthead.db-wal']))
  expect(open(data)).toEqual([])

  const backups = join(scratch.path, 'backups')
  mkdirSync(backups)
  const seen: string[] = []
  const watcher = watch(backups, () => seen.push(...open(backups)))
  expect(await masthead(scratch.path, ['backup', 'backups/kept.db'])).toMatchObject({ code: 0 })
  watcher.close()
  expect([seen, open(backups)]).toEqual([[], []])
  service.kill('SIGTERM')
  await service.exited
  expect(open(data)).toEqual([])
})
