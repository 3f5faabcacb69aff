import { logAppRequest } from '../developer/request-log.ts'
import { AppError } from '../errors.ts'
import type { Runtime } from '../store/runtime.ts'
import type { Exchange } from './exchange.ts'

/** Runs a route of the v1 API for an app and notes the outcome, a refusal too, in the app's request log. */
export async function logged(runtime: Runtime, { request, request_id, now }: Exchange, app_id: string, route: string, run: () => Promise<Response>): Promise<Response> {
  const note = (status: number) => logAppRequest(runtime, { app_id, at: now, method: request.method, route, status, request_id })
  try {
    const response = await run()
    note(response.status)
    return response
  } catch (error) {
    note(error instanceof AppError ? error.status : 500)
    throw error
  }
}
