import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'

/**
 * What the column `detail` of an event says. That of a bounce is JSON: its kind, and what the server said if it said
 * anything. A bounce with another detail, or none, is hard. The details of other events are plain text.
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

/** What the detail still says after the contact was deleted: nothing personal (docs/api/consent.md#deleting). */
export const IMPERSONAL_DETAIL = sql`CASE
  WHEN type = 'unsubscribe' THEN detail
  WHEN type = 'bounce' AND detail LIKE '{%' THEN json_object('kind', ${BOUNCE_KIND}) END`
