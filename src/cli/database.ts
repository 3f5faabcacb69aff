import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { databaseUrl } from '../instance.ts'
import { secretKeySource } from '../key-file.ts'
import { copyDatabase, withDatabaseFile } from '../store/backup.ts'
import { filePath } from '../store/file-path.ts'
import { jsonText } from '../store/json-text.ts'
import type { Milestone } from '../store/tables/operation.ts'
import { command, Failure } from './command.ts'
import { withStore } from './open.ts'

export const migrateNow = command({
  name: 'migrate',
  summary: 'Apply pending migrations to the database. Every start of the service does this too.',
  run: ({ settings }) =>
    withStore(settings, async ({ migrated }) => ({
      text: [
        migrated.applied.length === 0
          ? `The database is up to date at ${migrated.version}.`
          : `Applied ${migrated.applied.join(', ')}.`,
        ...(migrated.snapshot ? [`The state before that is in ${migrated.snapshot}.`] : []),
      ].join('\n'),
      data: migrated,
    })),
})

export const backup = command({
  name: 'backup',
  summary: 'Copy the database to a new file. The service can keep running.',
  args: ['FILE'],
  async run({ args: [given], settings }) {
    const config = readConfig(settings)
    const database = databaseFile(config)
    if (!existsSync(database)) throw new Failure(`The database ${database} does not exist.`)
    const file = resolve(given)
    if (existsSync(file)) throw new Failure(`${file} already exists. Choose a new file.`)
    if (!existsSync(dirname(file))) throw new Failure(`The folder ${dirname(file)} does not exist.`)
    await copyDatabase(database, file)
    await noteMilestone(database, 'backup', file)
    const secret_key = secretKeySource(config)
    return {
      text: [
        `Copied the database to ${file} (${statSync(file).size} bytes).`,
        `The backup does not contain the secret key. Without the key, stored credentials and sent links stop working.`,
        `Back up ${secret_key} too.`,
      ].join('\n'),
      data: { file, size_bytes: statSync(file).size, secret_key },
    }
  },
})

/**
 * Tells the operators of the service about a backup that was made or rehearsed. It says nothing to people, so it leaves
 * no row in the audit log. A database of an earlier release has no place for it.
 */
export async function noteMilestone(database: string, name: Milestone, file: string): Promise<void> {
  const row = [name, systemClock.now(), jsonText({ file, size_bytes: statSync(file).size })]
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
  return resolve(filePath(url))
}
