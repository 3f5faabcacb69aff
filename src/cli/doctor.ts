import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { baseUrlOf, baseUrlProblem } from '../base-url.ts'
import { firstLostRow } from '../audit/known-ends.ts'
import { verifyChain } from '../audit/verify.ts'
import { iso, systemClock } from '../clock.ts'
import { stateOf } from '../backup/state.ts'
import { type Config, readConfig } from '../config.ts'
import { factsFolder, keyProblem, recordedKeys, sandboxProblem } from '../instance.ts'
import { configuredKeys, keyFile, secretKeySource } from '../key-file.ts'
import { Keys } from '../secrets.ts'
import { reachedUntil } from '../newsletter/restore/completeness.ts'
import { comparePast } from '../newsletter/restore/doubt.ts'
import { withDatabaseFile } from '../store/backup.ts'
import { factFolder } from '../store/fact-folder.ts'
import { faultOf } from '../store/faults.ts'
import { factLines } from '../store/facts.ts'
import { milestonesOf } from '../store/milestones.ts'
import { pendingMigrations } from '../store/migrate.ts'
import type { Store } from '../store/open.ts'
import { openServerStore } from '../store/server-store.ts'
import { runningServer } from './alone.ts'
import { columns } from './columns.ts'
import { command } from './command.ts'
import { databaseFile } from './database.ts'
import { migrationsFolder } from './open.ts'

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
      ...(local ? [fileModesCheck(config, folder)] : []),
      database.secret_key,
      ...database.checks,
      ...(local ? [diskCheck(folder)] : []),
      ...sandboxCheck(config),
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

function sandboxCheck(config: Config): Check[] {
  const problem = sandboxProblem(config)
  return problem === null ? [] : [wrong('sandbox', problem)]
}

/** Database, WAL, keys and backups are for the owner only: those in the data folder and beside the database. */
function fileModesCheck(config: Config, folder: string): Check {
  const beside = isFileDatabase(config) ? filesBeside(databaseFile(config)) : []
  const open = [...new Set([...filesIn(folder), ...beside])].filter(
    (file) => (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077,
  )
  return open.length === 0
    ? well('file_modes', 'Database, keys and backups are private.')
    : wrong('file_modes', `Other users can read ${open.join(', ')}. Run chmod 600 ${open.join(' ')}.`)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))
}

/** The files of a database: WAL, parts and copies of it begin with its name. */
function filesBeside(database: string): string[] {
  const folder = dirname(database)
  return existsSync(folder) ? filesIn(folder).filter((file) => basename(file).startsWith(basename(database))) : []
}

const isFileDatabase = ({ database_url }: Config): boolean => database_url === '' || database_url.startsWith('file:')

/** @param query of the database; null when it does not exist or does not respond */
async function secretKeyCheck(config: Config, query: Store['query'] | null): Promise<Check> {
  const source = secretKeySource(config)
  const recorded = query === null ? [] : await recordedKeys(query)
  let masters: string[]
  try {
    masters = configuredKeys(config)
  } catch (error) {
    return wrong('secret_key', (error as Error).message)
  }
  if (masters.length === 0)
    return recorded.length === 0
      ? well('secret_key', 'The key will be created at the first start.')
      : wrong('secret_key', `${source} is missing, but the database needs the key it was made with.`)
  const problem = query === null ? null : await keyProblem(query, new Keys(masters), config)
  if (problem) return wrong('secret_key', problem.message)
  if (config.secret_key === '' && statSync(keyFile(config)).mode & 0o077)
    return wrong('secret_key', `Other users can read ${source}. Run chmod 600 ${source}.`)
  const previous = masters.length > 1 ? ` and ${masters.length - 1} previous` : ''
  return well('secret_key', `${source} holds the key${recorded.length === 0 ? '' : ' of the database'}${previous}.`)
}

interface DatabaseChecks {
  checks: Check[]
  server: number | null
  secret_key: Check
}

async function databaseChecks(config: Config, local: boolean): Promise<DatabaseChecks> {
  const isFile = isFileDatabase(config)
  const file = isFile && (local || config.database_url !== '') ? databaseFile(config) : null
  const without = async (check: Check): Promise<DatabaseChecks> => ({
    checks: [check],
    server: null,
    secret_key: await secretKeyCheck(config, null),
  })
  if (isFile && (file === null || !existsSync(file)))
    return without(well('database', 'The database will be created at the first start.'))
  try {
    return await (file === null
      ? inspectServer(config)
      : withDatabaseFile(file, async (query) => inspectDatabase(config, query, [await integrityCheck(query)])))
  } catch (error) {
    return without(wrong('database', `The database does not respond: ${(error as Error).message}`))
  }
}

async function inspectServer(config: Config): Promise<DatabaseChecks> {
  const server = await openServerStore({ url: config.database_url, auth_token: config.database_auth_token })
  try {
    return await inspectDatabase(config, server.query, [])
  } finally {
    await server.close()
  }
}

