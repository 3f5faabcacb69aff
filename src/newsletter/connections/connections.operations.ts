import { DAY_MS } from '../../clock.ts'
import { Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { read } from '../../operation/declare.ts'
import { Cursor, enumOf, Limit, nullable, obj } from '../../schema.ts'
import { page } from '../../store/page.ts'
import { connections } from '../../store/tables/delivery.ts'
import { dailyLimit, sentByConnection } from '../outbox/quota.ts'
import type { Connection } from './connection.ts'
import { ConnectionResource, connectionResources } from './resource.ts'

/** The number of coming days whose warm-up limits are listed. */
const DAYS_AHEAD = 7

const Count = Type.Integer({ minimum: 0 })
const Usage = obj({
  sent_in_24_hours: Count,
  limit: nullable(Type.Integer({ minimum: 0, description: 'Of 24 hours now, warm-up included; null for none.' })),
  limits_ahead: Type.Array(nullable(Count), {
    description: 'The limits of the coming days while the connection warms up; empty otherwise.',
  }),
})
const ListedConnection = obj({ ...ConnectionResource.properties, usage: Type.Optional(Usage) })

export const listConnections = read({
  path: '/connections/list',
  scope: 'read',
  summary: 'Lists the connections, without their secrets.',
  request: obj({
    include: Type.Optional(
      Type.Array(enumOf(['usage']), { maxItems: 1, description: 'Adds these to each connection.' }),
    ),
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Cursor),
  }),
  response: obj({ items: Type.Array(ListedConnection), next_cursor: nullable(Type.String()) }),
  async run({ include, limit, cursor }, { db, keys, project_id, now }) {
    const shown = await connectionResources(db, project_id)
    const sent = include ? await sentByConnection(db, project_id, now) : null
    return page(
      { keys, operation: '/connections/list', project_id, filters: {}, cursor, limit },
      (after, most) =>
        db
          .select()
          .from(connections)
          .where(
            and(
              eq(connections.project_id, project_id),
              after ? sql`(created_at, id) > (${after.created_at}, ${after.id})` : undefined,
            ),
          )
          .orderBy(connections.created_at, connections.id)
          .limit(most),
      (row) => ({ ...shown(row), ...(sent ? { usage: usageOf(row, sent.get(row.id) ?? 0, now) } : {}) }),
    )
  },
})

function usageOf(row: Connection, sent: number, now: number) {
  const days = row.warm_up_started_at === null ? 0 : DAYS_AHEAD
  return {
    sent_in_24_hours: Math.max(0, sent),
    limit: dailyLimit(row, now),
    limits_ahead: Array.from({ length: days }, (_, index) => dailyLimit(row, now + (index + 1) * DAY_MS)),
  }
}
