import { afterAll, expect, spyOn, test } from 'bun:test'
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR_MS, iso, systemClock } from '../../../src/clock.ts'
import { configOf } from '../../../src/config.ts'
import { beginHeartbeat } from '../../../src/facts-heartbeat.ts'
import { openFacts } from '../../../src/instance.ts'
import { settlePast } from '../../../src/newsletter/restore/at-start.ts'
import { migrationsFolder } from '../../../src/service.ts'
import { factFolder } from '../../../src/store/fact-folder.ts'
import { dayPaths, linesOf } from '../../../src/store/facts.ts'
import { ALIVE_MS } from '../../../src/store/lease.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { openStore, type Store } from '../../../src/store/open.ts'
import { scratchFolder } from '../../support/folder.ts'
import { startLibsqlServer } from '../../support/libsql-server.ts'

/** What a start makes of the facts that it finds (docs/operations.md#a-start-after-something-was-put-back). */

const scratch = scratchFolder()
const open: Store[] = []
afterAll(() => Promise.all(open.map((store) => store.close())))

let made = 0
/** An installation: a data folder, and what a start of it says. */
async function installation(database_url = '') {
  const data = join(scratch, `data-${++made}`)
  const config = configOf({ data_dir: data, database_url })
  const facts = openFacts(config, systemClock.now())
  const store = await openStore({ url: database_url || `file:${join(data, 'masthead.db')}`, facts })
  open.push(store)
  await migrate(store, migrationsFolder, systemClock)
  const start = async (taken_as_complete = false) => {
    const said: string[] = []
    const log = { warn: (message: string) => said.push(message) } as never
    await settlePast(store, { config, log, clock: systemClock, taken_as_complete })
    return said
  }
  /** A process that begins at a time, and ends by itself or not. */
  const live = async ({ at = systemClock.now(), ends = true } = {}) => {
    const heartbeat = await beginHeartbeat({ write: store.write, facts }, () => at)
    await heartbeat.beat()
    if (ends) await heartbeat.end()
  }
  const folder = join(data, 'facts')
  const run = (statement: string) => store.write((tx) => tx.script(statement))
  return { folder, store, start, live, run, id: () => factFolder(folder)!.id }
}

test('A start goes on after one that ended or was killed, and after an earlier release.', async () => {
  const { folder, start, live, run, id } = await installation()
  expect(await start()).toEqual([])
  const first = id()
  for (const ends of [true, false]) {
    await live({ ends })
    expect(await start()).toEqual([])
  }
  // An earlier release records no place and has no mark, and its lines have no number.
  for (const mark of readdirSync(folder)) if (mark.startsWith('REACHED')) rmSync(join(folder, mark))
  await run('DELETE FROM database_place; UPDATE fact_folders SET beat = 0')
  const name = join(folder, 'FOLDER')
  writeFileSync(name, `${readFileSync(name, 'utf8').split(' ').slice(0, 5).join(' ')}\n`)
  for (const path of dayPaths(folder)) writeFileSync(path, `${iso(systemClock.now())} begun prc_1 boot\n`)
  expect(factFolder(folder)!.place).toBeNull()
  expect(await start()).toEqual([])
  expect([id(), factFolder(folder)!.place]).toEqual([first, expect.any(String)])
})

test.each([
  ['have no end, an hour later', { at: systemClock.now() - HOUR_MS - 60_000, ends: false }, 'and have no end'],
  ['were changed an hour after their last line', { at: systemClock.now() - HOUR_MS - 60_000 }, 'were changed later'],
])('Facts that %s may have been put back.', async (_, life, why) => {
  const { start, live, id } = await installation()
  await start()
  await live(life)
  const before = id()
  expect(await start()).toEqual([expect.stringContaining(why)])
  expect(id()).not.toBe(before)
  await live()
  expect(await start()).toEqual([])
})

test.each([
  ['beside the mark of the later one', false],
  ['and the mark of the later one removed', true],
])('An earlier state that was written over database and facts lets people decide, %s.', async (_, removes) => {
  const { folder, start, live, run, id } = await installation()
  await start()
  await live()
  const early = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name)) }))
  await live()
  const before = id()
  if (removes) for (const name of readdirSync(folder)) if (name.startsWith('REACHED')) rmSync(join(folder, name))
  // As `cp` does, which keeps the files that it writes over.
  for (const { name, text } of early) writeFileSync(join(folder, name), text)
  await run('UPDATE fact_folders SET beat = beat - 3')
  expect(await start()).toEqual([expect.stringContaining('An earlier state was written over the facts')])
  expect(id()).not.toBe(before)
  await live()
  expect(await start()).toEqual([])
})

