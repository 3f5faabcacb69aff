import { Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../clock.ts'
import { notFound } from '../../errors.ts'
import { endOwnAuthorization, withdrawProject } from '../../oauth/authorizations.ts'
import { type Authorization, authorizationsOfProject, authorizationsOfUser } from '../../oauth/connected.ts'
import { obj, Timestamp } from '../../schema.ts'
import { route } from '../core/route.ts'
import { MaybeTime, Success } from '../core/schemas.ts'

const AUTHORIZATION = {
  authorization_id: Type.String(),
  app: obj({ id: Type.String(), displayName: Type.String(), homepage: Type.String() }),
  scope: Type.String({ description: 'Scope names, separated by spaces.' }),
  created_on: Timestamp,
  last_used_on: MaybeTime,
}
const OwnAuthorization = obj({ ...AUTHORIZATION, project_ids: Type.Array(Type.String()) })
const AuthorizationOfMember = obj({ ...AUTHORIZATION, user_id: Type.String() })

/** The apps that act for a user, and those that act in a project. */
export const connectedAppRoutes = [
  route({
    method: 'GET',
    path: '/user/connected-apps',
    summary: 'The apps that the signed-in user has authorized, one entry for each authorization.',
    auth: 'session',
    response: obj({ connected_apps: Type.Array(OwnAuthorization) }),
    async read(_, { db, caller }) {
      const authorizations = await authorizationsOfUser(db, caller.user_id)
      return {
        connected_apps: authorizations.map((authorization) => ({
          ...record(authorization),
          project_ids: authorization.project_public_ids,
        })),
      }
    },
  }),

  route({
    method: 'DELETE',
    path: '/user/connected-apps/:authorizationId',
    summary: 'Ends an authorization with all its tokens.',
    auth: 'session',
    response: Success,
    async write({ authorizationId }, { tx, caller, now }) {
      const ended = await endOwnAuthorization(tx, authorizationId, caller.user_id, now)
      if (!ended) throw notFound('connected app')
    },
  }),

  route({
    method: 'POST',
    path: '/project/apps/list',
    summary: 'The apps that members have authorized for the project.',
    auth: 'session',
    role: 'administrator',
    response: obj({ apps: Type.Array(AuthorizationOfMember) }),
    async read(_, { db, project_id }) {
      const authorizations = await authorizationsOfProject(db, project_id)
      return {
        apps: authorizations.map((authorization) => ({ ...record(authorization), user_id: authorization.user_id })),
      }
    },
  }),

  route({
    method: 'POST',
    path: '/project/apps/disconnect',
    summary: 'Takes the project away from an app, whichever members authorized it.',
    auth: 'session',
    role: 'administrator',
    body: obj({ app_id: Type.String({ minLength: 1 }) }),
    response: Success,
    errors: ['NOT_FOUND'],
    async write({ app_id }, { tx, project_id, now }) {
      if (!(await withdrawProject(tx, app_id, project_id, now))) throw notFound('connected app', '/app_id')
    },
  }),
]

function record({ authorization_id, app, scope, created_at, last_used_at }: Authorization) {
  return {
    authorization_id,
    app: { id: app.id, displayName: app.display_name, homepage: app.homepage },
    scope,
    created_on: iso(created_at),
    last_used_on: isoOrNull(last_used_at),
  }
}
