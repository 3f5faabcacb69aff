import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { isBusy } from '../store/constraint.ts'
import { processIsAlive } from '../store/lease.ts'
import { pendingMigrations } from '../store/migrate.ts'
import { command, Failure } from './command.ts'
import { databaseFile, secretKeyIsThere, secretKeyPlace } from './database.ts'
import { migrationsFolder } from './open.ts'

export const restore = command({
  name: 'restore',
  summary: 'Put a backup in the place of the database, while no service is running.',
  args: ['FILE'],
  flags: { force: { help: 'Replace the database that is there; it is kept under another name.' } },
  async run({ args: [given], flags, settings }) {
    const config = readConfig(settings)
    const database = databaseFile(config)
    const file = resolve(given)
    if (!existsSync(file)) throw new Failure(`There is no file ${file}.`)
    if (existsSync(database) && !flags.force)
      throw new Failure(`${database} exists. With --force it is replaced, and kept under another name.`)

    if (existsSync(database)) await closeDatabase(database)

    const copy = `${database}.restoring`
    removeDatabase(copy)
    try {
      copyFileSync(file, copy)
      chmodSync(copy, 0o600)
      const pending = await refuseUnlessGood(copy, file)
      const replaced = existsSync(database) ? putAside(database) : null
      renameSync(copy, database)
      return {
        text: [
          `Restored ${file}.`,
          ...(replaced ? [`The database that was there is now ${replaced}.`] : []),
          ...(pending.length > 0
            ? ['It is of an earlier release and will be brought up to date at the next start.']
            : []),
          secretKeyIsThere(config)
            ? `It needs the secret key it was used with; the one in use is ${secretKeyPlace(config)}.`
            : `Before the next start, put the secret key it was used with at ${secretKeyPlace(config)}: a new one opens nothing that was sealed.`,
        ].join('\n'),
        data: { file, database, replaced, pending_migrations: pending },
      }
    } finally {
      removeDatabase(copy)
    }
  },
})

/** Looks into the copy, never into the backup itself: opening a database may write beside it. Answers the migrations it lacks. */
async function refuseUnlessGood(copy: string, file: string): Promise<string[]> {
  const damaged = new Failure(`${file} is damaged or is not a database.`)
  return withClient(copy, async (client) => {
    const check = await client.execute('PRAGMA integrity_check')
    if (check.rows[0]?.integrity_check !== 'ok') throw damaged
    const known = await client.execute(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'",
    )
    if (known.rows.length === 0) throw new Failure(`${file} is not a database of Masthead.`)
    return pendingMigrations(client, migrationsFolder)
  }).catch((error: unknown) => {
    throw isNoDatabase(error) ? damaged : error
  })
}

function isNoDatabase(error: unknown): boolean {
  return /SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code))
}

/** Makes sure that nobody has the present database open, and brings all that it holds into its one file. */
async function closeDatabase(database: string): Promise<void> {
  await withClient(database, async (client) => {
    const server = await runningServer(client)
    if (server !== null) throw new Failure(`A service is running on this database (process ${server}). Stop it first.`)
    // Leaving WAL needs the file for oneself alone.
    await client.execute('PRAGMA journal_mode=DELETE').catch((error: unknown) => {
      throw isBusy(error) ? new Failure('Another process has the database open. Stop it first.') : error
    })
  })
}

function putAside(database: string): string {
  const replaced = `${database}.replaced-${new Date(systemClock.now()).toISOString().replace(/[-:]|\.\d+/g, '')}`
  renameSync(database, replaced)
  return replaced
}

/** The process id of a service on this machine that works on the database, or null. */
export async function runningServer(client: Client): Promise<number | null> {
  const { rows } = await client
    .execute({
      sql: 'SELECT pid FROM workers WHERE host = ? AND alive_until > ?',
      args: [hostname(), systemClock.now()],
    })
    .catch(() => ({ rows: [] }))
  return rows.map((row) => Number(row.pid)).find(processIsAlive) ?? null
}

export async function withClient<T>(database: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({ url: `file:${database}`, timeout: 1000 })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
