import type { ProjectId } from '../../ids.ts'
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import type { SessionCaller } from '../../access/caller.ts'
import { admit, hasRole, requireRole } from '../../access/permission.ts'
import { requireSession } from '../../access/session.ts'
import { iso, isoOrNull } from '../../clock.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
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
import { check, nullable, obj } from '../../schema.ts'
import type { Tx } from '../../store/open.ts'
import type { Role } from '../../store/tables/accounts.ts'
import type { Runtime } from '../../runtime.ts'
import { parseJson, readJson, readText, requireJson } from '../core/body.ts'
import { type Handler, json } from '../core/exchange.ts'
import { newsletterHandler } from '../api/operations.ts'
import { fromOwnPages, signedIn } from '../core/session-route.ts'

/** `/project/newsletter/*`: every newsletter operation, by the session and role of a person. Keys and tokens are not looked at. */
export function dashboardNewsletter(runtime: Runtime, limiter: RateLimiter): Handler {
  return fromOwnPages(
    runtime,
    newsletterHandler(runtime, limiter, ({ request, now }) =>
      requireSession(runtime, request.headers.get('cookie'), now),
    ),
  )
}

/** `/project/…`: projects and their API keys. Method, path and handler of each route. */
export function projectRoutes(runtime: Runtime): [string, string, Handler][] {
  return [
    ['POST', '/project/list', projectList(runtime)],
    ['POST', '/project/create', projectCreate(runtime)],
    ['POST', '/project/get', projectGet(runtime)],
    ['POST', '/project/update', projectUpdate(runtime)],
    ['POST', '/project/api-keys/create', apiKeyCreate(runtime)],
    ['POST', '/project/api-keys/list', apiKeyList(runtime)],
    ['POST', '/project/api-keys/revoke', apiKeyRevoke(runtime)],
  ]
}

/** The caller's own projects; the body may be left out. */
function projectList(runtime: Runtime): Handler {
  return signedIn(runtime, async ({ request }, caller) => {
    const text = await readText(request, 64 * 1024)
    if (text !== '') {
      requireJson(request)
      check(obj({}), parseJson(text))
    }
    const projects = await listProjectsOf(runtime.store.db, caller.user_id)
    return json(200, { projects: projects.map((project) => withRole(project, project.role)) })
  })
}

const NewProject = obj({ name: Type.String(), slug: Type.String(), domain: Type.Optional(nullable(Type.String())) })

/** Whoever is signed in may make a project, and owns it. */
function projectCreate(runtime: Runtime): Handler {
  return signedIn(runtime, async ({ request, now }, { user_id }) => {
    const { domain, ...named } = check(NewProject, await readJson(request))
    refuseOwnHost(domain, runtime.base_url)
    const project = await runtime.store.write((tx) =>
      createProject(tx, { ...named, domain: domain ?? undefined }, user_id, now),
    )
    return json(200, { project: withRole(project, 'owner') })
  })
}

function projectGet(runtime: Runtime): Handler {
  return inProject(runtime, {}, async ({ project_id, role }) => ({
    project: withRole(await getProject(runtime.store.db, project_id), role),
  }))
}

const CHANGES = {
  name: Type.Optional(Type.String()),
  slug: Type.Optional(Type.String()),
  domain: Type.Optional(nullable(Type.String())),
}

/** Administrators and owners; `domain: null` takes the domain away. */
function projectUpdate(runtime: Runtime): Handler {
  return inProject(runtime, CHANGES, async (admission, { project_id: _, ...changes }) => {
    refuseOwnHost(changes.domain, runtime.base_url)
    return runtime.store.write(async (tx) => {
      const { role } = await stillIn(tx, admission)
      requireRole(role, 'administrator')
      return { project: withRole(await updateProject(tx, admission.project_id, changes, admission.now), role) }
    })
  })
}

/** Administrators and owners; the key is shown this once. */
function apiKeyCreate(runtime: Runtime): Handler {
  return inProject(runtime, { name: Type.String() }, async ({ project_id, role, caller, now }, { name }) => {
    requireRole(role, 'administrator')
    const { api_key, key } = await runtime.store.write((tx) => createApiKey(tx, project_id, caller.user_id, name, now))
    return { api_key: apiKeyRecord(api_key), key }
  })
}

/** Administrators and owners see all, others their own. */
function apiKeyList(runtime: Runtime): Handler {
  return inProject(runtime, {}, async ({ project_id, role, caller }) => {
    const keys = await listApiKeys(runtime.store.db, { project_id, user_id: ownOnly(role, caller) })
    return { api_keys: keys.map(apiKeyRecord) }
  })
}

/** What one may see, one may end. */
function apiKeyRevoke(runtime: Runtime): Handler {
  return inProject(
    runtime,
    { api_key_id: Type.String() },
    async ({ project_id, role, caller, now }, { api_key_id }) => {
      await runtime.store.write((tx) =>
        revokeApiKey(tx, api_key_id, { project_id, user_id: ownOnly(role, caller) }, now),
      )
      return { success: true }
    },
  )
}

export interface Admission {
  project_id: ProjectId
  project_public_id: string
  role: Role
  caller: SessionCaller
  now: number
}

/** A route about the project that the body names, for its members. */
export function inProject<P extends TProperties>(
  runtime: Runtime,
  properties: P,
  run: (admission: Admission, input: Static<TObject<P>> & { project_id: string }) => Promise<unknown>,
): Handler {
  const schema = obj({ project_id: Type.String({ minLength: 1 }), ...properties })
  return signedIn(runtime, async ({ request, now }, caller) => {
    const input = check(schema, await readJson(request)) as unknown as Static<TObject<P>> & { project_id: string }
    const { project_id, project_public_id, role } = await admit(runtime.store.db, caller, input.project_id)
    return json(200, await run({ project_id, project_public_id, role, caller, now }, input))
  })
}

/** The caller with the role they have in this transaction: a change of roles holds for what is under way, too. */
export async function stillIn(
  tx: Tx,
  { caller, project_public_id }: Admission,
): Promise<{ user_id: string; role: Role }> {
  const { role } = await admit(tx, caller, project_public_id)
  return { user_id: caller.user_id, role }
}

function ownOnly(role: Role, caller: SessionCaller): string | undefined {
  return hasRole(role, 'administrator') ? undefined : caller.user_id
}

function withRole(project: Project, role: Role) {
  return { ...projectRecord(project), role }
}

function apiKeyRecord({ id, name, hint, user_id, created_at, last_used_at }: ApiKey) {
  return { id, name, hint, created_by: user_id, created_on: iso(created_at), last_used_on: isoOrNull(last_used_at) }
}
