import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'

/**
 * The column `detail` of an event. For a bounce it is JSON: its kind, and the server's response if there was one. A
 * bounce with another detail, or none, is hard. The details of other events are plain text.
 */
export function bounceDetail(kind: 'hard' | 'soft', response: string): string {
  return jsonText(response === '' ? { kind } : { kind, response })
}

/**
 * The kind of a bounce. Plain text is never read as JSON, whatever the type of the event: SQLite evaluates both sides
 * of AND in a sum, but only the chosen branch of CASE.
 */
export const BOUNCE_KIND = sql.raw(
  `iif(CASE WHEN json_valid(detail) THEN detail ->> 'kind' END = 'soft', 'soft', 'hard')`,
)

/** SQL: the detail without personal data, for events of a deleted contact (docs/api/consent.md#deleting). */
export const IMPERSONAL_DETAIL = sql`CASE
  WHEN type = 'unsubscribe' THEN detail
  WHEN type = 'bounce' AND detail LIKE '{%' THEN json_object('kind', ${BOUNCE_KIND}) END`