async function inspectDatabase(config: Config, query: Store['query'], integrity: Check[]): Promise<DatabaseChecks> {
  const migrations = await pendingMigrations(query, migrationsFolder).then(
    (pending) =>
      well(
        'migrations',
        pending.length === 0 ? 'All migrations are applied.' : `The next start applies: ${pending.join(', ')}.`,
      ),
    (error: unknown) => wrong('migrations', (error as Error).message),
  )
  return {
    checks: [
      well('database', 'The database responds.'),
      ...integrity,
      ...(await sizesCheck(query)),
      migrations,
      ...(await auditChecks(config, query)),
      ...(await baseUrlCheck(config, query)),
      ...(await factsCheck(config, query)),
      await backupsCheck(config, query),
    ],
    server: await runningServer(query),
    secret_key: await secretKeyCheck(config, query),
  }
}

/** The address in the links of messages, once a project has a connection that sends to recipients. */
async function baseUrlCheck(config: Config, query: Store['query']): Promise<Check[]> {
  const tables = await query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'connections'")
  if (tables.length === 0) return []
  const real = await query("SELECT 1 FROM connections WHERE provider <> 'sandbox' LIMIT 1")
  if (real.length === 0) return []
  const base_url = baseUrlOf(config)
  const problem = baseUrlProblem(base_url)
  return [problem === null ? well('base_url', `Messages link to ${base_url}.`) : wrong('base_url', problem)]
}

/** The chain of the audit log; without the secret key, which has a check of its own, only the rows. */
async function auditChecks(config: Config, query: Store['query']): Promise<Check[]> {
  const tables = await query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'audit_chain'")
  if (tables.length === 0) return []
  const { ok, message } = await verifyChain(query, ringOf(config))
  if (!ok) return [wrong('audit_log', message)]
  const lost = await firstLostRow(query, factLines(factsFolder(config), 0))
  if (lost === null) return [well('audit_log', message)]
  return [
    wrong(
      'audit_log',
      `The facts know row ${lost} of the audit log, and the database does not have it so: rows were removed or ` +
        `changed, or a database server was restored.`,
    ),
  ]
}

/** Whether a restore of this moment could rely on the facts (docs/operations.md#facts), and what a start would find. */
async function factsCheck(config: Config, query: Store['query']): Promise<Check[]> {
  const folder = factsFolder(config)
  const named = factFolder(folder)
  // A database that no service has used, or one of an earlier release, has recorded nothing.
  const [used] = await query('SELECT beat FROM fact_folders').catch(() => [])
  if (!used || named?.place === null) return []
  if (named === null) return [wrong('facts', `There are no facts in ${folder}. A restore could not rely on them.`)]
  const file = isFileDatabase(config) ? databaseFile(config) : null
  const found = { folder, file, now: systemClock.now(), is_machine_time: true }
  const { doubt } = await comparePast({ query, kind: file === null ? 'server' : 'file' }, found)
  if (doubt !== null)
    return [wrong('facts', `${doubt.why} The next start replays the facts, or lets people decide. See serve --help.`)]
  const reach = reachedUntil([folder])
  return [well('facts', `The facts are complete${reach === null ? '' : ` and reach until ${reach}`}.`)]
}

/** The backups that the service makes. Without a place for them they are somebody else's task. */
async function backupsCheck(config: Config, query: Store['query']): Promise<Check> {
  if (!isFileDatabase(config)) return well('backups', 'A libSQL server is backed up by its own tools.')
  const rows = await query('SELECT name, at, details FROM milestones').catch(() => [])
  const { is_scheduled, proven_at, warning } = stateOf(milestonesOf(rows), config, systemClock.now())
  const proven = proven_at === null ? '' : `Last proven ${iso(proven_at)}.`
  if (warning === null) return well('backups', proven)
  const message = [warning, proven].filter(Boolean).join(' ')
  return is_scheduled ? wrong('backups', message) : well('backups', message)
}

function ringOf(config: Config): Keys | null {
  try {
    const masters = configuredKeys(config)
    return masters.length === 0 ? null : new Keys(masters)
  } catch {
    return null
  }
}

async function integrityCheck(query: Store['query']): Promise<Check> {
  const rows = await query('PRAGMA quick_check').catch((error: unknown) => {
    if (faultOf(error) !== 'damaged') throw error
    return [{ quick_check: (error as Error).message }]
  })
  const [last] = await query("SELECT at FROM milestones WHERE name = 'database_check'").catch(() => [])
  const known = last ? ` The service found none at ${iso(Number(last.at))}.` : ''
  return rows.length === 1 && rows[0]!.quick_check === 'ok'
    ? well('integrity', `No damage found.${known}`)
    : wrong('integrity', `The database is damaged: ${String(rows[0]?.quick_check)}`)
}

/** The largest tables, indexes included, and what bounds them. Nothing where the database does not count its pages. */
async function sizesCheck(query: Store['query']): Promise<Check[]> {
  const rows = await query(`
    SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name
    WHERE d.aggregate = TRUE GROUP BY 1 ORDER BY 2 DESC LIMIT 5`).catch(() => [])
  if (rows.length === 0) return []
  const sizes = rows.map(({ name, bytes }) => `${String(name)} ${(Number(bytes) / 1024 / 1024).toFixed(1)} MB`)
  return [well('table_sizes', `The largest tables: ${sizes.join(', ')}. docs/security.md, "What grows", bounds each.`)]
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
