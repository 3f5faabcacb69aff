import { type Static, Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../../clock.ts'
import { notFound } from '../../../errors.ts'
import { endOwnAuthorization, withdrawProject } from '../../../oauth/authorizations.ts'
import { type Authorization, authorizationsOfProject, authorizationsOfUser } from '../../../oauth/connected.ts'
import { makersOf } from '../../../oauth/granting.ts'
import { scopeNames, SCOPES } from '../../../shared/scopes.ts'
import { listProjectsOf, type Project } from '../../../projects/projects.ts'
import { nullable, obj, Timestamp } from '../../../schema.ts'
import { listConnections } from '../../../scripts/connections.ts'
import type { Reader } from '../../../store/open.ts'
import { route } from '../../core/route.ts'
import { MaybeTime, Success } from '../../core/schemas.ts'

const AUTHORIZATION = {
  authorization_id: Type.String(),
  app: obj({ id: Type.String(), displayName: Type.String(), homepage: Type.String() }),
  scope: Type.String({ description: 'Scope names, separated by spaces.' }),
  created_on: Timestamp,
  last_used_on: MaybeTime,
}
const OwnAuthorization = obj({ ...AUTHORIZATION, project_ids: Type.Array(Type.String()) })
const AuthorizationOfMember = obj({ ...AUTHORIZATION, user_id: Type.String() })

const Grant = obj({
  ...AUTHORIZATION,
  maker: nullable(Type.String()),
  permissions: Type.Array(Type.String(), { description: 'What it may, as the consent page says it.' }),
  projects: Type.Array(obj({ id: Type.String(), slug: Type.String(), name: Type.String() })),
  scripts: Type.Array(
    obj({
      project_id: Type.String(),
      names: Type.Array(Type.String()),
      stay: Type.Boolean({ description: 'Another connection of the app keeps them when this one ends.' }),
    }),
    { description: "The app's scripts on the pages of these projects." },
  ),
})

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
    method: 'GET',
    path: '/user/connected-apps/overview',
    summary: 'The apps that the signed-in user has authorized, with what they may and what ends with them.',
    auth: 'session',
    response: obj({ connected_apps: Type.Array(Grant) }),
    read: async (_, { db, caller }) => ({ connected_apps: await grantsOf(db, caller.user_id) }),
  }),

  route({
    method: 'DELETE',
    path: '/user/connected-apps/:authorizationId',
    summary: 'Ends an authorization with all its tokens.',
    auth: 'session',
    audit: { target: { kind: 'authorization', input: 'authorizationId' } },
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
    audit: { target: { kind: 'app', input: 'app_id' } },
    body: obj({ app_id: Type.String({ minLength: 1 }) }),
    response: Success,
    errors: ['NOT_FOUND'],
    async write({ app_id }, { tx, project_id, now }) {
      if (!(await withdrawProject(tx, app_id, project_id, now))) throw notFound('connected app', '/app_id')
    },
  }),
]

async function grantsOf(db: Reader, user_id: string): Promise<Static<typeof Grant>[]> {
  const [authorizations, own] = await Promise.all([authorizationsOfUser(db, user_id), listProjectsOf(db, user_id)])
  const makers = await makersOf(
    db,
    authorizations.map(({ app }) => app.id),
  )
  return Promise.all(
    authorizations.map(async (authorization) => {
      const projects = own.filter(({ public_id }) => authorization.project_public_ids.includes(public_id))
      const scripts = await Promise.all(projects.map((project) => scriptsIn(db, project, authorization)))
      return {
        ...record(authorization),
        maker: makers.get(authorization.app.id) ?? null,
        permissions: scopeNames(authorization.scope).map((scope) => SCOPES[scope]?.label ?? scope),
        projects: projects.map(({ public_id, slug, name }) => ({ id: public_id, slug, name })),
        scripts: scripts.filter(({ names }) => names.length > 0),
      }
    }),
  )
}

/** The app's scripts in a project of the grant, and whether they stay when the grant ends. */
async function scriptsIn(db: Reader, { id, public_id }: Project, { app, authorization_id }: Authorization) {
  const [authorizations, connections] = await Promise.all([authorizationsOfProject(db, id), listConnections(db, id)])
  return {
    project_id: public_id,
    names: connections.filter((script) => script.app.id === app.id).map(({ name }) => name),
    stay: authorizations.some((other) => other.app.id === app.id && other.authorization_id !== authorization_id),
  }
}

function record({ authorization_id, app, scope, created_at, last_used_at }: Authorization) {
  return {
    authorization_id,
    app: { id: app.id, displayName: app.display_name, homepage: app.homepage },
    scope,
    created_on: iso(created_at),
    last_used_on: isoOrNull(last_used_at),
  }
}
