import type { Config } from '../config.ts'
import { systemClock } from '../clock.ts'
import { openFacts } from '../instance.ts'
import { createLog } from '../log.ts'
import { createFaults, faultLog } from '../store/faults.ts'
import { openStore, type Store } from '../store/open.ts'
import type { StoreOptions } from '../store/store.ts'

export interface ThreadSetup {
  part: 'loops' | 'reads' | 'answers'
  config: Config
  database_url: string
  /** As `comparedNativeModule` of the main thread answers. */
  native_module: string | null
  /** The memory of the write queue, which all threads share; null for a libSQL server. */
  queue_memory: SharedArrayBuffer | null
  /** Shared memory for the worst disk fault that any thread has seen. */
  faults_memory: SharedArrayBuffer
}

interface Writing extends Pick<StoreOptions, 'heavy' | 'limited' | 'grouped'> {
  /** The number of the thread among those that write. */
  writer: number
  now: number
}

/** The store of a thread. `writing`: for a thread that writes. */
export function openThreadStore(
  { config, database_url, queue_memory, faults_memory }: ThreadSetup,
  { now, ...writing }: Partial<Writing> = {},
): Promise<Store> {
  const log = createLog(config.log_level, config.log_format, () => systemClock.now())
  return openStore({
    ...writing,
    url: database_url,
    auth_token: config.database_auth_token,
    queue_memory: queue_memory ?? undefined,
    faults: createFaults(faults_memory, faultLog(log)),
    facts: now === undefined ? null : openFacts(config, now),
  })
}
