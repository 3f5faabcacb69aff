import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { folderDestination } from '../../src/backup/folder-destination.ts'
import { keptTimes } from '../../src/backup/kept.ts'
import { DAY_MS, HOUR_MS, iso } from '../../src/clock.ts'
import { scratchFolder } from '../cli/masthead.ts'

test('The last backup of 7 days, 4 weeks and 12 months is kept, and all of the last day.', () => {
  const now = Date.parse('2026-11-28T12:00:00Z')
  const nightly = Array.from({ length: 800 }, (_, days) => Date.parse('2026-11-28T03:12:00Z') - days * DAY_MS)
  const times = [...nightly, now - HOUR_MS, now - 2 * HOUR_MS]
  const keep = { backup_keep_daily: 7, backup_keep_weekly: 4, backup_keep_monthly: 12 }
  const kept = keptTimes(times, keep, now)
  expect([...kept].toSorted((one, other) => other - one).map((at) => iso(at).slice(0, 13))).toEqual([
    ...['2026-11-28T11', '2026-11-28T10', '2026-11-28T03', '2026-11-27T03', '2026-11-26T03', '2026-11-25T03'],
    ...['2026-11-24T03', '2026-11-23T03', '2026-11-22T03', '2026-11-15T03', '2026-11-08T03', '2026-10-31T03'],
    ...['2026-09-30T03', '2026-08-31T03', '2026-07-31T03', '2026-06-30T03', '2026-05-31T03', '2026-04-30T03'],
    ...['2026-03-31T03', '2026-02-28T03', '2026-01-31T03', '2025-12-31T03'],
  ])
})

test('A folder of backups may have other folders that the service cannot read, as a disk has.', async () => {
  const scratch = scratchFolder()
  const at = (name: string) => join(scratch.path, name)
  try {
    mkdirSync(at('lost+found'), { mode: 0 })
    mkdirSync(at('facts/fct_1'), { recursive: true })
    for (const name of ['masthead-2.db', 'masthead-1.db', 'facts/fct_1/FOLDER', 'notes.txt'])
      writeFileSync(at(name), '')
    const { list } = folderDestination(scratch.path)
    const names = async (prefix: string) => (await list(prefix)).map(({ name }) => name)
    expect(await names('masthead-')).toEqual(['masthead-1.db', 'masthead-2.db'])
    expect(await names('facts/')).toEqual(['facts/fct_1/FOLDER'])
    expect(await names('facts/fct')).toEqual(['facts/fct_1/FOLDER'])
  } finally {
    rmdirSync(at('lost+found'))
    scratch.remove()
  }
})
