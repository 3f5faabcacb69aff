import type { Caller } from '../../access/caller.ts'
import { logAppRequest } from '../../developer/request-log.ts'
import { AppError } from '../../errors.ts'
import type { Runtime } from '../../runtime.ts'
import type { Exchange } from './exchange.ts'

/**
 * Runs an app's call and adds its outcome, errors included, to the app's request log.
 *
 * @param route the name of the route in the log
 */
export async function logCall<T extends { status: number }>(
  runtime: Runtime,
  { request, request_id, now }: Exchange,
  { app_id, route }: { app_id: string; route: string },
  run: () => Promise<T>,
): Promise<T> {
  const log = (status: number) =>
    logAppRequest(runtime, { app_id, at: now, method: request.method, route, status, request_id })
  try {
    const answer = await run()
    log(answer.status)
    return answer
  } catch (error) {
    log(error instanceof AppError ? error.status : 500)
    throw error
  }
}

/** As `logCall`, for a route that other callers than apps use as well. */
export function logCallOfApp<T extends { status: number }>(
  runtime: Runtime,
  exchange: Exchange,
  { caller, route }: { caller: Caller; route: string },
  run: () => Promise<T>,
): Promise<T> {
  return caller.kind === 'oauth' ? logCall(runtime, exchange, { app_id: caller.app_id, route }, run) : run()
}
