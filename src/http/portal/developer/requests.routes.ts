import { type Static, Type } from '@sinclair/typebox'
import { iso } from '../../../clock.ts'
import { openApp } from '../../../developer/apps.ts'
import { KEPT_CHARACTERS } from '../../../developer/kept-body.ts'
import { getRequest, type ListedRequest, listRequests } from '../../../developer/request-log.ts'
import { enumOf, Id, Limit, nullable, obj, Timestamp } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { APPS } from './apps.routes.ts'

const REQUESTS = `${APPS}/:id/requests` as const

const RequestRecord = obj({
  id: Id,
  time: Timestamp,
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  request_id: Type.String(),
  duration_ms: Type.Integer(),
  error: nullable(Type.String({ description: 'The code of a refusal, as the answer carried it.' })),
  project_id: nullable(Type.String({ description: 'The project that the request named.' })),
})
const LogText = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const
const KeptJson = nullable(Type.String({ maxLength: KEPT_CHARACTERS }))

/** `/user/developer/apps/:id/requests…`: the request log of an app (docs/api/platform.md#request-log). */
export const requestLogRoutes = [
  route({
    method: 'GET',
    path: REQUESTS,
    summary: 'What the app called in the last seven days, newest first.',
    auth: 'session',
    query: Type.Object({
      limit: Type.Optional(Limit),
      before_id: Type.Optional(Id),
      request_id: LogText,
      status: Type.Optional(Id),
      status_class: Type.Optional(enumOf(CLASSES)),
      error: LogText,
      project: LogText,
      method: LogText,
      route: LogText,
    }),
    response: obj({ requests: Type.Array(RequestRecord) }),
    errors: ['FORBIDDEN'],
    async read({ id, limit = 50, status_class, ...filter }, { db, writeLogs, caller, now }) {
      const app = await openApp(db, id, caller.user_id, 'change')
      // The log is written in the background. The list includes what still waits, so it writes that first.
      await writeLogs()
      const of_class = status_class === undefined ? {} : { status_class: Number(status_class[0]) }
      const requests = await listRequests(db, app.id, { limit, ...filter, ...of_class }, now)
      return { requests: requests.map(requestRecord) }
    },
  }),

  route({
    method: 'GET',
    path: `${REQUESTS}/:requestId`,
    summary: 'One call of the app, with the beginnings of its request and its answer where they are kept.',
    auth: 'session',
    params: Type.Object({ requestId: Id }),
    response: obj({
      request: obj({
        ...RequestRecord.properties,
        address: nullable(Type.String()),
        sent: KeptJson,
        answer: KeptJson,
      }),
    }),
    errors: ['FORBIDDEN'],
    async read({ id, requestId }, { db, caller, now }) {
      const app = await openApp(db, id, caller.user_id, 'change')
      const row = await getRequest(db, app.id, requestId, now)
      const { address, request: sent, answer } = row
      return { request: { ...requestRecord(row), address, sent, answer } }
    },
  }),
]

function requestRecord(row: ListedRequest): Static<typeof RequestRecord> {
  const { id, at, method, route, status, request_id, duration_ms, error, project } = row
  return { id, time: iso(at), method, route, status, request_id, duration_ms, error, project_id: project }
}
