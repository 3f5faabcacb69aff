import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { auditedStore, type Origin } from '../audit/record.ts'
import { type Clock, systemClock } from '../clock.ts'
import { type Config, ConfigError, readConfig, sourceOf } from '../config.ts'
import {
  dataFolder,
  databaseUrl,
  factsFolder,
  keysOf,
  openFacts,
  openKeys,
  recordFactFolder,
  SecretKeyError,
} from '../instance.ts'
import { configuredKeys } from '../key-file.ts'
import { root } from '../root.ts'
import type { Keys } from '../secrets.ts'
import { comparePast } from '../newsletter/restore/doubt.ts'
import { reachOf } from '../store/fact-life.ts'
import { filePath } from '../store/file-path.ts'
import { migrate } from '../store/migrate.ts'
import { openStore, type Store } from '../store/open.ts'
import { upgrade, type UpgradeReport } from '../store/upgrade.ts'
import { Failure, type GivenSettings } from './command.ts'

export const migrationsFolder = join(root, 'migrations')

export interface Opened {
  config: Config
  /** Its writes leave rows of the command in the audit log. */
  store: Store
  keys: Keys
  /** As `store`, for the work of a loop: its writes leave only the rows that they note. */
  loop_store: Store
  clock: Clock
  migrated: UpgradeReport
}

/** Applies pending migrations and tells of the snapshot on standard error. */
function upgraded(store: Store, url: string, beside?: string): Promise<UpgradeReport> {
  const say = (message: string, fields: Record<string, string>) =>
    void process.stderr.write(`masthead: ${message} (${Object.values(fields).join('; ')})\n`)
  return upgrade(store, { folder: migrationsFolder, clock: systemClock, url, say, ...(beside && { beside }) })
}

/**
 * Opens a copy of a database, which appends no facts, and applies pending migrations. Its writes leave rows in the
 * audit log when there is a key to sign them.
 * @param copy with the database that it becomes, which gets the snapshot of an older copy; without it, it is a trial
 */
export async function withCopy<T>(
  { path, becomes }: { path: string; becomes?: string },
  config: Config,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const url = `file:${path}`
  const store = await openStore({ url })
  try {
    if (becomes === undefined) await migrate(store, migrationsFolder, systemClock)
    else await upgraded(store, url, becomes)
    if (configuredKeys(config).length === 0) return await work(store)
    const keys = keysOf(config)
    const origin = (): Origin => ({ ...COMMAND_LINE, keys, at: systemClock.now(), action: 'restore' })
    return await work(auditedStore(store, origin, true))
  } finally {
    await store.close()
  }
}

const COMMAND_LINE = { actor: 'command line', ip: null, request_id: null }

/** A database without its keys. */
export type OpenedStore = Pick<Opened, 'config' | 'store' | 'clock'>

interface Permitted {
  /** Whether the command may make the database, in a folder that a flag or setting names. */
  makes?: boolean
  /**
   * Whether the command may run on a database or facts that somebody put back, before the start that settles them: it
   * only reads, or it is needed for that start.
   */
  before_start?: boolean
}

/**
 * Opens the configured database, applies pending migrations, runs `work` and closes the database. Throws a Failure for
 * a database file that does not exist, because in a wrong working folder a command would do its work on an empty one,
 * and for one that was put back and not started since, unless the command is permitted there.
 */
export async function withStore<T>(
  settings: GivenSettings,
  work: (opened: Opened) => Promise<T>,
  permitted: Permitted = {},
): Promise<T> {
  return withMigrated(settings, permitted, async (opened) => {
    const keys = await openKeys(opened.config, opened.store, systemClock.now())
    return work(withAudit(settings, opened, keys))
  })
}

/** As `withStore`, for a command that only reads: it may run before the start that a database needs. */
export function withStoreToRead<T>(settings: GivenSettings, work: (opened: Opened) => Promise<T>): Promise<T> {
  return withStore(settings, work, { before_start: true })
}

/** As `withStore`, for what needs no key: a lost key must not lock people in. Without it no row is in the audit log. */
export async function withReadableStore<T>(
  settings: GivenSettings,
  work: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  return withMigrated(settings, { before_start: true }, async (opened) => {
    const keys = await openKeys(opened.config, opened.store, systemClock.now()).catch((error: unknown) => {
      if (!(error instanceof SecretKeyError) && !(error instanceof ConfigError)) throw error
      process.stderr.write(`masthead: ${error.message} This goes on without it, and leaves no row in the audit log.\n`)
      return null
    })
    return work(keys === null ? opened : withAudit(settings, opened, keys))
  })
}

/** As `withStore`, with the store itself, whose keys are lost. */
export async function withStoreAlone<T>(
  settings: GivenSettings,
  work: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  return withMigrated(settings, { before_start: true }, work)
}

/** The same database with writes that leave rows in the audit log, which these keys sign. */
export function withAudit<Given extends OpenedStore>(
  settings: GivenSettings,
  opened: Given,
  keys: Keys,
): Given & Pick<Opened, 'keys' | 'loop_store'> {
  const origin = (): Origin => ({ ...COMMAND_LINE, keys, at: systemClock.now(), action: settings.command ?? 'command' })
  const { store } = opened
  return { ...opened, store: auditedStore(store, origin, true), loop_store: auditedStore(store, origin, false), keys }
}

type Migrated = OpenedStore & Pick<Opened, 'migrated'>

async function withMigrated<T>(
  settings: GivenSettings,
  { makes = false, before_start = false }: Permitted,
  work: (opened: Migrated) => Promise<T>,
): Promise<T> {
  const config = readConfig(settings)
  const file = fileOf(config)
  if (file !== null && !existsSync(file)) {
    if (!makes || !isNamed(config)) throw noDatabase(file)
    if (reachOf(factsFolder(config)) !== null) throw lostDatabase(file, config)
  }
  dataFolder(config) // The native module of the database lies below it.
  const store = await openStore({
    url: databaseUrl(config),
    auth_token: config.database_auth_token,
    facts: openFacts(config, systemClock.now()),
  })
  try {
    const migrated = await upgraded(store, databaseUrl(config))
    const now = systemClock.now()
    const { doubt } = await comparePast(store, { folder: factsFolder(config), file, now, is_machine_time: true })
    if (doubt !== null && !before_start) throw notStarted(doubt.why)
    // A folder that the database names counts as its own at the next start.
    if (doubt === null) await recordFactFolder(store, now)
    return await work({ config, store, clock: systemClock, migrated })
  } finally {
    await store.close()
  }
}

/** The path of the database file; null for a libSQL server. */
function fileOf(config: Config): string | null {
  const url = databaseUrl(config)
  return url.startsWith('file:') ? resolve(filePath(url)) : null
}

/** Whether a flag or setting says where the database lies. */
export function isNamed(config: Config): boolean {
  return sourceOf(config, 'data_dir') !== 'default' || sourceOf(config, 'database_url') !== 'default'
}

/** A command would give ids to new rows that links in messages sent since the backup name. */
function notStarted(why: string): Failure {
  return new Failure(
    `${why} Start the service once first (masthead serve): it replays the facts, or lets people decide. Then repeat ` +
      `the command.`,
  )
}

function lostDatabase(file: string, config: Config): Failure {
  return new Failure(
    `There is no database ${file}, but ${factsFolder(config)} has the facts of one. Put it back with masthead ` +
      `restore FILE, or move the facts away.`,
  )
}

export function noDatabase(file: string): Failure {
  return new Failure(
    `There is no database ${file}. Run the command in the folder of the service, or name its data folder with ` +
      `--data-dir.`,
  )
}
