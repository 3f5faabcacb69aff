import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemClock, timeInName } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { dataFolder, factsFolder, keyProblem } from '../instance.ts'
import { configuredKeys, secretKeySource } from '../key-file.ts'
import { Keys } from '../secrets.ts'
import { timeOf } from '../newsletter/restore/completeness.ts'
import { settledText, settleRestored } from '../newsletter/restore/settle.ts'
import { nameAfter, recordUse, renameRestored } from '../newsletter/restore/use.ts'
import { withDatabaseFile } from '../store/backup.ts'
import { isBusy } from '../store/constraint.ts'
import { faultOf } from '../store/faults.ts'
import { reachOf } from '../store/fact-life.ts'
import { syncPath } from '../store/file-path.ts'
import { hasMigrations, pendingMigrations } from '../store/migrate.ts'
import type { Store } from '../store/open.ts'
import { placeOf } from '../store/place.ts'
import { projects as projectTable } from '../store/tables/accounts.ts'
import { alone } from './alone.ts'
import { command, Failure, UsageError, type CommandResult } from './command.ts'
import { databaseFile, noteMilestone } from './database.ts'
import { fetchBackup, placeFrom, privateKeys } from './fetch-backup.ts'
import { fetchFacts } from './fetch-facts.ts'
import { isNamed, migrationsFolder, noDatabase, withCopy } from './open.ts'
import { FACTS_ARE_COMPLETE } from './replay.ts'

export const restore = command({
  name: 'restore',
  summary: 'Replace the database by a backup. Stop the service first.',
  args: ['[FILE]'],
  flags: {
    from: { takes: 'PLACE', help: 'Fetch the backup from a folder, or from s3://BUCKET/PREFIX, in place of FILE.' },
    backup: { takes: 'NAME', help: 'The backup of --from. Default: the newest.' },
    identity: { takes: 'FILE', help: 'File with the private key (age) of an encrypted backup.' },
    force: { help: 'Replace an existing database. It is renamed, not deleted.' },
    'facts-are-complete': FACTS_ARE_COMPLETE,
    rehearse: { help: 'Try the backup on a copy and replace nothing. The service can keep running.' },
  },
  async run({ args: [given], flags, settings }) {
    const config = readConfig(settings)
    const database = databaseFile(config)
    const { from, backup, identity } = flags
    if ((given === undefined) === (from === undefined)) throw new UsageError('Name FILE, or a place with --from.')
    const file = given === undefined ? `${database}.fetched` : resolve(given)
    if (from === undefined && !existsSync(file)) throw new Failure(`The file ${file} does not exist.`)
    if (!existsSync(config.data_dir) && !isNamed(config)) throw noDatabase(database)
    dataFolder(config)
    if (existsSync(database) && !flags.force && !flags.rehearse)
      throw new Failure(`${database} already exists. Use --force to replace it; it is renamed, not deleted.`)
    const act = async (shown: string, before: () => Promise<unknown> = async () => null): Promise<CommandResult> => {
      const asked = { file, shown, database, config }
      if (flags.rehearse) return rehearse(asked)
      const taken_as_complete = flags['facts-are-complete']
      return alone(config, async () => (await before(), putBack({ ...asked, taken_as_complete })))
    }
    if (from === undefined) return act(file)
    try {
      const place = placeFrom(from, config)
      const shown = await fetchBackup(place, { from, backup, identity }, file)
      const since = await withDatabaseFile(file, timeOf).catch(() => null)
      const [folder, now, keys] = [factsFolder(config), systemClock.now(), () => privateKeys(identity)]
      return await act(shown, async () => {
        if (since !== null) await fetchFacts({ place, folder, since, now, keys })
      })
    } finally {
      removeDatabase(file)
    }
  },
})

interface Asked {
  /** The backup. */
  file: string
  /** How people find it, where it was fetched from another place. */
  shown: string
  database: string
  config: Config
}

interface PutBack extends Asked {
  /** Whether a person says that the facts are complete. */
  taken_as_complete: boolean
}

/** Replaces the database by the backup while no service runs on it. */
async function putBack({ file, shown, database, config, taken_as_complete }: PutBack): Promise<CommandResult> {
  const folder = factsFolder(config)
  const now = systemClock.now()
  const also = existsSync(database) ? await closeReplaced(database) : null

  const copy = `${database}.restoring`
  try {
    copyBackup(file, copy)
    const { pending, warning } = await checkBackup(copy, shown, config)
    const since = await withDatabaseFile(copy, timeOf)
    const { settled, named } = await withCopy({ path: copy, becomes: database }, config, async (store) => {
      const settled = await settleRestored(store, { folders: [folder], since, now, taken_as_complete, also })
      const named = nameAfter(folder, settled.set_aside === null, now)
      const beat = reachOf(folder)?.beat ?? 0
      // The copy keeps its place when it gets its name.
      await store.write((tx) => recordUse(tx, 'file', { folder: named, beat, place: placeOf(copy), now }))
      return { settled, named }
    })
    // Closing moved everything into the one file that is renamed.
    if (statSync(`${copy}-wal`, { throwIfNoEntry: false })?.size) throw new Failure(`${copy} is in use.`)
    const replaced = existsSync(database) ? linkAside(database) : null
    putInPlace(copy, database)
    await renameRestored(folder, named, now)
    return {
      text: [
        `Restored ${shown}.`,
        ...(replaced ? [`The previous database is now ${replaced}.`] : []),
        ...(pending.length > 0 ? ['The backup is from an earlier release. The missing migrations were applied.'] : []),
        ...settledText(settled),
        'All sessions have ended. Keys, apps, members and users that were removed after the backup are back.',
        ...(warning ? [warning] : []),
      ].join('\n'),
      data: { file: shown, database, replaced, pending_migrations: pending, ...settled },
    }
  } finally {
    removeDatabase(copy)
  }
}

