import type { Caller } from '../../access/caller.ts'
import { logAppRequest } from '../../developer/request-log.ts'
import { ERROR_CODES } from '../../errors.ts'
import { errorEnvelope, platformError } from '../../operation/envelope.ts'
import type { Runtime } from '../../runtime.ts'
import { type Exchange, knownError } from './exchange.ts'

/** Details of a call for the app's request log, set while the call runs. */
export interface LoggedCall {
  /** The public id of the project that the request names. */
  project: string | null
  /** The code of a refusal that the call renders itself. */
  error: string | null
  /** JSON that the app sent. */
  request: Uint8Array | string | null
  /** JSON that it gets; null for a file, and for a refusal that is thrown. */
  answer: string | null
}

interface Named {
  app_id: string
  authorization_id: string | null
  /** The name of the route in the log. */
  route: string
  /** Which of a refusal's two names its answer carries. */
  shape: 'platform' | 'newsletter'
}

/** Runs an app's call and adds its outcome, errors included, to the app's request log. */
export async function logCall<T extends { status: number }>(
  runtime: Runtime,
  { request, url, request_id, now }: Exchange,
  { app_id, authorization_id, route, shape }: Named,
  run: (call: LoggedCall) => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  const call: LoggedCall = newCall()
  const log = (status: number, error: string | null) => {
    const duration_ms = Math.round(performance.now() - begun)
    const outcome = { at: now, method: request.method, route, status, request_id, duration_ms }
    const { project, ...body } = call
    logAppRequest(runtime, { app_id, ...outcome, error, project }, { ...body, url, authorization_id })
  }
  try {
    const answer = await run(call)
    log(answer.status, call.error)
    return answer
  } catch (thrown) {
    const error = knownError(thrown)
    const { status, platform } = ERROR_CODES[error.code]
    call.answer = JSON.stringify((shape === 'newsletter' ? errorEnvelope : platformError)(error, request_id))
    log(status, shape === 'newsletter' ? error.code : platform)
    throw thrown
  }
}

function newCall(): LoggedCall {
  return { project: null, error: null, request: null, answer: null }
}

/** As `logCall`, for a route that other callers than apps use as well. */
export function logCallOfApp<T extends { status: number }>(
  runtime: Runtime,
  exchange: Exchange,
  { caller, ...named }: Omit<Named, 'app_id' | 'authorization_id'> & { caller: Caller },
  run: (call: LoggedCall) => Promise<T>,
): Promise<T> {
  if (caller.kind !== 'oauth') return run(newCall())
  const { app_id, authorization_id } = caller
  return logCall(runtime, exchange, { ...named, app_id, authorization_id }, run)
}
