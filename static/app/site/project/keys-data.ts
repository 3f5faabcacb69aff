import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'

export type Key = RouteResponse<'POST /project/api-keys/list'>['api_keys'][number]

export const KEYS = '/project/api-keys/list'

/** The keys in use: all of them for administrators, the user's own for others. */
export function useKeys() {
  return useQuery(KEYS, () => send('POST /project/api-keys/list', { project_id: projectId() }))
}
