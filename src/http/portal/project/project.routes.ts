import { Type } from '@sinclair/typebox'
import { hasRole } from '../../../access/permission.ts'
import { throttleUser } from '../../../accounts/throttle.ts'
import { iso, isoOrNull } from '../../../clock.ts'
import { invalid, invalidState } from '../../../errors.ts'
import { type ResolveTxt, systemTxt } from '../../../mail/dns.ts'
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../../../projects/api-keys.ts'
import { domainRecord, FOUND, lookUpDomain, noteLookup, proveDomain, readHostName } from '../../../projects/domains.ts'
import {
  createOwnProject,
  getProject,
  listProjectsOf,
  type Project,
  projectRecord,
  updateProject,
  SLUG,
} from '../../../projects/projects.ts'
import { enumOf, Instant, instantOf, name, nullable, obj, ruled, Timestamp } from '../../../schema.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Role } from '../../../shared/roles.ts'
import { KEY_SCOPES } from '../../../shared/scopes.ts'
import { serviceNames } from '../../core/hosts.ts'
import { type Route, route } from '../../core/route.ts'
import { MaybeTime, ProjectRecord, RoleName, Success } from '../../core/schemas.ts'

const DNS_RECORD = { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() }
const OwnProject = obj({
  ...ProjectRecord.properties,
  domain_status: Type.Optional(enumOf(['unproven', 'proven', 'lost'])),
  served_domain: Type.Optional(Type.String({ description: 'The domain that is served while another waits.' })),
  domain_record: Type.Optional(obj(DNS_RECORD)),
  role: RoleName,
})
const ApiKeyRecord = obj({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters of the key.' }),
  created_by: Type.String(),
  created_on: Timestamp,
  last_used_on: MaybeTime,
  role: nullable(RoleName),
  scopes: nullable(Type.Array(Type.String(), { description: 'Null: everything that the role may.' })),
  expires_on: MaybeTime,
})
const Name = ruled(Type.String(), name(100))
const Slug = ruled(Type.String({ description: 'Made from the name when left out.' }), { pattern: SLUG.source })
const Domain = nullable(ruled(Type.String(), { pattern: '^[\\p{L}\\p{M}\\p{N}.-]+$' }))

/**
 * `/project/…`: projects and their API keys (docs/api/platform.md#projects).
 *
 * @param resolveTxt reads TXT records
 */
