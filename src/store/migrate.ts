import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@libsql/client'
import type { Clock } from '../clock.ts'
import { sha256 } from '../secrets.ts'
import { brokenUnique } from './constraint.ts'

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

/**
 * Brings the schema up to date, one transaction a migration. Refuses a database that a newer release has
 * changed, and one whose recorded migration differs from the shipped text.
 */
export async function migrate(client: Client, folder: string, clock: Clock): Promise<MigrationReport> {
  const migrations = readMigrations(folder)
  await client.execute(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  )
  const applied: string[] = []
  const recorded = await readRecorded(client, migrations)
  for (const migration of migrations) {
    if (recorded.has(migration.version)) continue
    if (await apply(client, migration, clock.now())) applied.push(migration.name)
  }
  return { applied, version: migrations.at(-1)?.version ?? 0 }
}

/** Names of the migrations that `migrate` would apply; the same refusals. */
export async function pendingMigrations(client: Client, folder: string): Promise<string[]> {
  const migrations = readMigrations(folder)
  const table = await client.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'")
  if (table.rows.length === 0) return migrations.map(({ name }) => name)
  const recorded = await readRecorded(client, migrations)
  return migrations.filter(({ version }) => !recorded.has(version)).map(({ name }) => name)
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
  return names.map((name, index) => {
    const version = Number(name.slice(0, 4))
    if (version !== index + 1) throw new MigrationError(`Migration ${name} is out of order.`)
    const sql = readFileSync(join(folder, name), 'utf8')
    return { version, name, sql, checksum: sha256(sql) }
  })
}

async function readRecorded(client: Client, migrations: Migration[]): Promise<Set<number>> {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  const { rows } = await client.execute('SELECT version, name, checksum FROM schema_migrations ORDER BY version')
  for (const row of rows) {
    const shipped = known.get(Number(row.version))
    if (!shipped)
      throw new MigrationError(
        `The database was changed by a newer release (migration ${String(row.name)}). Start that release, or restore a backup.`,
      )
    if (shipped.checksum !== row.checksum)
      throw new MigrationError(`Migration ${shipped.name} is not the one this database was made with.`)
  }
  return new Set(rows.map((row) => Number(row.version)))
}

/** False when another process applied it in the meantime: its row makes ours fail, and ours is rolled back. */
async function apply(client: Client, migration: Migration, now: number): Promise<boolean> {
  const transaction = await client.transaction('write')
  try {
    await transaction.execute({
      sql: 'INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)',
      args: [migration.version, migration.name, migration.checksum, now],
    })
    await transaction.executeMultiple(migration.sql)
    await transaction.commit()
    return true
  } catch (error) {
    if (!transaction.closed) await transaction.rollback()
    if (brokenUnique(error)?.startsWith('schema_migrations')) return false
    throw error
  } finally {
    transaction.close()
  }
}
