import { Type } from '@sinclair/typebox'
import { getConnection } from '../../../newsletter/connections/connection.ts'
import { listUnread, UnreadReport } from '../../../newsletter/connections/unread-reports.ts'
import { Id, obj } from '../../../schema.ts'
import { route } from '../../core/route.ts'

/** `/project/connections/unread-reports` (docs/api/delivery.md#what-was-not-understood). */
export const unreadReportsRoute = route({
  method: 'POST',
  path: '/project/connections/unread-reports',
  summary: "What a connection's webhook received in 30 days and did not understand.",
  auth: 'session',
  role: 'administrator',
  body: obj({ connection_id: Id }),
  errors: ['NOT_FOUND'],
  response: obj({ unread_reports: Type.Array(UnreadReport) }),
  async read({ connection_id }, { db, project_id, now }) {
    const { id } = await getConnection(db, project_id, connection_id)
    return { unread_reports: await listUnread(db, id, now) }
  },
})
