import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { release } from '../build.ts'
import type { Clock } from '../clock.ts'
import { sha256 } from '../secrets.ts'
import { brokenUnique } from './constraint.ts'
import { formerBuild } from './former-baselines.ts'
import { STEPS } from './migrations/steps.ts'
import type { Store } from './store.ts'

/** Why the schema could not be brought up to date; one line for the person who starts the service. */
export class MigrationError extends Error {}

interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

export interface MigrationReport {
  applied: string[]
  version: number
}

/** Runs one read that is given as text. */
type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/**
 * Brings the schema up to date, one transaction for each migration, after its step where it has one. Throws
 * MigrationError for a database that a newer release has changed, and for one whose recorded migration differs from the
 * shipped text.
 */
export async function migrate(
  store: Pick<Store, 'write' | 'query'>,
  folder: string,
  clock: Clock,
): Promise<MigrationReport> {
  const migrations = readMigrations(folder)
  if (!(await hasMigrations(store.query))) await store.write((tx) => tx.run(CREATE_TABLE))
  const applied: string[] = []
  const recorded = await readRecorded(store.query, migrations)
  const pending = migrations.filter(({ version }) => !recorded.has(version))
  if (pending.length > 0) await addColumnOfRelease(store)
  for (const migration of pending) {
    await STEPS[migration.name]?.(store, clock.now())
    if (await apply(store, migration, clock.now())) applied.push(migration.name)
  }
  return { applied, version: migrations.at(-1)?.version ?? 0 }
}

/** Names of the migrations that `migrate` would apply. Throws the same errors. */
export async function pendingMigrations(query: Query, folder: string): Promise<string[]> {
  const migrations = readMigrations(folder)
  if (!(await hasMigrations(query))) return migrations.map(({ name }) => name)
  const recorded = await readRecorded(query, migrations)
  return migrations.filter(({ version }) => !recorded.has(version)).map(({ name }) => name)
}

const CREATE_TABLE = sql`
  CREATE TABLE IF NOT EXISTS schema_migrations (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL,
    applied_by TEXT) STRICT`

/** Databases of the first builds do not say which release applied a migration. */
async function addColumnOfRelease({ write }: Pick<Store, 'write'>): Promise<void> {
  await write(async (tx) => {
    const columns = await tx.all(sql`SELECT 1 FROM pragma_table_info('schema_migrations') WHERE name = 'applied_by'`)
    if (columns.length === 0) await tx.run(sql`ALTER TABLE schema_migrations ADD COLUMN applied_by TEXT`)
  })
}

/** Whether the database has the table of applied migrations. */
export async function hasMigrations(query: Query): Promise<boolean> {
  return (await query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'")).length > 0
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
  return names.map((name, index) => {
    const version = Number(name.slice(0, 4))
    if (version !== index + 1) throw new MigrationError(`Migration ${name} is out of order.`)
    const text = readFileSync(join(folder, name), 'utf8')
    return { version, name, sql: text, checksum: sha256(text) }
  })
}

/** The versions that a database has. */
async function readRecorded(query: Query, migrations: Migration[]): Promise<Set<number>> {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  const rows = await query('SELECT * FROM schema_migrations ORDER BY version')
  for (const row of rows) {
    const shipped = known.get(Number(row.version))
    if (!shipped)
      throw new MigrationError(
        `The database was changed by a newer release (migration ${String(row.name)}). Only ` +
          `${nameOf(row.applied_by) ?? 'that release'} or a later one can start, back up and export it. Use that, ` +
          `or restore a backup.`,
      )
    if (shipped.checksum !== row.checksum) {
      const maker = nameOf(row.applied_by) ?? formerBuild(String(row.checksum)) ?? 'The release that made it'
      throw new MigrationError(
        `Migration ${shipped.name} is not the one this database was made with. ${maker} can still start and export ` +
          `it: export from there and import here.`,
      )
    }
  }
  return new Set(rows.map((row) => Number(row.version)))
}

const nameOf = (applied_by: unknown): string | null => (typeof applied_by === 'string' ? applied_by : null)

/** False when another process applied the migration first: its row makes this insert fail, and nothing is changed. */
async function apply(store: Pick<Store, 'write'>, migration: Migration, now: number): Promise<boolean> {
  try {
    await store.write(async (tx) => {
      const { version, name, checksum } = migration
      await tx.run(
        sql`
          INSERT INTO schema_migrations (version, name, checksum, applied_at, applied_by)
          VALUES (${version}, ${name}, ${checksum}, ${now}, ${release})`,
      )
      await tx.script(migration.sql)
    })
    return true
  } catch (error) {
    if (brokenUnique(error)?.startsWith('schema_migrations')) return false
    throw error
  }
}
