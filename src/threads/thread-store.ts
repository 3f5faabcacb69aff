import type { Config } from '../config.ts'
import { openFacts } from '../instance.ts'
import { type HeavyReading, openStore, type Store } from '../store/open.ts'

export interface ThreadSetup {
  part: 'loops' | 'reads'
  config: Config
  database_url: string
  /** The memory of the write queue, which all threads share; null for a libSQL server. */
  queue_memory: SharedArrayBuffer | null
}

/** The store of a thread. `now`: the time, for a thread that writes. */
export function openThreadStore(
  { config, database_url, queue_memory }: ThreadSetup,
  { limited, now }: { limited?: Pick<HeavyReading, 'run'>; now?: number } = {},
): Promise<Store> {
  return openStore({
    ...(limited && { limited }),
    url: database_url,
    auth_token: config.database_auth_token,
    queue_memory: queue_memory ?? undefined,
    facts: now === undefined ? null : openFacts(config, now),
  })
}
