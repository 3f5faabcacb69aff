import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { enumOf, nullable, obj, Timestamp } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../store/tables/delivery.ts'

const MAX_TESTS = 20

/** The test messages of a campaign that were asked for last, and those under way (docs/api/campaigns.md#test-messages). */
export const LatestTests = Type.Array(
  obj({
    email: Type.String(),
    status: enumOf(DELIVERY_STATUSES),
    at: Timestamp,
    error: nullable(Type.String({ description: 'What the relay said last.' })),
  }),
  { maxItems: MAX_TESTS, description: 'The test messages that were asked for last, newest first.' },
)

/** The content of earlier test messages was removed when the latest were asked for. */
export async function latestTests(db: Reader, campaign_id: number): Promise<Static<typeof LatestTests>> {
  const rows = await db.all<{
    email: string
    status: DeliveryStatus
    created_at: number
    last_error: string | null
  }>(sql`
    SELECT email, status, created_at, last_error FROM deliveries INDEXED BY deliveries_tests
    WHERE campaign_id = ${campaign_id} AND kind = 'test' AND content IS NOT NULL
    ORDER BY id DESC LIMIT ${MAX_TESTS}`)
  return rows.map(({ email, status, created_at, last_error }) => ({
    ...{ email, status, at: iso(created_at), error: last_error },
  }))
}
