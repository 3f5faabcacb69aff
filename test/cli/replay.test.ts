import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS, iso, systemClock } from '../../src/clock.ts'
import { Failure, UsageError } from '../../src/cli/command.ts'
import { factLine } from '../../src/newsletter/facts.ts'
import { timeOf } from '../../src/newsletter/restore/completeness.ts'
import { settledText, settleRestored } from '../../src/newsletter/restore/settle.ts'
import { addressKey, addressMark } from '../../src/store/address-key.ts'
import { factFolder } from '../../src/store/fact-folder.ts'
import { lifeLine } from '../../src/store/fact-life.ts'
import { dayPaths, openFactLog } from '../../src/store/facts.ts'
import { bootId } from '../../src/store/journal.ts'
import { ALIVE_MS } from '../../src/store/lease.ts'
import type { Store } from '../../src/store/open.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

type Settled = Awaited<ReturnType<typeof settleRestored>>

/** The facts of a folder that is in use end when its file was changed last. */
const SINCE = systemClock.now()
const NOTHING = { handed_over: 0, left: 0 }

const folder = scratchFolder()
let data: DataFolder
beforeAll(async () => {
  data = await dataFolder(join(folder, 'data'))
})

let made = 0
/** A folder of facts since a time, with these lines on the day of SINCE. */
function factsOf({ since = SINCE - 1, lines = [] as string[] } = {}): string {
  const path = join(folder, `facts-${++made}`)
  const log = openFactLog(path, since)
  log.append(SINCE, [begun('prc_0', bootId()!, 1), ...lines])
  void log.close()
  return path
}
const begun = (process_id: string, boot_id: string, beat: number) =>
  lifeLine({ at: SINCE, sign: 'begun', process_id, boot_id, beat })
const fileOf = (path: string) => dayPaths(path).at(-1)!
const idOf = (path: string) => factFolder(path)!.id
/** Which folders the database used, the last one first. */
const used = (...paths: string[]) =>
  data.withStore((store) =>
    store.write(async (tx) => {
      await tx.run('DELETE FROM fact_folders')
      for (const [age, path] of paths.entries())
        await tx.run(`INSERT INTO fact_folders (id, first_used_at) VALUES ('${idOf(path)}', ${SINCE - age})`)
    }),
  )
const settle = (folders: string[], kind: Store['kind'] = 'file'): Promise<Settled> =>
  data.withStore((store) =>
    settleRestored({ ...store, kind }, { folders, since: SINCE, now: SINCE, taken_as_complete: false }),
  )
const missing = async (...given: Parameters<typeof settle>) => (await settle(...given)).missing

describe('A restored database', () => {
  test('With all facts since the backup nothing is set aside.', async () => {
    const facts = factsOf({ since: SINCE })
    await used(facts)
    expect(await settle([facts])).toEqual({
      as_of: iso(SINCE),
      facts: NOTHING,
      reach: iso(SINCE),
      missing: null,
      set_aside: null,
    })
  })

  test('Without them people decide, and are told what is missing.', async () => {
    const [facts, other, late] = [factsOf(), factsOf(), factsOf({ since: SINCE + 1 })]
    const nowhere = join(folder, 'nowhere')
    await used()
    const reach = `They reach until ${iso(SINCE)}.`
    const theirs = (path: string) =>
      `The facts in ${path} are not those of the service that made the backup, or not all of them. ${reach}`
    expect(await missing([facts])).toBe(theirs(facts))
    await used(facts)
    expect(await missing([nowhere])).toBe(`There are no facts in ${nowhere}.`)
    expect(await missing([facts, nowhere])).toBe(`There are no facts in ${facts}, ${nowhere}.`)
    expect(await missing([other])).toBe(theirs(other))
    const copy = join(folder, 'copy')
    cpSync(facts, copy, { recursive: true })
    expect(await missing([copy])).toBe(`The facts in ${copy} are a copy, which may lack what followed. ${reach}`)
    expect(await missing([other, facts])).toBeNull()
    await used(late)
    const settled = await settle([late])
    expect([settled.missing, settled.set_aside]).toEqual([
      `The facts in ${late} begin after the backup. ${reach}`,
      { paused: 0, drafts: 0, held: 0 },
    ])
  })

  test('A database file has had one folder at a time, the processes on a server one each.', async () => {
    const [last, before] = [factsOf(), factsOf()]
    await used(last, before)
    expect([await missing([last]), await missing([last], 'server')]).toEqual([
      null,
      expect.stringContaining('or not all of them'),
    ])
    expect(await missing([before])).toContain('or not all of them')
    expect(await missing([before, last], 'server')).toBeNull()
  })

  test('A process of another boot that did not end its facts may have lost some.', async () => {
    const torn = factsOf({ lines: [begun('prc_1', 'another-boot', 2)] })
    await used(torn)
    expect(await missing([torn])).toStartWith(`The facts in ${torn} may lack the last second before a power cut.`)
    appendFileSync(fileOf(torn), `${iso(SINCE)} ended prc_1 another-boot 3\n`)
    expect(await missing([torn])).toBeNull()
  })

  test('Facts that an older copy was written over are not all, by what the backup knows or by the time.', async () => {
    const facts = factsOf()
    await used(facts)
    const knowing = (beat: number) =>
      data.withStore((store) => store.write((tx) => tx.run(`UPDATE fact_folders SET beat = ${beat}`)))
    await knowing(2)
    expect(await missing([facts])).toBeNull()
    await knowing(3)
    expect(await missing([facts])).toStartWith(`The facts in ${facts} end before the backup.`)
    await knowing(1)
    writeFileSync(fileOf(facts), `${iso(Date.now() - 20_000)} begun prc_0 ${bootId()!} 1\n`)
    expect(await missing([facts])).toStartWith(`The facts in ${facts} were changed after their last line`)
  })
})

