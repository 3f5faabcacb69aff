import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createClient } from '@libsql/client'
import { type Config, environmentName, readConfig } from '../config.ts'
import { databaseUrl } from '../instance.ts'
import { filePath } from '../store/file-path.ts'
import { command, Failure } from './command.ts'
import { withStore } from './open.ts'

export const migrateNow = command({
  name: 'migrate',
  summary: 'Bring the database up to date; every start does that as well.',
  run: ({ settings }) =>
    withStore(settings, async ({ migrated }) => ({
      text:
        migrated.applied.length === 0
          ? `Up to date at ${migrated.version}.`
          : `Applied ${migrated.applied.join(', ')}.`,
      data: migrated,
    })),
})

export const backup = command({
  name: 'backup',
  summary: 'Copy the database to a new file, consistently, while the service may be running.',
  args: ['FILE'],
  async run({ args: [given], settings }) {
    const config = readConfig(settings)
    const database = databaseFile(config)
    if (!existsSync(database)) throw new Failure(`There is no database ${database}.`)
    const file = resolve(given)
    if (existsSync(file)) throw new Failure(`${file} exists. A backup goes to a new file.`)
    if (!existsSync(dirname(file))) throw new Failure(`There is no folder ${dirname(file)}.`)
    await copyDatabase(database, file)
    const kept = secretKeyPlace(config)
    return {
      text: `Copied the database to ${file} (${statSync(file).size} bytes).\nThe secret key is not in it, and without it sealed passwords and sent links are lost. Keep ${kept}, too.`,
      data: { file, size_bytes: statSync(file).size, secret_key: kept },
    }
  },
})

/** Copies under a name of its own first: a backup that is there is a whole one. */
async function copyDatabase(database: string, file: string): Promise<void> {
  const part = `${file}.part`
  rmSync(part, { force: true })
  const client = createClient({ url: `file:${database}`, timeout: 5000 })
  try {
    await client.execute({ sql: 'VACUUM INTO ?', args: [part] })
    chmodSync(part, 0o600)
    renameSync(part, file)
  } finally {
    client.close()
    rmSync(part, { force: true })
  }
}

/** The path of the embedded database; a database server has its own ways of backing up. */
export function databaseFile(config: Config): string {
  const url = databaseUrl(config)
  if (!url.startsWith('file:'))
    throw new Failure('This works on a database file. Use the tools of the database server instead.')
  return resolve(filePath(url))
}

/** Where the secret key is kept, in words that a person can follow. */
export function secretKeyPlace(config: Config): string {
  return config.secret_key !== '' ? environmentName('secret_key') : join(resolve(config.data_dir), 'secret.key')
}

export function secretKeyIsThere(config: Config): boolean {
  return config.secret_key !== '' || existsSync(secretKeyPlace(config))
}
