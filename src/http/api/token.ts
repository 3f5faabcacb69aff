import { Type } from '@sinclair/typebox'
import { admit } from '../../access/permission.ts'
import { getUser } from '../../accounts/users.ts'
import { iso } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { findConnection } from '../../oauth/connected.ts'
import { getProject, listProjectsOf, projectRecord } from '../../projects/projects.ts'
import { check, obj } from '../../schema.ts'
import type { Runtime } from '../../runtime.ts'
import { forApp } from './app-request.ts'
import { readJson } from '../core/body.ts'
import type { Handler } from '../core/exchange.ts'

export const API_ROOT = '/general/api/v1'

const INVALID_TOKEN = { 'WWW-Authenticate': 'Bearer realm="masthead", error="invalid_token"' }

/** `GET /token/authorized_by`: the user behind the token. */
export function tokenAuthorizedBy(runtime: Runtime): Handler {
  return forApp(runtime, { method: 'GET', route: '/token/authorized_by' }, async (_, caller) => {
    const { id, email, first_name, last_name } = await getUser(runtime.store.db, caller.user_id)
    return { id, email, firstName: first_name, lastName: last_name }
  })
}

/** `GET /token/introspect`: what the token may do, where, and for which app. */
export function tokenIntrospect(runtime: Runtime): Handler {
  return forApp(runtime, { method: 'GET', route: '/token/introspect' }, async (_, caller) => {
    const connection = await findConnection(runtime.store.db, caller.authorization_id)
    if (!connection) throw new AppError('INVALID_TOKEN', 'The authorization has ended.', { headers: INVALID_TOKEN })
    const { app } = connection
    return {
      authorization: {
        id: connection.authorization_id,
        createdOn: iso(connection.created_at),
        grantType: connection.grant_type,
        scope: [...caller.scopes].join(' '),
        userId: connection.user_id,
        authorizedTo: { projectIds: connection.project_ids },
      },
      application: { id: app.id, description: app.description, homepage: app.homepage, displayName: app.display_name },
    }
  })
}

/** `GET /project/list`: the projects of the grant that its user is a member of at this moment. */
export function tokenProjectList(runtime: Runtime): Handler {
  return forApp(runtime, { method: 'GET', route: '/project/list' }, async (_, caller) => {
    const own = await listProjectsOf(runtime.store.db, caller.user_id)
    return { projects: own.filter(({ id }) => caller.project_ids.includes(id)).map(projectRecord) }
  })
}

const ProjectDetails = obj({ project_id: Type.String({ minLength: 1 }) })

/** `POST /project/details`: the record itself. */
export function tokenProjectDetails(runtime: Runtime): Handler {
  return forApp(runtime, { method: 'POST', route: '/project/details' }, async ({ request }, caller) => {
    const named = check(ProjectDetails, await readJson(request)).project_id
    const { project_id } = await admit(runtime.store.db, caller, named)
    return projectRecord(await getProject(runtime.store.db, project_id))
  })
}
