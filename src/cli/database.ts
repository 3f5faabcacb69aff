import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { databaseUrl } from '../instance.ts'
import { secretKeySource } from '../key-file.ts'
import { DatabaseConnection } from '../store/database-connection.ts'
import { filePath } from '../store/file-path.ts'
import type { Store } from '../store/open.ts'
import { command, Failure } from './command.ts'
import { withStore } from './open.ts'

export const migrateNow = command({
  name: 'migrate',
  summary: 'Apply pending migrations to the database. Every start of the service does this too.',
  run: ({ settings }) =>
    withStore(settings, async ({ migrated }) => ({
      text:
        migrated.applied.length === 0
          ? `The database is up to date at ${migrated.version}.`
          : `Applied ${migrated.applied.join(', ')}.`,
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

/** Copies to a temporary name first, so that an existing backup is always complete. */
async function copyDatabase(database: string, file: string): Promise<void> {
  const part = `${file}.part`
  rmSync(part, { force: true })
  try {
    await withDatabaseFile(database, (query) => query('VACUUM INTO ?', [part]))
    chmodSync(part, 0o600)
    renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
  }
}

/** Runs `work` on a database file as it is: without migrations, and without a change of its journal mode. */
export async function withDatabaseFile<T>(
  path: string,
  work: (query: Store['query']) => Promise<T>,
  busy_timeout_ms?: number,
): Promise<T> {
  const connection = new DatabaseConnection({ path, read_only: false, synchronous: 'FULL', busy_timeout_ms })
  try {
    return await work(async (sql, params) => connection.rows(sql, params))
  } finally {
    connection.close()
  }
}

/** The path of the database file. Throws a Failure for a libSQL server, which has its own backup tools. */
export function databaseFile(config: Config): string {
  const url = databaseUrl(config)
  if (!url.startsWith('file:'))
    throw new Failure('This command works only on a database file. Use the tools of the database server instead.')
  return resolve(filePath(url))
}
