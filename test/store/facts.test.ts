import { afterAll, expect, spyOn, test } from 'bun:test'
import fs, { appendFileSync, cpSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { factFolder, isLive, renameFolder } from '../../src/store/fact-folder.ts'
import { restoredLine } from '../../src/audit/known-ends.ts'
import { changedAfter_ms, isTorn, lifeLine, type LifeSign, reachOf } from '../../src/store/fact-life.ts'
import { factLines, openFactLog, removeOldFacts } from '../../src/store/facts.ts'
import { isSamePlace, placeOf } from '../../src/store/place.ts'
import { scratchFolder } from '../support/folder.ts'

const scratch = scratchFolder()
const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 15, 9)
const logs: { close(): Promise<void> }[] = []
const open = (name: string, now = START) => {
  const log = openFactLog(join(scratch, name), now)
  logs.push(log)
  return log
}
const lines = (name: string, since = START) => [...factLines(join(scratch, name), since)]
afterAll(() => Promise.all(logs.map((log) => log.close())))

test('Facts of several processes stand in one file a day, in the order in which they were appended.', () => {
  const [one, other] = [open('days'), open('days', START + DAY_MS)]
  expect(one.folder_id).toBe(other.folder_id)
  one.append(START, ['first', 'second'])
  other.append(START, ['third'])
  one.append(START + DAY_MS, ['fourth'])
  expect(lines('days')).toEqual(['first', 'second', 'third', 'fourth'])
  expect(lines('days', START + DAY_MS)).toEqual(['fourth'])
  expect(readdirSync(join(scratch, 'days')).toSorted()).toEqual(['2026-01-15.log', '2026-01-16.log', 'FOLDER'])
  expect(statSync(join(scratch, 'days', '2026-01-15.log')).mode & 0o777).toBe(0o600)
  expect(statSync(join(scratch, 'days')).mode & 0o777).toBe(0o700)
})

test('A line without its end is no fact.', () => {
  open('cut').append(START, ['whole'])
  appendFileSync(join(scratch, 'cut', '2026-01-15.log'), 'cut of')
  expect(lines('cut')).toEqual(['whole'])
})

test('Facts are put on the disk within a second, those of that time together, and before the file is left.', () => {
  const timers = spyOn(globalThis, 'setTimeout').mockImplementation((() => ({ unref: () => undefined })) as never)
  const soon = spyOn(fs, 'fdatasync').mockImplementation((() => undefined) as never)
  const now = spyOn(fs, 'fdatasyncSync').mockReturnValue(undefined)
  try {
    const log = open('synced')
    log.append(START, ['first'])
    log.append(START, ['second'])
    expect(timers).toHaveBeenCalledTimes(1)
    const [work, after_ms] = timers.mock.calls[0] as unknown as [() => void, number]
    expect([after_ms < 1_000, soon.mock.calls.length]).toEqual([true, 0])
    work()
    expect(soon).toHaveBeenCalledTimes(1)
    log.append(START, ['third'])
    expect([timers.mock.calls.length, now.mock.calls.length]).toEqual([2, 0])
    log.append(START + DAY_MS, ['fourth'])
    expect(now).toHaveBeenCalledTimes(1)
  } finally {
    for (const spied of [timers, soon, now]) spied.mockRestore()
  }
})

test('A fact that a full disk cut off is an error of its writer, and the next one stands on a line of its own.', () => {
  const log = open('full')
  log.append(START, ['whole'])
  const { writeSync } = fs
  const full = spyOn(fs, 'writeSync').mockImplementationOnce(((descriptor: number, bytes: Buffer) =>
    writeSync(descriptor, bytes.subarray(0, 3))) as never)
  expect(() => log.append(START, ['cut off'])).toThrow('cannot be written')
  full.mockRestore()
  log.append(START, ['next'])
  log.append(START, ['last'])
  expect(lines('full')).toEqual(['whole', 'cut', 'next', 'last'])
})

test('The lines of a long file are all read, wherever a piece of it ends.', () => {
  const all = Array.from({ length: 30_000 }, (_, index) => `${index} ${'x'.repeat(80)}`)
  open('pieces').append(START, all)
  expect(Bun.deepEquals(lines('pieces'), all)).toBe(true)
})

test('Old files are removed, and the folder says since when it has all facts.', () => {
  const log = open('old')
  for (const days of [0, 1, 2]) log.append(START + days * DAY_MS, [`day ${days}`])
  removeOldFacts(join(scratch, 'old'), START + 2 * DAY_MS)
  expect(lines('old')).toEqual(['day 2'])
  const place = placeOf(join(scratch, 'old'))
  expect(factFolder(join(scratch, 'old'))).toEqual({ id: log.folder_id, since: Date.UTC(2026, 0, 17), place })
  expect(factFolder(join(scratch, 'missing'))).toBeNull()
})