test('A departure shortly before midnight is known to a backup that was made shortly after it.', async () => {
  const midnight = Date.UTC(2026, 0, 16)
  const path = join(folder, 'midnight')
  const [soon, early] = await data.withStore((store) =>
    store.write(async (tx) => {
      const key = await addressKey(tx, data.project_id)
      return ['soon', 'early'].map((name) => addressMark(key, `${name}@example.com`))
    }),
  )
  const log = openFactLog(path, midnight - DAY_MS)
  for (const [at, mark] of [
    [midnight - 45_000, early!],
    [midnight - 15_000, soon!],
  ] as const) {
    const known = { at, project: data.public_id, mark }
    log.append(at, [factLine({ ...known, what: 'suppressed', reason: 'complaint', opted_out: false })])
  }
  await log.close()
  await used(path)
  const settled = await data.withStore((store) =>
    settleRestored(store, { folders: [path], since: midnight + 30_000, now: SINCE, taken_as_complete: false }),
  )
  expect(settled.facts).toEqual({ handed_over: 0, left: 1 })
})

describe('The time of a backup', () => {
  const empty = 'DELETE FROM audit_log; DELETE FROM events; DELETE FROM workers'
  beforeEach(() => data.withStore((store) => store.write((tx) => tx.script(empty))))
  const timeAfter = (statement: string) =>
    data.withStore(async (store) => {
      await store.write((tx) => tx.script(statement))
      return timeOf(store.query)
    })

  test('The newest that it knows of counts, wherever that stands.', async () => {
    expect(await timeAfter('SELECT 1')).toBe(0)
    expect(
      await timeAfter(`
        INSERT INTO workers (id, host, pid, started_at, alive_until)
          VALUES ('a', 'h', 1, 0, ${SINCE + ALIVE_MS}), ('b', 'h', 2, 0, 1)`),
    ).toBe(SINCE)
    const at = (time: number) => `(${data.project_id}, 'open', ${time})`
    // The newest row counts, not the latest time: a clock may have been wrong for a while.
    const events = `INSERT INTO events (project_id, type, at) VALUES ${at(SINCE + 9)}, ${at(SINCE + 5)}`
    expect(await timeAfter(events)).toBe(SINCE + 5)
    const row = (time: number) => `(${time}, 'actor', 'action', 'done', '')`
    const rows = `INSERT INTO audit_log (at, actor, action, outcome, hash) VALUES ${row(SINCE + 9)}, ${row(SINCE + 7)}`
    expect(await timeAfter(rows)).toBe(SINCE + 7)
  })
})

test('The notes for people name every number, and only what happened.', () => {
  const settled: Settled = {
    as_of: '2026-01-15T09:00:00.000Z',
    facts: { handed_over: 3, left: 2 },
    reach: null,
    missing: null,
    set_aside: null,
  }
  const first =
    'The backup is of 2026-01-15T09:00:00.000Z. Facts since then: messages handed over: 3; ' +
    'people who left, complained or bounced: 2.'
  expect(settledText(settled)).toEqual([first])
  const why = 'There are no facts in facts.'
  const taken = 'They were taken as complete, because --facts-are-complete says so.'
  expect(settledText({ ...settled, missing: why })).toEqual([first, why, taken])
  expect(settledText({ ...settled, missing: why, set_aside: { paused: 4, drafts: 5, held: 6 } })).toEqual([
    first,
    why,
    'People decide: 4 campaigns are paused, 5 scheduled ones are drafts again, and the confirmations of 6 projects ' +
      'are held (confirmations_held of settings/update). If nothing was sent and nobody left since then, do the same ' +
      'again with --facts-are-complete: then nothing waits.',
  ])
})

test('The command replays the facts of the data folder or of those it is given, and needs a time.', async () => {
  const wrong = data.run('facts', 'replay', '--since', 'yesterday')
  await expect(wrong).rejects.toThrow('--since expects a time such as 2026-11-22T09:00:00Z.')
  await expect(wrong).rejects.toBeInstanceOf(UsageError)
  await expect(wrong).rejects.not.toBeInstanceOf(Failure)
  const since = new Date(Date.now() + 60_000).toISOString()
  await used(join(data.path, 'facts'))
  const own = await data.run('facts', 'replay', '--since', since)
  expect([own.data, own.text]).toMatchObject([
    { as_of: since, facts: NOTHING, set_aside: null },
    expect.stringContaining(`The backup is of ${since}.`),
  ])
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  const given = await data.run('facts', 'replay', '--since', since, '--folders', ` ${elsewhere} ,${folder}`)
  expect(given.data).toMatchObject({ missing: `There are no facts in ${elsewhere}, ${folder}.` })
})
