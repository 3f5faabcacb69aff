import { asc, eq } from 'drizzle-orm'
import type { AuditItem } from '../../src/audit/list.ts'
import { audit_log } from '../../src/store/tables/audit.ts'
import type { World } from './world.ts'

type Row = typeof audit_log.$inferSelect

/** The rows of a request, in their order. */
export function rowsOf({ service }: Pick<World, 'service'>, request_id: string): Promise<Row[]> {
  return service.runtime.store.db
    .select()
    .from(audit_log)
    .where(eq(audit_log.request_id, request_id))
    .orderBy(asc(audit_log.id))
}

/** All rows, in their order. */
export function allRows({ service }: Pick<World, 'service'>): Promise<Row[]> {
  return service.runtime.store.db.select().from(audit_log).orderBy(asc(audit_log.id))
}

/** What rows say, without what differs in each run. */
export function saying(rows: readonly Pick<Row | AuditItem, 'actor' | 'action' | 'target' | 'outcome'>[]): string[] {
  return rows.map(({ actor, action, target, outcome }) => [actor, action, target ?? '-', outcome].join(' | '))
}

/** What no row may hold: secrets, addresses of people, and bodies. */
export const PRIVATE = /svc_[a-z]{2}_|@|correct horse|<p>|password nobody/
