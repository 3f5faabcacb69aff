import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'

/** The project with its domain. */
export type OwnProject = RouteResponse<'POST /project/get'>['project']

export const PROJECT = '/project/get'

export function useProject() {
  return useQuery(PROJECT, () => send('POST /project/get', { project_id: projectId() }))
}
