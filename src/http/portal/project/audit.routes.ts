import { type Static, Type } from '@sinclair/typebox'
import { type AuditItem, type AuditQuery, listAudit } from '../../../audit/list.ts'
import { namesIn } from '../../../audit/names.ts'
import { invalid } from '../../../errors.ts'
import { getProject } from '../../../projects/projects.ts'
import { Cursor, enumOf, Id, Instant, instantOf, Limit, nullable, obj, Timestamp } from '../../../schema.ts'
import type { Reader } from '../../../store/open.ts'
import type { Page } from '../../../store/page.ts'
import { AUDIT_OUTCOMES } from '../../../store/tables/audit.ts'
import { route } from '../../core/route.ts'

const Text = Type.String({ minLength: 1, maxLength: 200 })

const Query = obj({
  actor: Type.Optional(Text),
  action: Type.Optional(Text),
  targets: Type.Optional(
    Type.Array(Text, { minItems: 1, maxItems: 200, description: 'The rows of any of these things.' }),
  ),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
})

const Item = obj({
  id: Id,
  at: Timestamp,
  actor: Type.String(),
  action: Type.String(),
  target: nullable(Type.String()),
  ip: nullable(Type.String()),
  request_id: nullable(Type.String()),
  project_id: nullable(Type.String()),
  outcome: enumOf(AUDIT_OUTCOMES),
  details: Type.Record(Type.String(), Type.Unknown()),
})
const Rows = obj({
  items: Type.Array(Item),
  next_cursor: nullable(Type.String()),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'The present names of targets, actors and ids in details, by kind and id.',
  }),
})

/** Routes that list the audit log of a project and of the whole service (docs/api/audit.md#reading). */
export const auditRoutes = [
  route({
    method: 'POST',
    path: '/project/audit/list',
    summary: 'The audit log of the project, newest first.',
    auth: 'session',
    role: 'administrator',
    body: Query,
    response: Rows,
    errors: ['INVALID_CURSOR'],
    read: (query, { db, store, keys, project_id }) =>
      withNames(db, listAudit({ db, heavy: store.heavy }, keys, project_id, withTimes(query))),
  }),

  route({
    method: 'POST',
    path: '/user/operator/audit/list',
    summary: 'The audit log of the whole service, newest first; for administrators of the service.',
    auth: 'session',
    operator: true,
    body: obj({ ...Query.properties, project_id: Type.Optional(Type.String({ minLength: 1 })) }),
    response: Rows,
    errors: ['INVALID_CURSOR', 'NOT_FOUND'],
    async read({ project_id, ...query }, { db, store, keys }) {
      const project = project_id === undefined ? null : await getProject(db, project_id)
      return withNames(db, listAudit({ db, heavy: store.heavy }, keys, project?.id ?? null, withTimes(query)))
    },
  }),
]

async function withNames(db: Reader, listed: Promise<Page<AuditItem>>) {
  const found = await listed
  return { ...found, names: await namesIn(db, found.items) }
}

function withTimes({ from, to, ...query }: Static<typeof Query>): AuditQuery {
  return { ...query, from: timeOf(from, '/from'), to: timeOf(to, '/to') }
}

function timeOf(given: string | undefined, path: string): number | undefined {
  const at = given === undefined ? undefined : instantOf(given)
  if (at === null) throw invalid(path, 'This day does not exist.')
  return at
}
