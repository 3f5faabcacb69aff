import { Type } from '@sinclair/typebox'
import { hasRole } from '../../access/permission.ts'
import { iso, isoOrNull } from '../../clock.ts'
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../../projects/api-keys.ts'
import {
  createProject,
  getProject,
  listProjectsOf,
  type Project,
  projectRecord,
  refuseOwnHost,
  updateProject,
} from '../../projects/projects.ts'
import { nullable, obj, Timestamp } from '../../schema.ts'
import type { Role } from '../../store/tables/accounts.ts'
import { route } from '../core/route.ts'
import { MaybeTime, ProjectRecord, RoleName, Success } from '../core/schemas.ts'

const OwnProject = obj({ ...ProjectRecord.properties, role: RoleName })
const ApiKeyRecord = obj({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the key.' }),
  created_by: Type.String(),
  created_on: Timestamp,
  last_used_on: MaybeTime,
})
const Domain = nullable(Type.String())

/** `/project/…`: projects and their API keys (docs/api/platform.md#projects). */
export const projectRoutes = [
  route({
    method: 'POST',
    path: '/project/list',
    summary: 'The projects that the signed-in user is a member of.',
    auth: 'session',
    body: obj({}),
    max_body: 64 * 1024,
    response: obj({ projects: Type.Array(OwnProject) }),
    async read(_, { db, caller }) {
      const projects = await listProjectsOf(db, caller.user_id)
      return { projects: projects.map((project) => withRole(project, project.role)) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/create',
    summary: 'Creates a project. Its creator becomes its owner.',
    auth: 'session',
    body: obj({ name: Type.String(), slug: Type.String(), domain: Type.Optional(Domain) }),
    response: obj({ project: OwnProject }),
    errors: ['CONFLICT'],
    async write({ domain, ...named }, { tx, caller, base_url, now }) {
      refuseOwnHost(domain, base_url)
      const project = await createProject(tx, { ...named, domain: domain ?? undefined }, caller.user_id, now)
      return { project: withRole(project, 'owner') }
    },
  }),

  route({
    method: 'POST',
    path: '/project/get',
    summary: 'One project.',
    auth: 'session',
    role: 'member',
    response: obj({ project: OwnProject }),
    read: async (_, { db, project_id, role }) => ({ project: withRole(await getProject(db, project_id), role) }),
  }),

  route({
    method: 'POST',
    path: '/project/update',
    summary: 'Changes a project; `domain: null` removes its domain.',
    auth: 'session',
    role: 'administrator',
    body: obj({
      name: Type.Optional(Type.String()),
      slug: Type.Optional(Type.String()),
      domain: Type.Optional(Domain),
    }),
    response: obj({ project: OwnProject }),
    errors: ['CONFLICT'],
    async write(changes, { tx, project_id, role, base_url, now }) {
      refuseOwnHost(changes.domain, base_url)
      return { project: withRole(await updateProject(tx, project_id, changes, now), role) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/api-keys/create',
    summary: 'Creates an API key. The response is the only place where the key itself is shown.',
    auth: 'session',
    role: 'administrator',
    body: obj({ name: Type.String() }),
    response: obj({ api_key: ApiKeyRecord, key: Type.String() }),
    async write({ name }, { tx, project_id, caller, now }) {
      const { api_key, key } = await createApiKey(tx, project_id, caller.user_id, name, now)
      return { api_key: apiKeyRecord(api_key), key }
    },
  }),

  route({
    method: 'POST',
    path: '/project/api-keys/list',
    summary: 'The API keys in use: administrators see all of them, other members their own.',
    auth: 'session',
    role: 'member',
    response: obj({ api_keys: Type.Array(ApiKeyRecord) }),
    async read(_, { db, project_id, role, caller }) {
      const keys = await listApiKeys(db, { project_id, user_id: ownOnly(role, caller.user_id) })
      return { api_keys: keys.map(apiKeyRecord) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/api-keys/revoke',
    summary: 'Revokes an API key that the caller can see.',
    auth: 'session',
    role: 'member',
    body: obj({ api_key_id: Type.String() }),
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ api_key_id }, { tx, project_id, role, caller, now }) =>
      revokeApiKey(tx, api_key_id, { project_id, user_id: ownOnly(role, caller.user_id) }, now),
  }),
]

/** The user whose keys a member may see, or undefined for all keys. */
function ownOnly(role: Role, user_id: string): string | undefined {
  return hasRole(role, 'administrator') ? undefined : user_id
}

function withRole(project: Project, role: Role) {
  return { ...projectRecord(project), role }
}

function apiKeyRecord({ id, name, hint, user_id, created_at, last_used_at }: ApiKey) {
  return { id, name, hint, created_by: user_id, created_on: iso(created_at), last_used_on: isoOrNull(last_used_at) }
}