test('A database that is older than its facts is told by the number of their last line.', async () => {
  const { start, live, run, id } = await installation()
  await start()
  await live()
  const before = id()
  const alive_until = systemClock.now() + ALIVE_MS
  await run(`
    INSERT INTO workers (id, host, pid, started_at, alive_until) VALUES ('w', 'h', 1, 0, ${alive_until});
    UPDATE fact_folders SET beat = beat - 1`)
  expect(await start()).toEqual([expect.stringMatching(/^The database is older than its facts\. The backup is of /)])
  // Nothing was missing.
  expect(id()).toBe(before)
  expect(await start()).toEqual([])
})

test.each([
  ['an hour ago', HOUR_MS, 'UPDATE fact_folders SET beat = 1', 'older than its facts'],
  ['a moment ago', 1_000, "UPDATE database_place SET place = '1.1@'", 'was moved to another disk or machine'],
])('A row that is newer than a backup of %s hides no facts from the start.', async (_, ago_ms, put_back, why) => {
  const { start, live, run } = await installation()
  await start()
  const at = systemClock.now() - ago_ms
  await live({ at })
  // As a command, a migration or a replay that was cut off leaves it.
  await run(`
    INSERT INTO audit_log (at, actor, action, target, outcome, details, hash)
    VALUES (${systemClock.now()}, 'command line', 'contacts export', 'user:1', 'done', '{}', '');
    ${put_back}`)
  expect(await start()).toEqual([expect.stringContaining(`${why}. The backup is of ${iso(at)}.`)])
})

test('Facts that end before the database does are those of an earlier state.', async () => {
  const { folder, start, live } = await installation()
  await start()
  await live()
  const [path] = dayPaths(folder)
  const early = readFileSync(path!, 'utf8')
  await live()
  writeFileSync(path!, early)
  expect(await start()).toEqual([expect.stringContaining('end before the database does')])
})

test('Processes on a server have a folder each; one that was copied there goes on or begins anew.', async () => {
  const server = await startLibsqlServer()
  const [one, other] = [await installation(server.url), await installation(server.url)]
  for (const { start, live } of [one, other, one]) {
    expect(await start()).toEqual([])
    await live()
  }
  const copied = () => {
    const elsewhere = `${one.folder}-copy`
    cpSync(one.folder, elsewhere, { recursive: true })
    rmSync(one.folder, { recursive: true })
    cpSync(elsewhere, one.folder, { recursive: true })
    rmSync(elsewhere, { recursive: true })
  }
  const first = one.id()
  copied()
  expect(await one.start()).toEqual([])
  expect(one.id()).toBe(first)
  copied()
  await one.run(`UPDATE fact_folders SET beat = beat + 5 WHERE id = '${first}'`)
  expect(await one.start()).toEqual([])
  expect(one.id()).not.toBe(first)
  await other.run(`UPDATE fact_folders SET beat = 0 WHERE id = '${other.id()}'`)
  expect(await other.start()).toEqual([expect.stringContaining('or not all of them')])
  await Promise.all(open.splice(-2).map((store) => store.close()))
  await server.close()
})

test('A service says each minute that it lives, and where the audit log ends when that changed.', async () => {
  const { folder, store, start, run } = await installation()
  await start()
  const interval = spyOn(globalThis, 'setInterval')
  try {
    const facts = store.facts!
    const heartbeat = await beginHeartbeat({ write: store.write, facts }, () => systemClock.now())
    heartbeat.start({ error: (message: string) => expect(message).toBe('') } as never)
    const [say, every_ms] = interval.mock.calls.at(-1)! as unknown as [() => void, number]
    expect(every_ms).toBe(60_000)
    await run("INSERT INTO audit_chain VALUES (1, 7, 'hash', 0, '', '')")
    say()
    // After the write of the first one.
    await run('SELECT 1')
    say()
    await heartbeat.end()
    const said = [...linesOf(dayPaths(folder)[0]!)].map((line) => line.split(' ')[1])
    expect(said).toEqual(['begun', 'alive', 'audited', 'alive', 'ended'])
  } finally {
    interval.mockRestore()
  }
})

test('A line that a disk cut off hides no sign of life.', async () => {
  const { folder, start, live } = await installation()
  await start()
  await live()
  appendFileSync(dayPaths(folder)[0]!, '\ncut off')
  expect(await start()).toEqual([])
})
