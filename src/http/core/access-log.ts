import type { Caller } from '../../access/caller.ts'
import type { Runtime } from '../../runtime.ts'
import { bytesOf } from './large-body.ts'

/** What the log and the metrics tell of a request, set while it is answered. */
export interface Told {
  /** The declared path, or that of the operation. A requested path may hold a token, and makes a series for each id. */
  route: string
  /** The client's address. */
  address?: string
  /** The public id of the project that the request names. */
  project?: string | undefined
  app?: string
}

/** The id of a project in a request, as a log shows it; null for anything else, which may be private. */
export function projectNamed(given: unknown): string | null {
  return typeof given === 'string' && /^prj_[a-z0-9]{1,40}$/.test(given) ? given : null
}

/** Notes what credentials and request say about project and app. */
export function tellCaller(told: Told, caller: Caller, named: unknown): void {
  if (caller.kind === 'oauth') told.app = caller.app_id
  told.project = caller.kind === 'api_key' ? caller.project_public_id : (projectNamed(named) ?? undefined)
}

export type AccessLog = (request: Request, told: Told, response: Response, ms: number) => void

/** A function that logs an answered request (docs/operations.md#logs). Probes are logged at `debug` only. */
export function accessLog({ config, log }: Pick<Runtime, 'config' | 'log'>, is_probe = false): AccessLog {
  if (!config.access_log) return () => undefined
  const kind = is_probe ? 'debug' : 'often'
  return ({ method }, { route, address, project, app }, response, ms) =>
    log[kind]('answered', {
      request_id: response.headers.get('x-request-id'),
      method,
      route,
      status: response.status,
      ms: Math.round(ms * 10) / 10,
      bytes: bytesOf(response),
      address,
      project,
      app,
    })
}
