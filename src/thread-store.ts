import type { Config } from './config.ts'
import { type HeavyReading, openStore, type Store } from './store/open.ts'

export interface ThreadSetup {
  part: 'loops' | 'reads'
  config: Config
  database_url: string
  /** The memory of the write queue, which all threads share; null for a libSQL server. */
  queue_memory: SharedArrayBuffer | null
}

/** The store of a thread. */
export function openThreadStore(
  { config, database_url, queue_memory }: ThreadSetup,
  limited?: Pick<HeavyReading, 'run'>,
): Promise<Store> {
  return openStore({
    ...(limited && { limited }),
    url: database_url,
    auth_token: config.database_auth_token,
    queue_memory: queue_memory ?? undefined,
  })
}
