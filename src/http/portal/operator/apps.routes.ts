import { type Static, Type } from '@sinclair/typebox'
import { iso } from '../../../clock.ts'
import { listAllApps, type ListedApp } from '../../../developer/directory.ts'
import { enumOf, Id, nullable, obj, Timestamp } from '../../../schema.ts'
import { APP_STATUSES } from '../../../store/tables/apps.ts'
import { route } from '../../core/route.ts'
import { OPERATOR, PAGE_QUERY, SEARCH } from './people.routes.ts'

const ListedRecord = obj({
  id: Type.String(),
  displayName: Type.String(),
  client_type: enumOf(['confidential', 'public']),
  status: enumOf(APP_STATUSES),
  creator: obj({ user_id: Type.String(), email: Type.String() }),
  live_version: nullable(Type.Integer({ description: 'The number of the version that sites get.' })),
  pending_review_id: nullable(Id),
  users: Type.Integer({ description: 'Users who have authorized the app.' }),
  projects: Type.Integer({ description: 'Projects that they chose.' }),
  script_connections: Type.Integer(),
  suspension: nullable(obj({ suspended_on: Timestamp, suspended_by: Type.String(), comment: Type.String() })),
  created_on: Timestamp,
})

/** `/user/operator/apps/list` (docs/api/operator.md#apps). Reviews and suspensions have routes of their own. */
export const operatorAppRoutes = [
  route({
    ...OPERATOR,
    path: '/user/operator/apps/list',
    summary: 'All apps, newest first; for administrators of the service.',
    body: obj({
      search: SEARCH,
      status: Type.Optional(enumOf(APP_STATUSES)),
      suspended: Type.Optional(Type.Boolean()),
      waiting: Type.Optional(Type.Boolean({ description: 'Whether a version waits for a review.' })),
      ...PAGE_QUERY,
    }),
    response: obj({ items: Type.Array(ListedRecord), next_cursor: nullable(Type.String()) }),
    errors: ['INVALID_CURSOR'],
    async read(query, { store, keys }) {
      const { items, next_cursor } = await listAllApps(store, keys, query)
      return { items: items.map(listedRecord), next_cursor }
    },
  }),
]

function listedRecord({ display_name, suspension, created_at, ...app }: ListedApp): Static<typeof ListedRecord> {
  return {
    ...app,
    displayName: display_name,
    suspension: suspension && {
      suspended_on: iso(suspension.at),
      suspended_by: suspension.user_id,
      comment: suspension.comment,
    },
    created_on: iso(created_at),
  }
}
