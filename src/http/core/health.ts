import type { Runtime } from '../../runtime.ts'

/** Why the service cannot answer requests, or null when it can. */
export type Readiness = () => Promise<string | null>

/** When the last backup was proven; null for none. A missed backup does not make the service unready. */
export type LastProven = () => Promise<number | null>

/** Whether the database answers within two seconds. */
export async function databaseAnswers(runtime: Runtime): Promise<boolean> {
  const answer = runtime.store.query('SELECT 1').then(
    () => true,
    () => false,
  )
  return Promise.race([answer, Bun.sleep(2000).then(() => false)])
}
