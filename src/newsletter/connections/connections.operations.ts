import { Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { read } from '../../operation/declare.ts'
import { Cursor, Limit, nullable, obj } from '../../schema.ts'
import { page } from '../../store/page.ts'
import { connections } from '../../store/tables/delivery.ts'
import { ConnectionResource, connectionResources } from './resource.ts'

export const listConnections = read({
  path: '/connections/list',
  scope: 'read',
  summary: 'Lists the connections, without their secrets.',
  request: obj({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({ items: Type.Array(ConnectionResource), next_cursor: nullable(Type.String()) }),
  async run({ limit, cursor }, { db, keys, project_id }) {
    const shown = await connectionResources(db, project_id)
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
      shown,
    )
  },
})
