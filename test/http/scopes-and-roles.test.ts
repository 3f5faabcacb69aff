import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { hasRole } from '../../src/access/permission.ts'
import { ROLES, type Role } from '../../src/shared/roles.ts'
import { members } from '../../src/store/tables/accounts.ts'
import { API_ROOT } from '../../src/http/core/paths.ts'
import { declaredRoutes } from '../../src/http/routes.ts'
import { SPECIFIED } from '../operation/specification.ts'
import { oneOf } from '../support/one-of.ts'
import { SCOPES } from '../support/world.ts'
import { routeSamples, type Sample } from './route-samples.ts'
import { createSiteWorld, type SiteWorld } from './site-world.ts'

/**
 * Scope grants never override project roles (docs/api/oauth.md#scopes): every operation and route that takes a token
 * is called with all scopes, with its own alone, with all others and with one of them, in the least role and in
 * the one below. The token is granted once; the role of its user changes afterwards.
 * Requests of newsletter operations have an unknown property, so a call that is allowed changes nothing.
 */

let world: SiteWorld
beforeAll(async () => (world = await createSiteWorld()))
afterAll(() => world.close())

interface Callable {
  name: string
  /** Null: every token of a member will do. */
  scope: string | null
  least: Role
  /** Status of the call when scope and role allow it. */
  allowed: number
  send(token: string): Promise<Response>
}

const LEAST: Record<keyof typeof SPECIFIED, Role> = {
  read: 'member',
  write: 'editor',
  send: 'editor',
  admin: 'administrator',
}

const operations: Callable[] = Object.entries(SPECIFIED).flatMap(([suffix, paths]) =>
  paths.map((path) => ({
    name: path,
    scope: `newsletter:${suffix}`,
    least: path === '/contacts/export' ? 'editor' : LEAST[suffix as keyof typeof SPECIFIED],
    allowed: 400,
    send: (token) => post(`/newsletter${path}`, token, { project_id: world.project.public_id, surprise_zz: 1 }),
  })),
)

const ROUTES: readonly [method: string, path: string, scope: string | null, least: Role][] = [
  ['POST', '/project/details', null, 'member'],
  ['POST', '/cms/post/list', 'cms:post:read', 'member'],
  ['POST', '/cms/post/get', 'cms:post:read', 'member'],
  ['POST', '/directory/item/list', 'directory:items:read', 'member'],
  ['POST', '/scripts/list', 'scripts:read', 'member'],
  ['POST', '/scripts/embed', 'scripts:embed', 'editor'],
  ['DELETE', '/scripts/connection/:connectionId', 'scripts:delete', 'editor'],
]

const routes: Callable[] = ROUTES.map(([method, path, scope, least]) => ({
  name: `${method} ${path}`,
  scope,
  least,
  allowed: 200,
  async send(token) {
    const sample = await sampleOf(`${method} /general/api/v1${path}`)
    const { public_id: project_id } = world.project
    if (method === 'DELETE')
      return call(method, path.replace(':connectionId', String(sample.params!.connectionId)), token)
    if (path === '/scripts/list') return call(method, `${path}?project_id=${project_id}`, token)
    return post(path, token, { project_id, ...sample.body })
  },
}))

/** What they answer is about the token itself and its projects. */
const WITHOUT_PROJECT = [
  'GET /token/authorized_by',
  'GET /token/introspect',
  'GET /project/list',
  'GET /general/oauth/userinfo',
]

describe('Of the declared routes', () => {
  const declared = declaredRoutes()

  test('All that take a token are called here.', () => {
    const named = declared
      .filter(({ auth }) => auth === 'oauth')
      .map(({ methods, path }) => `${methods[0]} ${path.replace(API_ROOT, '')}`)
    const called = [...ROUTES.map(([method, path]) => `${method} ${path}`), ...WITHOUT_PROJECT]
    expect(named.toSorted()).toEqual(called.toSorted())
  })

  test('The routes of the dashboard take neither a token nor an API key, whatever its scopes and role.', async () => {
    const { owner } = world.keys
    const credentials = [`Bearer ${await world.token('owner', SCOPES)}`, owner]
    const taken: string[] = []
    for (const { methods, path } of declared.filter(({ auth }) => auth === 'session'))
      for (const Authorization of credentials) {
        const method = methods[0]!
        const headers = { Authorization, 'Content-Type': 'application/json' }
        const body = method === 'GET' ? {} : { body: JSON.stringify({ project_id: world.project.public_id }) }
        const answer = await world.fetch(path, { method, headers, redirect: 'manual', ...body })
        const leads_to = answer.headers.get('location') ?? ''
        if (answer.status !== 401 && !leads_to.startsWith('/portal/login')) taken.push(`${method} ${path}`)
      }
    expect(taken).toEqual([])
  })
})

describe.each([...operations, ...routes].map((callable) => [callable.name, callable] as const))('%s', (_, callable) => {
  const { name, scope, least, allowed } = callable

  test('A call needs both the scope of the token and the present role of its user.', async () => {
    const all = await tokenOf(SCOPES)
    const further = SCOPES.filter((other) => other !== scope)
    const others = await tokenOf(further)
    const chosen = [scope, oneOf(name, further)].filter((only) => only !== null)
    const singles = await Promise.all(chosen.map(async (only) => [only, await tokenOf([only])] as const))
    for (const role of ROLES.slice(ROLES.indexOf(least), ROLES.indexOf(least) + 2)) {
      await setRole(role)
      const enough = hasRole(role, least)
      const isEnough = (only: string) => scope === null || only === scope
      const expected: Record<string, number> = {
        all: enough ? allowed : 403,
        others: enough && scope === null ? allowed : 403,
      }
      for (const only of chosen) expected[only] = isEnough(only) && enough ? allowed : 403
      const found: Record<string, number> = {
        all: (await callable.send(all)).status,
        others: (await callable.send(others)).status,
      }
      for (const [only, token] of singles) found[only] = (await callable.send(token)).status
      expect([role, found]).toEqual([role, expected])
    }
    await removeMember()
    expect((await callable.send(all)).status).toBe(403)
    await setRole('editor')
  })
})

/** The user whose role changes. */
const membership = () => and(eq(members.project_id, world.project.id), eq(members.user_id, world.users.editor))

async function setRole(role: Role): Promise<void> {
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx
      .insert(members)
      .values({ project_id: world.project.id, user_id: world.users.editor, role, added_at: 0 })
      .onConflictDoUpdate({ target: [members.project_id, members.user_id], set: { role } }),
  )
}

async function removeMember(): Promise<void> {
  await world.service.runtime.store.write((tx) => tx.delete(members).where(membership()))
}

/** One token for each set of scopes; all belong to the user whose role changes. */
const tokens = new Map<string, Promise<string>>()
function tokenOf(scopes: readonly string[]): Promise<string> {
  const name = scopes.join(' ')
  const token = tokens.get(name) ?? world.token('editor', scopes)
  tokens.set(name, token)
  return token
}

/** A connection can be deleted only once; the samples of the other routes serve all their calls. */
const samples = new Map<string, Promise<Sample>>()
function sampleOf(name: string): Promise<Sample> {
  const sample = samples.get(name) ?? Promise.resolve(routeSamples[name]!(world))
  if (!name.startsWith('DELETE')) samples.set(name, sample)
  return sample
}

function call(method: string, path: string, token: string): Promise<Response> {
  return world.fetch(`/general/api/v1${path}`, { method, headers: { Authorization: `Bearer ${token}` } })
}

function post(path: string, token: string, body: Record<string, unknown>): Promise<Response> {
  return world.fetch(`/general/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}