export const projectRoutes = (resolveTxt: ResolveTxt = systemTxt): Route[] => [
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
    audit: { target: { answer: 'project' } },
    body: obj({
      name: Name,
      slug: Type.Optional(Slug),
      domain: Type.Optional(Domain),
    }),
    response: obj({ project: OwnProject }),
    errors: ['CONFLICT', 'INVALID_STATE'],
    async write({ name, slug, domain }, context) {
      const { tx, caller, config, now } = context
      refuseOwnHost(context, domain)
      const limits = { most: config.projects_per_user, now }
      const project = await createOwnProject(tx, { name, slug, domain: domain ?? undefined }, caller.user_id, limits)
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
    summary: 'Changes a project; `domain: null` removes its domain, another one is served once it is proven.',
    auth: 'session',
    role: 'administrator',
    audit: { target: 'project', changes: true },
    body: obj({
      name: Type.Optional(Name),
      slug: Type.Optional(Slug),
      domain: Type.Optional(Domain),
    }),
    response: obj({ project: OwnProject }),
    errors: ['CONFLICT'],
    async write(changes, context) {
      const { tx, project_id, role, now } = context
      refuseOwnHost(context, changes.domain)
      return { project: withRole(await updateProject(tx, project_id, changes, now), role) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/domain/verify',
    summary: 'Looks for the record that proves the domain of a project, and serves the domain when it is there.',
    auth: 'session',
    role: 'administrator',
    audit: { target: 'project' },
    response: obj({ project: OwnProject, found: enumOf(FOUND) }),
    errors: ['CONFLICT', 'INVALID_STATE', 'RATE_LIMITED'],
    async prepare(_, { db, project_id, limiter, caller, config }) {
      await throttleUser(limiter, 'domain', caller.user_id, config.logins_per_minute)
      const project = await getProject(db, project_id)
      const domain = project.domain_claim ?? project.domain
      if (domain === null) throw invalidState('The project has no domain.', 'none')
      return { project, domain, found: await lookUpDomain(project, domain, resolveTxt) }
    },
    async write(_, { tx, project_id, role, now }, { project, domain, found }) {
      // A record that is missing is left to the daily look-up, which tells the administrators.
      if (found === 'published') {
        await proveDomain(tx, project_id, domain, now)
        if (domain === project.domain) await noteLookup(tx, project, found, now)
      }
      return { project: withRole(await getProject(tx, project_id), role), found }
    },
  }),

  route({
    method: 'POST',
    path: '/project/api-keys/create',
    summary: 'Creates an API key. The response is the only place where the key itself is shown.',
    auth: 'session',
    role: 'administrator',
    audit: { target: { answer: 'api_key' }, details: ['role', 'scopes', 'expires_on'] },
    body: obj({
      name: Name,
      role: Type.Optional(RoleName),
      scopes: Type.Optional(Type.Array(enumOf(KEY_SCOPES), { minItems: 1, maxItems: KEY_SCOPES.length })),
      expires_on: Type.Optional(Instant),
    }),
    response: obj({ api_key: ApiKeyRecord, key: Type.String() }),
    errors: ['INVALID_STATE'],
    async write({ expires_on, ...wanted }, { tx, project_id, caller, now }) {
      const expires_at = expires_on === undefined ? undefined : instantOf(expires_on)
      if (expires_at === null) throw invalid('/expires_on', 'There is no such day.')
      const { user_id } = caller
      const { api_key, key } = await createApiKey(tx, project_id, { ...wanted, user_id, expires_at }, now)
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
    audit: { target: { kind: 'api_key', input: 'api_key_id' } },
    body: obj({ api_key_id: Type.String() }),
    response: Success,
    errors: ['NOT_FOUND'],
    async write({ api_key_id }, { tx, project_id, role, caller, now }) {
      await revokeApiKey(tx, api_key_id, { project_id, user_id: ownOnly(role, caller.user_id) }, now)
    },
  }),
]

/** The user whose keys a member may see, or undefined for all keys. */
function ownOnly(role: Role, user_id: string): string | undefined {
  return hasRole(role, 'administrator') ? undefined : user_id
}

function withRole(project: Project, role: Role) {
  const { domain, domain_claim, domain_lost_at } = project
  const set = domain_claim ?? domain
  return {
    ...projectRecord(project),
    ...(set === null ? {} : { domain: set, domain_status: statusOf(), domain_record: domainRecord(project, set) }),
    ...(domain_claim === null || domain === null ? {} : { served_domain: domain }),
    role,
  }

  function statusOf() {
    if (domain_claim !== null) return 'unproven' as const
    return domain_lost_at === null ? ('proven' as const) : ('lost' as const)
  }
}

/** VALIDATION_FAILED for the service's own hosts: a project's pages would replace the service there. */
function refuseOwnHost(runtime: Pick<Runtime, 'base_url' | 'config'>, domain: string | null | undefined): void {
  if (serviceNames(runtime).has(readHostName(domain ?? '') ?? ''))
    throw invalid('/domain', 'This is the address of the service itself.')
}

function apiKeyRecord({ user_id, created_at, last_used_at, expires_at, ...key }: ApiKey) {
  const { id, name, hint, role, scopes } = key
  return {
    ...{ id, name, hint, role, scopes, created_by: user_id, created_on: iso(created_at) },
    last_used_on: isoOrNull(last_used_at),
    expires_on: isoOrNull(expires_at),
  }
}
