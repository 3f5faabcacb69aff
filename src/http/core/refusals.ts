import type { Runtime } from '../../runtime.ts'
import type { Told } from './access-log.ts'
import { lineLimit } from './line-limit.ts'

/** Wrong or ended credentials, a lack of rights, a request of another site, too many requests. */
const NOTED: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * A function that logs refused requests (docs/operations.md#logs), with the declared path: a requested one may hold a
 * token. A request without any credentials is told to sign in, which is no event.
 */
export function refusalLog({ clock, log }: Pick<Runtime, 'clock' | 'log'>) {
  const hasRoom = lineLimit(clock, (count) => log.warn('refused requests were not logged', { count }))
  return ({ headers, method }: Request, { route, address }: Told, response: Response): void => {
    const { status } = response
    if (!NOTED.has(status) || (status === 401 && !headers.has('authorization') && !headers.has('cookie'))) return
    if (!hasRoom()) return
    log.info('refused', { request_id: response.headers.get('x-request-id'), method, route, status, address })
  }
}
