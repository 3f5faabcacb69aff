import type { Runtime } from '../../runtime.ts'
import { type Handler, json } from './exchange.ts'

/** What /readyz asks: null when all is well, else the reason. */
export type Readiness = () => Promise<string | null>

export const healthz: Handler = () => json(200, { status: 'ok' })

export function readyz(readiness: Readiness): Handler {
  return async () => {
    const reason = await readiness()
    return reason === null ? json(200, { status: 'ready' }) : json(503, { status: 'not_ready', reason })
  }
}

/** Whether the database answers, within two seconds. */
export async function databaseAnswers(runtime: Runtime): Promise<boolean> {
  const answer = runtime.store.query('SELECT 1').then(
    () => true,
    () => false,
  )
  return Promise.race([answer, Bun.sleep(2000).then(() => false)])
}
