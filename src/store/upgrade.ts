import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Clock, timeInName } from '../clock.ts'
import { copyDatabase, withDatabaseFile } from './backup.ts'
import { filePath } from './file-path.ts'
import { migrate, MigrationError, type MigrationReport, pendingMigrations } from './migrate.ts'
import type { Store } from './store.ts'

export interface UpgradeOptions {
  /** The folder that holds the migration files. */
  folder: string
  clock: Clock
  /** The address of the database. */
  url: string
  /** The file beside which the snapshot is stored: the database itself, or the one that a restored copy becomes. */
  beside?: string
  /** Reports progress to the person who runs the command. */
  say(message: string, fields: Record<string, string>): void
}

export interface UpgradeReport extends MigrationReport {
  /**
   * The path of the copy made before the migrations; null when none was pending, when the database was empty, and for a
   * database server.
   */
  snapshot: string | null
}

/**
 * Applies the pending migrations, after a copy of a database file that holds data (docs/operations.md#upgrade). Throws
 * MigrationError, also when the disk has no room for the copy.
 */
export async function upgrade(store: Store, options: UpgradeOptions): Promise<UpgradeReport> {
  const { folder, clock, url, say } = options
  const source = store.kind === 'file' ? filePath(url) : null
  const database = options.beside ?? source
  const pending = await pendingMigrations(store.query, folder)
  let snapshot: string | null = null
  if (pending.length > 0 && (await holdsData(store.query))) {
    if (source !== null && database !== null)
      snapshot = await keep(store, pending, { folder, clock, source, database, say })
    else say('migrations are applied without a snapshot: the database server has its own backups', fieldsOf(pending))
  }
  const report = await migrate(store, folder, clock)
  if (database !== null) rmSync(noteOf(database), { force: true })
  if (database !== null && snapshot !== null) removeOlder(database)
  return { ...report, snapshot }
}

async function holdsData(query: Store['query']): Promise<boolean> {
  // Another process that opened a new database may not have made its tables yet.
  const tables = await query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'users'")
  if (tables.length === 0) return false
  const [row] = await query('SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM projects) AS held')
  return Number(row?.held) === 1
}

type Keeping = Pick<UpgradeOptions, 'folder' | 'clock' | 'say'> & { source: string; database: string }

/** Answers the snapshot of the state before all pending migrations; null when another process just applied them. */
async function keep(store: Store, pending: readonly string[], options: Keeping): Promise<string | null> {
  const { folder, clock, source, database, say } = options
  const interrupted = noted(database)
  if (interrupted && !pending.includes(interrupted.first)) {
    say('an interrupted upgrade goes on; the snapshot from before it stays', {
      snapshot: interrupted.snapshot,
      ...fieldsOf(pending),
    })
    return interrupted.snapshot
  }
  await requireRoom(store.query, database)
  const first = pending[0]!
  const snapshot = `${stemOf(database)}-before-${first.slice(0, 4)}-${timeInName(clock.now())}.db`
  await copyDatabase(source, snapshot)
  const copied = await withDatabaseFile(snapshot, (query) => pendingMigrations(query, folder))
  if (copied[0] !== first) {
    rmSync(snapshot, { force: true })
    return null
  }
  writeFileSync(noteOf(database), JSON.stringify({ first, snapshot }), { mode: 0o600, flush: true })
  say('the database is upgraded; a snapshot keeps its state until now', { snapshot, ...fieldsOf(pending) })
  return snapshot
}

const fieldsOf = (pending: readonly string[]) => ({ migrations: pending.join(', ') })

/** Room that other programs may need while the copy is made. */
const MARGIN_BYTES = 16 * 1024 * 1024

async function requireRoom(query: Store['query'], database: string): Promise<void> {
  const [size] = await query('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
  const needed = Number(size?.bytes) + MARGIN_BYTES
  const { bavail, bsize } = statfsSync(dirname(database))
  if (bavail * bsize >= needed) return
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`
  throw new MigrationError(
    `The database must be upgraded, and the disk has too little room for a snapshot before that: ` +
      `${megabytes(needed)} are needed, ${megabytes(bavail * bsize)} are free. Nothing was changed.`,
  )
}

/** While an upgrade is under way, this file names its first migration and the snapshot from before it. */
const noteOf = (database: string): string => `${database}.upgrading`

function noted(database: string): { first: string; snapshot: string } | null {
  try {
    const note = JSON.parse(readFileSync(noteOf(database), 'utf8')) as { first: string; snapshot: string }
    return existsSync(note.snapshot) ? note : null
  } catch {
    return null // There is none, or the process was killed while it wrote it: then nothing was migrated yet.
  }
}

/** Snapshots kept; older ones are removed. */
const KEPT = 2

const stemOf = (database: string): string => database.replace(/\.db$/, '')

function removeOlder(database: string): void {
  const folder = dirname(database)
  const prefix = `${basename(stemOf(database))}-before-`
  const names = readdirSync(folder).filter(
    (name) => name.startsWith(prefix) && /^\d{4}-\d{8}T\d{9}Z\.db$/.test(name.slice(prefix.length)),
  )
  const byTime = names.toSorted((a, b) => (a.slice(prefix.length + 5) < b.slice(prefix.length + 5) ? -1 : 1))
  for (const name of byTime.slice(0, -KEPT)) rmSync(join(folder, name), { force: true })
}
