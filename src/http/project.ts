import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import type { SessionCaller } from '../access/caller.ts'
import { admit, hasRole, requireRole } from '../access/permission.ts'
import { requireSession } from '../access/session.ts'
import { iso, isoOrNull } from '../clock.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../projects/api-keys.ts'
import { listMembers, type Member } from '../projects/members.ts'
import { listProjectsOf, projectRecord } from '../projects/projects.ts'
import { check, obj } from '../schema.ts'
import type { Role } from '../store/tables/accounts.ts'
import type { Runtime } from '../store/runtime.ts'
import { parseJson, readJson, readText, requireJson } from './body.ts'
import { type Handler, json } from './exchange.ts'
import { newsletterDoor } from './operations.ts'
import { fromOwnPages, signedIn } from './session-route.ts'

/** `/project/newsletter/*`: every newsletter operation, by the session and role of a person. Keys and tokens are not looked at. */
export function dashboardNewsletter(runtime: Runtime, limiter: RateLimiter): Handler {
  return fromOwnPages(runtime, newsletterDoor(runtime, limiter, ({ request, now }) => requireSession(runtime, request.headers.get('cookie'), now)))
}

/** `POST /project/list`: the caller's own projects; the body may be left out. */
export function projectList(runtime: Runtime): Handler {
  return signedIn(runtime, async ({ request }, caller) => {
    const text = await readText(request, 64 * 1024)
    if (text !== '') {
      requireJson(request)
      check(obj({}), parseJson(text))
    }
    const projects = await listProjectsOf(runtime.store.db, caller.user_id)
    return json(200, { projects: projects.map((project) => ({ ...projectRecord(project), role: project.role })) })
  })
}

/** `POST /project/members/list` */
export function memberList(runtime: Runtime): Handler {
  return inProject(runtime, {}, async ({ project_id }) => {
    const members = await listMembers(runtime.store.db, project_id)
    return { members: members.map(memberRecord), invitations: [] }
  })
}

/** `POST /project/api-keys/create`: administrators and owners; the key is shown this once. */
export function apiKeyCreate(runtime: Runtime): Handler {
  return inProject(runtime, { name: Type.String() }, async ({ project_id, role, caller, now }, { name }) => {
    requireRole(role, 'administrator')
    const { api_key, key } = await runtime.store.write((tx) => createApiKey(tx, project_id, caller.user_id, name, now))
    return { api_key: apiKeyRecord(api_key), key }
  })
}

/** `POST /project/api-keys/list`: administrators and owners see all, others their own. */
export function apiKeyList(runtime: Runtime): Handler {
  return inProject(runtime, {}, async ({ project_id, role, caller }) => {
    const keys = await listApiKeys(runtime.store.db, project_id, ownOnly(role, caller))
    return { api_keys: keys.map(apiKeyRecord) }
  })
}

/** `POST /project/api-keys/revoke`: what one may see, one may end. */
export function apiKeyRevoke(runtime: Runtime): Handler {
  return inProject(runtime, { api_key_id: Type.String() }, async ({ project_id, role, caller, now }, { api_key_id }) => {
    await runtime.store.write((tx) => revokeApiKey(tx, api_key_id, { project_id, user_id: ownOnly(role, caller) }, now))
    return { success: true }
  })
}

interface Admission {
  project_id: string
  role: Role
  caller: SessionCaller
  now: number
}

/** A route about the project that the body names, for its members. */
function inProject<P extends TProperties>(runtime: Runtime, properties: P, run: (admission: Admission, input: Static<TObject<P>>) => Promise<unknown>): Handler {
  const schema = obj({ project_id: Type.String({ minLength: 1 }), ...properties })
  return signedIn(runtime, async ({ request, now }, caller) => {
    const input = check(schema, await readJson(request)) as unknown as Static<TObject<P>> & { project_id: string }
    const { project_id, role } = await admit(runtime.store.db, caller, input.project_id)
    return json(200, await run({ project_id, role, caller, now }, input))
  })
}

function ownOnly(role: Role, caller: SessionCaller): string | undefined {
  return hasRole(role, 'administrator') ? undefined : caller.user_id
}

function memberRecord({ user_id, email, first_name, last_name, role, added_at }: Member) {
  return { user_id, email, firstName: first_name, lastName: last_name, role, added_on: iso(added_at) }
}

function apiKeyRecord({ id, name, hint, user_id, created_at, last_used_at }: ApiKey) {
  return { id, name, hint, created_by: user_id, created_on: iso(created_at), last_used_on: isoOrNull(last_used_at) }
}
