import type { Config } from '../../config.ts'
import type { AppError, ErrorCode } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import type { Runtime } from '../../runtime.ts'
import { lineLimit } from './line-limit.ts'

/** Refusals that strangers can repeat at will and that are no failure: they are not logged. */
const UNLOGGED: ReadonlySet<ErrorCode> = new Set(['TOO_MANY_UPLOADS', 'TOO_MANY_UNREAD', 'INSUFFICIENT_STORAGE'])
/** Failures of every request while the server of the database is away. */
const WITHOUT_DATABASE: ReadonlySet<ErrorCode> = new Set(['DATABASE_UNAVAILABLE', 'RATE_LIMIT_UNAVAILABLE'])

/** The limit of each service, by its settings. */
const limits = new WeakMap<Config, () => boolean>()

/** Logs what a request failed with, with its cause; of an absent database at most 60 lines a minute. */
export function logFailure(
  { config, clock, log }: Pick<Runtime, 'config' | 'clock' | 'log'>,
  error: AppError,
  request_id: string,
): void {
  if (UNLOGGED.has(error.code)) return
  if (WITHOUT_DATABASE.has(error.code)) {
    let hasRoom = limits.get(config)
    if (!hasRoom) {
      hasRoom = lineLimit(clock, (count) => log.warn('failed requests were not logged', { count }))
      limits.set(config, hasRoom)
    }
    if (!hasRoom()) return
  }
  log.error('request failed', { request_id, ...errorFields(error.cause ?? error) })
}