/** Does with a copy of the backup what a restore does: checks it, applies the missing migrations and opens it. */
async function rehearse({ file, shown, database, config }: Asked): Promise<CommandResult> {
  const copy = `${database}.rehearsing`
  try {
    copyBackup(file, copy)
    const { pending, warning } = await checkBackup(copy, shown, config)
    const projects = await withCopy({ path: copy }, config, (store) => store.db.$count(projectTable))
    if (existsSync(database)) await noteMilestone(database, 'restore_rehearsal', file, shown)
    return {
      text: [
        `${shown} can be restored: it is whole and holds ${projects} projects.`,
        ...(pending.length > 0 ? [`It is from an earlier release: a restore applies ${pending.join(', ')}.`] : []),
        ...(warning ? [warning] : []),
        'Nothing was replaced.',
      ].join('\n'),
      data: { file: shown, projects, pending_migrations: pending, warning },
    }
  } finally {
    removeDatabase(copy)
  }
}

/** How long another process may hold the lock of the database that is replaced. */
const BUSY_TIMEOUT_MS = 1_000

/**
 * Throws a Failure unless the copy of a backup is an undamaged Masthead database. Works on the copy, because opening a
 * database can create files beside it. Returns the names of the migrations that the backup lacks, and a sentence about
 * secret keys that are missing.
 */
async function checkBackup(
  copy: string,
  shown: string,
  config: Config,
): Promise<{ pending: string[]; warning: string | null }> {
  const damaged = new Failure(`${shown} is damaged or is not a database.`)
  return withDatabaseFile(copy, async (query) => {
    const [check] = await query('PRAGMA integrity_check')
    if (check?.integrity_check !== 'ok') throw damaged
    if (!(await hasMigrations(query))) throw new Failure(`${shown} is not a Masthead database.`)
    const pending = await pendingMigrations(query, migrationsFolder)
    return { pending, warning: await keyWarning(query, shown, config) }
  }).catch((error: unknown) => {
    throw /SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code)) ? damaged : error
  })
}

/** Throws a Failure when the key ring cannot read the backup. */
async function keyWarning(query: Store['query'], shown: string, config: Config): Promise<string | null> {
  const masters = configuredKeys(config)
  if (masters.length === 0)
    return `Copy the secret key that the backup was made with to ${secretKeySource(config)} before the next start.`
  const problem = await keyProblem(query, new Keys(masters), config)
  if (problem?.is_fatal) throw new Failure(`${shown} cannot be used: ${problem.message}`)
  return problem?.message ?? null
}

/** As `closeDatabase`. One that is too damaged to be opened cannot tell its facts. */
async function closeReplaced(database: string): Promise<string | null> {
  try {
    return await closeDatabase(database)
  } catch (error) {
    if (faultOf(error) !== 'damaged') throw error
    return null
  }
}

/**
 * Throws a Failure when another process has the database open. Checkpoints the WAL: one file then holds everything.
 * Answers the folder of facts that it used last, if it can tell.
 */
async function closeDatabase(database: string): Promise<string | null> {
  const close = async (query: Store['query']): Promise<string | null> => {
    // Leaving WAL mode needs exclusive access to the file.
    await query('PRAGMA journal_mode=DELETE').catch((error: unknown) => {
      throw isBusy(error) ? new Failure('Another process has the database open. Stop it first.') : error
    })
    const rows = await query('SELECT id FROM fact_folders ORDER BY first_used_at DESC LIMIT 1').catch(() => [])
    return rows[0] ? String(rows[0].id) : null
  }
  return withDatabaseFile(database, close, BUSY_TIMEOUT_MS)
}

// The steps of a restore. After each of them, and after a kill in any of them, the name has a whole database.

export function copyBackup(file: string, copy: string): void {
  removeDatabase(copy)
  copyFileSync(file, copy)
  chmodSync(copy, 0o600)
}

/**
 * Gives a closed database a second name, which keeps it when the restored one takes the first. A damaged one may have a
 * write-ahead log that could not be moved into it.
 */
export function linkAside(database: string): string {
  const replaced = `${database}.replaced-${timeInName(systemClock.now())}`
  for (const suffix of ['', '-wal']) if (existsSync(database + suffix)) linkSync(database + suffix, replaced + suffix)
  return replaced
}

/** Replaces the database by the copy in one step. Files that SQLite left beside it would damage the new one. */
export function putInPlace(copy: string, database: string): void {
  syncPath(copy)
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(database + suffix, { force: true })
  renameSync(copy, database)
  syncPath(dirname(database))
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
