import { existsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, resolve } from 'node:path'
import { iso, systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { databaseUrl, dataFolder } from '../instance.ts'
import { secretKeySource } from '../key-file.ts'
import { timeOf } from '../newsletter/restore/completeness.ts'
import { backupTask, partOf, removePart, withDatabaseFile } from '../store/backup.ts'
import { createFaults } from '../store/faults.ts'
import { filePath } from '../store/file-path.ts'
import { hasMigrations } from '../store/migrate.ts'
import { jsonText } from '../store/json-text.ts'
import type { Milestone } from '../store/tables/operation.ts'
import { command, Failure } from './command.ts'
import { noDatabase, withStore } from './open.ts'

export const migrateNow = command({
  name: 'migrate',
  summary: 'Apply pending migrations to the database. Every start of the service does this too.',
  run: ({ settings }) =>
    withStore(
      settings,
      async ({ migrated }) => ({
        text: [
          migrated.applied.length === 0
            ? `The database is up to date at ${migrated.version}.`
            : `Applied ${migrated.applied.join(', ')}.`,
          ...(migrated.snapshot ? [`The state before that is in ${migrated.snapshot}.`] : []),
        ].join('\n'),
        data: migrated,
      }),
      { makes: true, before_start: true },
    ),
})

export const backup = command({
  name: 'backup',
  summary: 'Copy the database to a new file. The service can keep running.',
  args: ['FILE'],
  async run({ args: [given], settings }) {
    const config = readConfig(settings)
    const database = databaseFile(config)
    if (!existsSync(database)) throw noDatabase(database)
    const file = resolve(given)
    if (existsSync(file)) throw new Failure(`${file} already exists. Choose a new file.`)
    if (!existsSync(dirname(file))) throw new Failure(`The folder ${dirname(file)} does not exist.`)
    await copyAside(config, database, file)
    await noteMilestone(database, 'backup', file)
    const secret_key = secretKeySource(config)
    const holds = await contentOf(file)
    return {
      text: [
        `Copied the database to ${file} (${statSync(file).size} bytes).`,
        `It holds ${contentText(holds)}.`,
        `The backup does not contain the secret key. Without the key, stored credentials and sent links stop working.`,
        `Back up ${secret_key} too.`,
      ].join('\n'),
      data: { file, size_bytes: statSync(file).size, holds, secret_key },
    }
  },
})

/**
 * Copies the database on a thread of its own: this one would not notice a signal. An interrupted copy leaves nothing.
 */
async function copyAside(config: Config, database: string, file: string): Promise<void> {
  const { heavyThreads, newThreads } = await import('../threads/start.ts')
  const threads = heavyThreads(newThreads, {
    config,
    base_url: '',
    database_url: `file:${database}`,
    native_module: null,
    queue_memory: null,
    faults_memory: createFaults().memory,
    clock_memory: null,
    scheduled: false,
  })
  const part = partOf(file)
  const interrupted = (signal: NodeJS.Signals): void => {
    removePart(part)
    process.exit(128 + constants.signals[signal])
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, interrupted)
  try {
    await threads.run(backupTask, { database, file, part })
  } finally {
    for (const signal of signals) process.off(signal, interrupted)
    await threads.close()
  }
}

interface Content {
  projects: number
  contacts: number
  users: number
  campaigns: number
  /** When the newest change in it was made; null when nothing is in it. */
  newest_at: string | null
}

/** Reads what a copy of the database contains, so that people notice a backup of the wrong database. */
async function contentOf(file: string): Promise<Content> {
  return withDatabaseFile(file, async (query) => {
    if (!(await hasMigrations(query))) throw new Failure(`${file} is a copy of something that Masthead did not make.`)
    const [counts] = await query(
      `SELECT (SELECT count(*) FROM projects WHERE deleted_at IS NULL) AS projects,
        (SELECT count(*) FROM contacts) AS contacts, (SELECT count(*) FROM users WHERE deleted_at IS NULL) AS users,
        (SELECT count(*) FROM campaigns WHERE deleted_at IS NULL) AS campaigns`,
    )
    const newest = await timeOf(query)
    return { ...(counts as unknown as Content), newest_at: newest === 0 ? null : iso(newest) }
  })
}

function contentText({ projects, contacts, users, campaigns, newest_at }: Content): string {
  const newest = newest_at === null ? 'no change yet' : `the newest change at ${newest_at}`
  return `${projects} projects, ${contacts} contacts, ${users} users and ${campaigns} campaigns, ${newest}`
}

/**
 * Tells the operators of the service about a backup that was made or rehearsed. It says nothing to people, so it leaves
 * no row in the audit log. A database of an earlier release has no place for it.
 * @param shown how people find the file, where it was fetched from another place
 */
export async function noteMilestone(
  database: string,
  name: Milestone,
  file: string,
  shown: string = file,
): Promise<void> {
  const row = [name, systemClock.now(), jsonText({ file: shown, size_bytes: statSync(file).size })]
  await withDatabaseFile(database, async (query) => {
    const tables = await query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'milestones'")
    if (tables.length === 0) return
    await query(
      `INSERT INTO milestones (name, at, details) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET at = excluded.at, details = excluded.details`,
      row,
    )
  })
}

/** The path of the database file. Throws a Failure for a libSQL server, which has its own backup tools. */
export function databaseFile(config: Config): string {
  const url = databaseUrl(config)
  if (!url.startsWith('file:'))
    throw new Failure('This command works only on a database file. Use the tools of the database server instead.')
  if (existsSync(config.data_dir)) dataFolder(config) // The native module of the database lies below it.
  return resolve(filePath(url))
}
