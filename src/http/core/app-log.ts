import type { Caller } from '../../access/caller.ts'
import { logAppRequest } from '../../developer/request-log.ts'
import { AppError, ERROR_CODES } from '../../errors.ts'
import type { Runtime } from '../../runtime.ts'
import type { Exchange } from './exchange.ts'

/** Details of a call for the app's request log, set while the call runs. */
export interface LoggedCall {
  /** The public id of the project that the request names. */
  project: string | null
  /** The code of a refusal that the call renders itself. */
  error: string | null
}

interface Named {
  app_id: string
  /** The name of the route in the log. */
  route: string
  /** Which of a refusal's two names its answer carries. */
  shape: 'platform' | 'newsletter'
}

/** Runs an app's call and adds its outcome, errors included, to the app's request log. */
export async function logCall<T extends { status: number }>(
  runtime: Runtime,
  { request, request_id, now }: Exchange,
  { app_id, route, shape }: Named,
  run: (call: LoggedCall) => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  const call: LoggedCall = { project: null, error: null }
  const log = (status: number, error: string | null) => {
    const duration_ms = Math.round(performance.now() - begun)
    const outcome = { at: now, method: request.method, route, status, request_id, duration_ms }
    logAppRequest(runtime, { app_id, ...outcome, error, project: call.project })
  }
  try {
    const answer = await run(call)
    log(answer.status, call.error)
    return answer
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'INTERNAL'
    const { status, platform } = ERROR_CODES[code]
    log(status, shape === 'newsletter' ? code : platform)
    throw error
  }
}

/** As `logCall`, for a route that other callers than apps use as well. */
export function logCallOfApp<T extends { status: number }>(
  runtime: Runtime,
  exchange: Exchange,
  { caller, ...named }: Omit<Named, 'app_id'> & { caller: Caller },
  run: (call: LoggedCall) => Promise<T>,
): Promise<T> {
  if (caller.kind === 'oauth') return logCall(runtime, exchange, { ...named, app_id: caller.app_id }, run)
  return run({ project: null, error: null })
}

/** The id of a project in a request, as the log shows it; null for anything else, which may be private. */
export function projectNamed(given: unknown): string | null {
  return typeof given === 'string' && /^prj_[a-z0-9]{1,40}$/.test(given) ? given : null
}
