import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { readSecretKey, recordedKeyCheck, secretKeySource } from '../instance.ts'
import { Keys } from '../secrets.ts'
import { pendingMigrations } from '../store/migrate.ts'
import type { Store } from '../store/open.ts'
import { openServerStore } from '../store/server-store.ts'
import { columns } from './columns.ts'
import { command } from './command.ts'
import { databaseFile, withDatabaseFile } from './database.ts'
import { migrationsFolder } from './open.ts'
import { runningServer } from './restore.ts'

interface Check {
  name: string
  ok: boolean
  message: string
}

const DISK_SPACE_BYTES = 500 * 1024 * 1024

export const doctor = command({
  name: 'doctor',
  summary: 'Check the data folder, the database and the port, and report problems. Changes nothing.',
  async run({ settings }) {
    const config = readConfig(settings)
    const folder = resolve(config.data_dir)
    const local = existsSync(folder)
    const database = await databaseChecks(config, local)
    const checks = [
      local ? folderCheck(folder) : well('data_folder', `${folder} will be created at the first start.`),
      secretKeyCheck(config, database.key_check),
      ...database.checks,
      ...(local ? [diskCheck(folder)] : []),
      await portCheck(config, database.server),
    ]
    const ok = checks.every((check) => check.ok)
    return {
      code: ok ? 0 : 1,
      text: columns(checks.map((check) => [check.ok ? 'ok' : 'NOT OK', check.name, check.message])),
      data: { ok, checks },
    }
  },
})

const well = (name: string, message: string): Check => ({ name, ok: true, message })
const wrong = (name: string, message: string): Check => ({ name, ok: false, message })

function folderCheck(folder: string): Check {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return wrong('data_folder', `This user cannot write to ${folder}.`)
  }
  return statSync(folder).mode & 0o007
    ? wrong('data_folder', `Every user of this machine can open ${folder}. Run chmod 700 ${folder}.`)
    : well('data_folder', `${folder} is private and writable.`)
}

/** @param recorded the check value in the database; null without one */
function secretKeyCheck(config: Config, recorded: string | null): Check {
  const source = secretKeySource(config)
  let key: string | null
  try {
    key = config.secret_key || readSecretKey(config)
  } catch (error) {
    return wrong('secret_key', (error as Error).message)
  }
  if (key === null)
    return recorded === null
      ? well('secret_key', 'The key will be created at the first start.')
      : wrong('secret_key', `${source} is missing, but the database needs the key it was made with.`)
  if (recorded !== null && new Keys(key).checkValue() !== recorded)
    return wrong('secret_key', `${source} is not the secret key that the database was made with.`)
  if (config.secret_key === '' && statSync(source).mode & 0o077)
    return wrong('secret_key', `Other users can read ${source}. Run chmod 600 ${source}.`)
  return well('secret_key', `${source} ${recorded === null ? 'holds a key' : 'holds the key of the database'}.`)
}

interface DatabaseChecks {
  checks: Check[]
  server: number | null
  key_check: string | null
}

async function databaseChecks(config: Config, local: boolean): Promise<DatabaseChecks> {
  const { database_url } = config
  const isFile = database_url === '' || database_url.startsWith('file:')
  const file = isFile && (local || database_url !== '') ? databaseFile(config) : null
  if (isFile && (file === null || !existsSync(file))) {
    const checks = [well('database', 'The database will be created at the first start.')]
    return { checks, server: null, key_check: null }
  }
  try {
    return await (file === null
      ? inspectServer(config)
      : withDatabaseFile(file, async (query) => inspectDatabase(query, [await integrityCheck(query)])))
  } catch (error) {
    const checks = [wrong('database', `The database does not respond: ${(error as Error).message}`)]
    return { checks, server: null, key_check: null }
  }
}

async function inspectServer({ database_url: url, database_auth_token: auth_token }: Config): Promise<DatabaseChecks> {
  const server = await openServerStore({ url, auth_token })
  try {
    return await inspectDatabase(server.query, [])
  } finally {
    await server.close()
  }
}

async function inspectDatabase(query: Store['query'], integrity: Check[]): Promise<DatabaseChecks> {
  const migrations = await pendingMigrations(query, migrationsFolder).then(
    (pending) =>
      well(
        'migrations',
        pending.length === 0 ? 'All migrations are applied.' : `The next start applies: ${pending.join(', ')}.`,
      ),
    (error: unknown) => wrong('migrations', (error as Error).message),
  )
  return {
    checks: [well('database', 'The database responds.'), ...integrity, migrations],
    server: await runningServer(query),
    key_check: await recordedKeyCheck(query),
  }
}

async function integrityCheck(query: Store['query']): Promise<Check> {
  const rows = await query('PRAGMA quick_check')
  return rows.length === 1 && rows[0]!.quick_check === 'ok'
    ? well('integrity', 'No damage found.')
    : wrong('integrity', `The database is damaged: ${String(rows[0]?.quick_check)}`)
}

function diskCheck(folder: string): Check {
  const { bavail, bsize } = statfsSync(folder)
  const free = `${Math.floor((bavail * bsize) / 1024 / 1024)} MB free.`
  return bavail * bsize < DISK_SPACE_BYTES ? wrong('disk_space', free) : well('disk_space', free)
}

/** Listens briefly on the configured host and port. */
async function portCheck(config: Config, server: number | null): Promise<Check> {
  if (config.port === 0) return well('port', 'The service picks a free port.')
  try {
    Bun.listen({ hostname: config.host, port: config.port, socket: { data: () => undefined } }).stop(true)
    return well('port', `Port ${config.port} on ${config.host} is free.`)
  } catch (error) {
    if (server !== null)
      return well('port', `Port ${config.port} is used by a service on this database (process ${server}).`)
    return wrong('port', `Cannot listen on port ${config.port} of ${config.host}: ${(error as Error).message}`)
  }
}
