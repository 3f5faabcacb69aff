import { join } from 'node:path'
import { auditedStore, type Origin } from '../audit/record.ts'
import { type Clock, systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { dataFolder, databaseUrl, openKeys } from '../instance.ts'
import { root } from '../root.ts'
import type { Keys } from '../secrets.ts'
import { migrate, type MigrationReport } from '../store/migrate.ts'
import { openStore, type Store } from '../store/open.ts'
import type { GivenSettings } from './command.ts'

export const migrationsFolder = join(root, 'migrations')

export interface Opened {
  config: Config
  /** Its writes leave rows of the command in the audit log. */
  store: Store
  keys: Keys
  /** As `store`, for the work of a loop: its writes leave only the rows that they note. */
  loop_store: Store
  clock: Clock
  migrated: MigrationReport
}

/** Opens the configured database, applies pending migrations, runs `work` and closes the database. */
export async function withStore<T>(settings: GivenSettings, work: (opened: Opened) => Promise<T>): Promise<T> {
  const config = readConfig(settings)
  dataFolder(config) // The native module of the database lies below it.
  const store = await openStore({ url: databaseUrl(config), auth_token: config.database_auth_token })
  try {
    const migrated = await migrate(store, migrationsFolder, systemClock)
    const keys = await openKeys(config, store, systemClock.now())
    const origin = (): Origin => ({
      keys,
      at: systemClock.now(),
      actor: 'command line',
      action: settings.command ?? 'command',
      ip: null,
      request_id: null,
    })
    return await work({
      config,
      store: auditedStore(store, origin, true),
      loop_store: auditedStore(store, origin, false),
      keys,
      clock: systemClock,
      migrated,
    })
  } finally {
    await store.close()
  }
}