const life = (sign: LifeSign, process_id: string, boot_id: string, more: { at?: number; beat?: number } = {}) =>
  lifeLine({ at: START, beat: 1, sign, process_id, boot_id, ...more })

test('Facts are torn when a process of another boot did not end them, unless another began since.', () => {
  const begun = life('begun', 'prc_1', 'boot-one')
  const again = life('begun', 'prc_2', 'boot-two', { at: START + DAY_MS })
  expect(isTorn([begun], START, 'boot-one')).toBe(false)
  expect(isTorn([begun, life('alive', 'prc_1', 'boot-one')], START, 'boot-two')).toBe(true)
  expect(isTorn([begun, life('ended', 'prc_1', 'boot-one')], START, 'boot-two')).toBe(false)
  expect([START + DAY_MS, START].map((since) => isTorn([begun, again], since, 'boot-two'))).toEqual([false, true])
  expect(isTorn(['2026-01-15T09:00:00.000Z begun prc_3 boot-one'], START, 'boot-two')).toBe(true)
})

test('Facts reach until the last sign of life, however many lines follow it.', () => {
  const log = open('reach')
  expect(reachOf(join(scratch, 'reach'))).toBeNull()
  log.append(START, [life('begun', 'prc_1', 'boot'), life('alive', 'prc_1', 'boot', { at: START + 60_000, beat: 2 })])
  log.append(
    START,
    Array.from({ length: 60_000 }, () => `2026-01-15T09:02:00.000Z left ${'x'.repeat(80)}`),
  )
  // A process that lives has all facts until its last one.
  expect(reachOf(join(scratch, 'reach'))).toEqual({ at: START + 120_000, beat: 2, is_ended: false })
  log.append(START + DAY_MS, ['2026-01-16T09:00:00.000Z left'])
  log.append(START + DAY_MS, [life('ended', 'prc_1', 'boot', { at: START + DAY_MS, beat: 3 })])
  log.append(START + DAY_MS, ['2026-01-16T10:00:00.000Z left'])
  expect(reachOf(join(scratch, 'reach'))).toEqual({ at: START + DAY_MS, beat: 3, is_ended: true })
  // A restore that follows a process without an end.
  log.append(START + DAY_MS, [life('alive', 'prc_2', 'boot', { at: START + DAY_MS, beat: 4 })])
  log.append(START + DAY_MS, [restoredLine(START + DAY_MS + 1)])
  expect(reachOf(join(scratch, 'reach'))).toEqual({ at: START + DAY_MS + 1, beat: 4, is_ended: true })
  // The file was written now.
  expect(changedAfter_ms(join(scratch, 'reach'))).toBeGreaterThan(DAY_MS)
})

test('A folder is live where it was named, also under another name; its copy is not until it is named anew.', () => {
  const [folder, moved, copy] = [join(scratch, 'place'), join(scratch, 'moved'), join(scratch, 'copy')]
  open('place')
  expect(isLive(folder)).toBe(true)
  cpSync(folder, copy, { recursive: true })
  renameSync(folder, moved)
  expect([isLive(moved), isLive(copy), isLive(folder)]).toEqual([true, false, false])
  renameFolder(copy, { id: 'fct_2', since: START })
  expect([isLive(copy), factFolder(copy)]).toEqual([true, { id: 'fct_2', since: START, place: placeOf(copy) }])
})

test('A place on a disk that moved to another machine is another one; a machine that is not known may be any.', () => {
  const [here, there, anywhere] = [placeOf(scratch, 'one')!, placeOf(scratch, 'other')!, placeOf(scratch, null)!]
  expect([isSamePlace(here, here), isSamePlace(here, there)]).toEqual([true, false])
  expect([isSamePlace(here, anywhere), isSamePlace(anywhere, there)]).toEqual([true, true])
  expect(placeOf(join(scratch, 'nowhere'), 'one')).toBeNull()
})

test('A folder without its name, or with another text in its place, is no folder of facts.', () => {
  const folder = join(scratch, 'named')
  mkdirSync(folder)
  const named = (text: string) => {
    writeFileSync(join(folder, 'FOLDER'), text)
    return factFolder(folder)
  }
  const at = '2026-01-15T09:00:00.000Z'
  expect(factFolder(folder)).toBeNull()
  for (const text of [
    '',
    `facts 1 fct_1 ${at}`,
    'masthead facts 1 fct_1 yesterday',
    'masthead facts 1 fct_1',
    `masthead facts 1  ${at}`,
  ])
    expect([text, named(text)]).toEqual([text, null])
  expect(named(`masthead facts 1 fct_1 ${at}\n`)).toEqual({ id: 'fct_1', since: START, place: null })
})
