import { Type } from '@sinclair/typebox'
import { getUser } from '../../accounts/users.ts'
import { iso } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { findAuthorization } from '../../oauth/connected.ts'
import { OAUTH_PATHS } from '../../oauth/metadata.ts'
import { getProject, listProjectsOf, projectRecord } from '../../projects/projects.ts'
import { obj, Timestamp } from '../../schema.ts'
import { API_ROOT } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { ProjectRecord } from '../core/schemas.ts'

const INVALID_TOKEN = { 'WWW-Authenticate': 'Bearer realm="masthead", error="invalid_token"' }

const Introspection = obj({
  authorization: obj({
    id: Type.String(),
    createdOn: Timestamp,
    grantType: Type.String(),
    scope: Type.String({ description: 'Scope names, separated by spaces.' }),
    userId: Type.String(),
    authorizedTo: obj({ projectIds: Type.Array(Type.String()) }),
  }),
  application: obj({
    id: Type.String(),
    description: Type.String(),
    homepage: Type.String(),
    displayName: Type.String(),
  }),
})

/** Routes that describe an app's access token and list the projects that it reaches. */
export const tokenRoutes = [
  route({
    method: 'GET',
    path: `${API_ROOT}/token/authorized_by`,
    summary: 'The user who authorized the app.',
    auth: 'oauth',
    response: obj({ id: Type.String(), email: Type.String(), firstName: Type.String(), lastName: Type.String() }),
    async read(_, { db, caller }) {
      const { id, email, first_name, last_name } = await getUser(db, caller.user_id)
      return { id, email, firstName: first_name, lastName: last_name }
    },
  }),

  route({
    method: 'GET',
    path: OAUTH_PATHS.userinfo,
    summary: 'The user who authorized the app, under the names of OpenID Connect.',
    auth: 'oauth',
    scope: 'profile',
    response: obj({ sub: Type.String(), name: Type.String(), email: Type.String() }),
    async read(_, { db, caller }) {
      const { id, email, first_name, last_name } = await getUser(db, caller.user_id)
      return { sub: id, name: `${first_name} ${last_name}`.trim(), email }
    },
  }),

  route({
    method: 'GET',
    path: `${API_ROOT}/token/introspect`,
    summary: 'The scope and the projects of the token, and its app.',
    auth: 'oauth',
    response: Introspection,
    async read(_, { db, caller }) {
      const authorization = await findAuthorization(db, caller.authorization_id)
      if (!authorization)
        throw new AppError('INVALID_TOKEN', 'The authorization has ended.', { headers: INVALID_TOKEN })
      const { app } = authorization
      return {
        authorization: {
          id: authorization.authorization_id,
          createdOn: iso(authorization.created_at),
          grantType: authorization.grant_type,
          scope: [...caller.scopes].join(' '),
          userId: authorization.user_id,
          authorizedTo: { projectIds: authorization.project_public_ids },
        },
        application: {
          id: app.id,
          description: app.description,
          homepage: app.homepage,
          displayName: app.display_name,
        },
      }
    },
  }),

  route({
    method: 'GET',
    path: `${API_ROOT}/project/list`,
    summary: 'The projects of the authorization that its user is a member of now.',
    auth: 'oauth',
    response: obj({ projects: Type.Array(ProjectRecord) }),
    async read(_, { db, caller }) {
      const own = await listProjectsOf(db, caller.user_id)
      return { projects: own.filter(({ public_id }) => caller.projects.has(public_id)).map(projectRecord) }
    },
  }),

  route({
    method: 'POST',
    path: `${API_ROOT}/project/details`,
    summary: 'One project.',
    auth: 'oauth',
    role: 'member',
    response: ProjectRecord,
    read: async (_, { db, project_id }) => projectRecord(await getProject(db, project_id)),
  }),
]
