import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Caller } from '../../src/access/caller.ts'
import { authenticate } from '../../src/access/credentials.ts'
import {
  admit,
  hasRole,
  isAdministrator,
  requireAdministrator,
  requireRole,
  requireScope,
} from '../../src/access/permission.ts'
import type { AppError } from '../../src/errors.ts'
import { ROLES } from '../../src/shared/roles.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const session = (who: 'owner' | 'member' | 'outsider'): Caller => ({
  kind: 'session',
  confirmed_at: 0,
  session_hash: '',
  user_id: world.users[who],
})
const key = (): Promise<Caller> => authenticate(world.service.runtime.store, world.keys.editor, world.clock.now())
const app = async (): Promise<Caller> =>
  authenticate(world.service.runtime.store, `Bearer ${await world.token('editor')}`, world.clock.now())
const outcome = (caller: Caller, named: unknown) =>
  admit(world.service.runtime.store.db, caller, named).then(
    ({ project_id, project_public_id, role }) => [project_id, project_public_id, role],
    (error: AppError) => error.code,
  )

test('A caller gets the key of the named project and the current role in it.', async () => {
  const { id, public_id } = world.project
  expect(await outcome(await key(), public_id)).toEqual([id, public_id, 'editor'])
  expect(await outcome(await app(), public_id)).toEqual([id, public_id, 'editor'])
  expect(await outcome(session('member'), public_id)).toEqual([id, public_id, 'member'])
  expect(await outcome(session('owner'), world.other.public_id)).toEqual([
    world.other.id,
    world.other.public_id,
    'owner',
  ])
})

test('A caller with an API key need not name the project; others must.', async () => {
  expect(await outcome(await key(), undefined)).toEqual([world.project.id, world.project.public_id, 'editor'])
  for (const caller of [await app(), session('owner')])
    for (const named of [undefined, '']) expect(await outcome(caller, named)).toBe('VALIDATION_FAILED')
})

test('A caller is refused in a project without access, an unknown one, and one named by its key.', async () => {
  const { other, project } = world
  const names = ['prj_unknown', String(project.id), String(other.id), other.slug]
  for (const caller of [await key(), await app(), session('member'), session('outsider')])
    for (const named of [...names, other.public_id]) expect(await outcome(caller, named)).toBe('PROJECT_NOT_AUTHORIZED')
  expect(await outcome(session('outsider'), project.public_id)).toBe('PROJECT_NOT_AUTHORIZED')
})

test('A caller that names a project with anything but a string is not valid.', async () => {
  for (const caller of [await key(), await app(), session('owner')])
    for (const named of [1, world.project.id, null, [world.project.public_id], {}])
      expect(await outcome(caller, named)).toBe('VALIDATION_FAILED')
})

test('A caller whose user is no longer a member is refused, whatever the credentials say.', async () => {
  const { public_id } = world.project
  const [apiKey, token] = [await key(), await app()]
  if (apiKey.kind !== 'api_key' || token.kind !== 'oauth') throw new Error('Other credentials were expected.')
  expect(await outcome({ ...apiKey, role: null }, public_id)).toBe('PROJECT_NOT_AUTHORIZED')
  const projects = new Map([[public_id, { project_id: world.project.id, role: null }]])
  expect(await outcome({ ...token, projects }, public_id)).toBe('PROJECT_NOT_AUTHORIZED')
})

test('Roles are ordered: each may do what the ones below it may.', () => {
  const ascending = [...ROLES].reverse()
  for (const [rank, role] of ascending.entries())
    for (const [least, needed] of ascending.entries()) {
      expect(hasRole(role, needed)).toBe(rank >= least)
      if (rank < least) expect(() => requireRole(role, needed)).toThrow(needed)
      else requireRole(role, needed)
    }
})

test('Only tokens of apps are limited by scopes.', async () => {
  requireScope(await key(), 'newsletter:send')
  requireScope(session('member'), 'newsletter:send')
  const token = await app()
  if (token.kind !== 'oauth') throw new Error('A token was expected.')
  requireScope({ ...token, scopes: new Set(['newsletter:send']) }, 'newsletter:send')
  expect(() => requireScope({ ...token, scopes: new Set(['newsletter:read']) }, 'newsletter:send')).toThrow(
    'newsletter:send',
  )
})

test('A refusal names the scope or the role that is needed, also to a program.', async () => {
  const refused = (work: () => void) => {
    try {
      work()
    } catch (error) {
      const { code, details, headers } = error as AppError
      return { code, details, headers }
    }
    return null
  }
  const token = { ...(await app()), scopes: new Set<string>() } as Caller
  expect(refused(() => requireScope(token, 'profile'))).toEqual({
    code: 'INSUFFICIENT_SCOPE',
    details: { scope: 'profile' },
    headers: { 'WWW-Authenticate': 'Bearer realm="masthead", error="insufficient_scope", scope="profile"' },
  })
  expect(refused(() => requireRole('member', 'editor'))).toEqual({
    code: 'INSUFFICIENT_ROLE',
    details: { role: 'editor' },
    headers: {},
  })
})

test('A user administers the service only when that is said, and somebody unknown never does.', async () => {
  const { db } = world.service.runtime.store
  expect([await isAdministrator(db, world.users.owner), await isAdministrator(db, 'usr_unknown')]).toEqual([
    false,
    false,
  ])
  await expect(requireAdministrator(db, world.users.owner)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
