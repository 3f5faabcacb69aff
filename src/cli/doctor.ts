import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { type Config, environmentName, readConfig } from '../config.ts'
import { databaseUrl } from '../instance.ts'
import { pendingMigrations } from '../store/migrate.ts'
import { columns } from './columns.ts'
import { command } from './command.ts'
import { databaseFile } from './database.ts'
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
  summary: 'Look at the data folder, the database and the port, and say what is wrong. Changes nothing.',
  async run({ settings }) {
    const config = readConfig(settings)
    const folder = resolve(config.data_dir)
    const local = existsSync(folder)
    const database = await databaseChecks(config, local)
    const checks = [
      local ? folderCheck(folder) : well('data_folder', `${folder} will be made at the first start.`),
      secretKeyCheck(config, folder),
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
    return wrong('data_folder', `${folder} cannot be written by this user.`)
  }
  return statSync(folder).mode & 0o007
    ? wrong('data_folder', `${folder} is open to every user of this machine: chmod 700.`)
    : well('data_folder', `${folder} can be written.`)
}

function secretKeyCheck(config: Config, folder: string): Check {
  const file = join(folder, 'secret.key')
  if (config.secret_key !== '')
    return well('secret_key', `It comes from ${environmentName('secret_key')} or the settings.`)
  if (!existsSync(file))
    return existsSync(join(folder, 'masthead.db'))
      ? wrong('secret_key', `${file} is missing beside a database: sealed passwords and sent links need it.`)
      : well('secret_key', 'It will be made at the first start.')
  if (statSync(file).mode & 0o077) return wrong('secret_key', `${file} can be read by other users: chmod 600.`)
  return Buffer.byteLength(readFileSync(file, 'utf8').trim()) < 32
    ? wrong('secret_key', `${file} does not hold a secret key.`)
    : well('secret_key', `${file} is there and private.`)
}

async function databaseChecks(config: Config, local: boolean): Promise<{ checks: Check[]; server: number | null }> {
  const file = config.database_url === '' && !local ? null : fileOf(config)
  if (file !== undefined && (file === null || !existsSync(file))) {
    return { checks: [well('database', 'It will be made at the first start.')], server: null }
  }
  try {
    return await lookInside(config, file !== undefined)
  } catch (error) {
    return { checks: [wrong('database', `It does not answer: ${(error as Error).message}`)], server: null }
  }
}

async function lookInside(config: Config, isFile: boolean): Promise<{ checks: Check[]; server: number | null }> {
  const client = createClient({
    url: databaseUrl(config),
    authToken: config.database_auth_token || undefined,
    ...(isFile ? { timeout: 5000 } : {}),
  })
  try {
    await client.execute('SELECT 1')
    const integrity = isFile ? [await integrityCheck(client)] : []
    const migrations = await pendingMigrations(client, migrationsFolder).then(
      (pending) =>
        well(
          'migrations',
          pending.length === 0 ? 'Up to date.' : `To be applied at the next start: ${pending.join(', ')}.`,
        ),
      (error: unknown) => wrong('migrations', (error as Error).message),
    )
    return { checks: [well('database', 'It answers.'), ...integrity, migrations], server: await runningServer(client) }
  } finally {
    client.close()
  }
}

async function integrityCheck(client: Client): Promise<Check> {
  const { rows } = await client.execute('PRAGMA quick_check')
  return rows.length === 1 && rows[0]![0] === 'ok'
    ? well('integrity', 'No damage found.')
    : wrong('integrity', `Damaged: ${String(rows[0]?.[0])}`)
}

/** The path of an embedded database; undefined for a server. */
function fileOf(config: Config): string | undefined {
  return config.database_url === '' || config.database_url.startsWith('file:') ? databaseFile(config) : undefined
}

function diskCheck(folder: string): Check {
  const { bavail, bsize } = statfsSync(folder)
  const free = `${Math.floor((bavail * bsize) / 1024 / 1024)} MB are free.`
  return bavail * bsize < DISK_SPACE_BYTES ? wrong('disk_space', free) : well('disk_space', free)
}

/** Listens for a moment where the service would. */
async function portCheck(config: Config, server: number | null): Promise<Check> {
  if (config.port === 0) return well('port', 'A free one is picked.')
  try {
    Bun.listen({ hostname: config.host, port: config.port, socket: { data: () => undefined } }).stop(true)
    return well('port', `${config.port} on ${config.host} is free.`)
  } catch (error) {
    if (server !== null)
      return well('port', `${config.port} is in use; a service is running on this database (process ${server}).`)
    return wrong('port', `${config.port} on ${config.host} cannot be used: ${(error as Error).message}`)
  }
}
