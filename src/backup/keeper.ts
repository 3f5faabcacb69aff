import { HOUR_MS, MINUTE_MS } from '../clock.ts'
import { requireRoomForCopy } from '../disk.ts'
import { AppError, invalidState } from '../errors.ts'
import { databaseUrl } from '../instance.ts'
import { errorFields } from '../log.ts'
import type { Runtime } from '../runtime.ts'
import { filePath } from '../store/file-path.ts'
import { type Made, makeBackupTask, removeUnfinished } from './make.ts'
import { destinationOf, keepsBackups } from './configured.ts'
import { backupName } from './names.ts'
import { backupState, noteBackup, noteFailure } from './state.ts'

/** How often it is asked whether a backup is due. */
const LOOK_MS = MINUTE_MS
const AGAIN_AFTER_MS = HOUR_MS

type Keeping = Pick<Runtime, 'config' | 'store' | 'clock' | 'log' | 'disk'>
type Making = Pick<Runtime, 'config' | 'clock' | 'disk'> & { store: Pick<Runtime['store'], 'kind' | 'heavyTask'> }

/** Makes and proves a backup on a thread where it delays no request. Throws AppError where none can be made now. */
export async function makeBackup(keeping: Making, now: number): Promise<Made> {
  const { config, store } = keeping
  if (store.kind !== 'file') throw invalidState('A libSQL server has its own ways of backing up.', 'server')
  await requireRoomForCopy(keeping, filePath(databaseUrl(config)))
  const same = await destinationOf(config).list(backupName(now, false))
  if (same.length > 0) throw new AppError('CONFLICT', 'A backup of this second exists.')
  const made = await store.heavyTask(makeBackupTask, { config, now })
  if (made === null) throw new AppError('CONFLICT', 'A backup is being made.')
  return made
}

/**
 * Makes the backups of a database file at their scheduled times. One that was missed is made at the next start, one
 * that failed again after an hour. Answers a function that ends it.
 */
export function keepBackups(keeping: Keeping): () => void {
  const { config, store, clock, log } = keeping
  if (!keepsBackups(config)) return () => undefined
  let is_running = false
  let has_ended = false
  let not_before = 0
  const look = async (): Promise<void> => {
    const now = clock.now()
    if (now < not_before || !(await backupState(store.db, config, now))?.is_due) return
    not_before = now + AGAIN_AFTER_MS
    try {
      const made = await makeBackup(keeping, now)
      await store.write((tx) => noteBackup(tx, config, made, now))
      const { file, size_bytes, problem } = made
      if (problem === null) log.info('a backup was made and proven', { file, size_bytes })
      else log.error('a backup was made, and cannot be restored', { file, problem })
    } catch (error) {
      if (has_ended || (error as AppError).code === 'CONFLICT') return
      log.error('the backup failed; it is tried again in an hour', errorFields(error))
      await store.write((tx) => noteFailure(tx, (error as Error).message, now))
    }
  }
  const lookAlone = (): void => {
    if (is_running || has_ended) return
    is_running = true
    look()
      .catch((error: unknown) => {
        if (!has_ended) log.error('the backups do not go on', errorFields(error))
      })
      .finally(() => (is_running = false))
  }
  const timer = setInterval(lookAlone, LOOK_MS)
  timer.unref()
  removeUnfinished(config).then(lookAlone, (error: unknown) =>
    log.warn('what a killed backup left was not removed', errorFields(error)),
  )
  return () => {
    has_ended = true
    clearInterval(timer)
  }
}
