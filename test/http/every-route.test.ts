import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { SESSION_COOKIE } from '../../src/access/session.ts'
import { isDescribed } from '../../src/http/api/openapi.ts'
import type { Route } from '../../src/http/core/route.ts'
import { declaredRoutes } from '../../src/http/routes.ts'
import { SCOPES as SCOPE_TABLE } from '../../src/shared/scopes.ts'
import { checker } from '../../src/schema.ts'
import { tokenHash } from '../../src/secrets.ts'
import { ROLES, type Role } from '../../src/shared/roles.ts'
import { members, sessions } from '../../src/store/tables/accounts.ts'
import { access_tokens } from '../../src/store/tables/apps.ts'
import { PRIVATE, rowsOf } from '../support/audit.ts'
import { oneOf } from '../support/one-of.ts'
import { newSession } from '../support/session.ts'
import { SCOPES } from '../support/world.ts'
import { routeSamples, type Sample } from './route-samples.ts'
import { createSiteWorld, type SiteWorld } from './site-world.ts'

/** What holds for every declared route: each is called with its sample, and with that sample spoiled. */

let world: SiteWorld
let document: any
beforeAll(async () => {
  world = await createSiteWorld()
  document = await (await world.fetch('/general/api/v1/openapi.json')).json()
})
afterAll(() => world.close())

/** What a request must wake when it leaves more of it behind: nobody waits for the next round of the loop. */
const QUEUES = { mail: 'account_messages', delivery: 'deliveries', jobs: 'jobs' } as const
const stateOf = { mail: 'state', delivery: 'status', jobs: 'status' } as const
async function queued(): Promise<Record<keyof typeof QUEUES, number>> {
  const counts = Object.entries(QUEUES).map(
    ([loop, table]) =>
      `(SELECT count(*) FROM ${table} WHERE ${stateOf[loop as keyof typeof QUEUES]} = 'queued') ${loop}`,
  )
  const [row] = await world.service.runtime.store.query(`SELECT ${counts.join(', ')}`)
  return row as Record<keyof typeof QUEUES, number>
}

const routes = declaredRoutes()
const nameOf = ({ methods, path }: Route): string => `${methods.join('|')} ${path}`
const described = routes.filter(isDescribed).map((route) => [nameOf(route), route] as const)
/** They would take the project of this suite from its owner; test/http/portal/project/project-end.routes.test.ts calls them. */
const ENDS: ReadonlySet<string> = new Set(['POST /project/hand-over', 'POST /project/delete'])
/** OAuth clients and email providers have credentials of their own: test/http/oauth and the webhooks' test call these. */
const isOfMachines = ({ auth, takes }: Route): boolean => auth === 'client' || takes.includes('message/rfc822')
/** Those whose input, caller and role the pipeline of serve.ts handles. */
const checked = described.filter(
  ([name, route]) => route.act.kind !== 'respond' && !ENDS.has(name) && !isOfMachines(route),
)
/** One route of each greatest size of a body: the size is declared, and read in one place. */
const firstOfItsSize = new Map(checked.toReversed().map(([, route]) => [route.max_body, route]))
/** Routes of kind `run` that only compute what the browser needs. */
const OFFERS: ReadonlySet<string> = new Set(['POST /user/login/passkey/options'])
const sample = async (route: Route): Promise<Sample> => routeSamples[nameOf(route)]!(world)
/** One sample of a route for all requests that are refused before they use anything of it up. */
const refused = new Map<Route, Promise<Sample>>()
const sampleToRefuse = (route: Route): Promise<Sample> => {
  const given = refused.get(route) ?? sample(route)
  refused.set(route, given)
  return given
}

test('Every route that answers JSON has a sample, and every sample a route.', () => {
  expect(Object.keys(routeSamples).toSorted()).toEqual(checked.map(([name]) => name).toSorted())
})

test('Every JSON route stands in the OpenAPI document, and no other path does.', () => {
  const inDocument = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  const declared = described.flatMap(([, { methods, path }]) =>
    methods.filter((method) => method !== 'OPTIONS').map((method) => `${method} ${path}`),
  )
  expect(inDocument.toSorted()).toEqual(declared.toSorted())
})

test('No path is declared twice for one method.', () => {
  const all = routes.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
})

describe.each(checked)('%s', (name, route) => {
  const { auth, role, body, project, scope, params, query, response, status } = route
  const changes = !route.methods.includes('GET')

  test('A route succeeds with its sample as declared, and leaves an audit row only for a change.', async () => {
    const given = await sample(route)
    const before = await queued()
    const wake = spyOn(world.service.runtime, 'wake')
    const answer = await send(route, given)
    const woken = new Set<string>(wake.mock.calls.map(([loop]) => loop))
    wake.mockRestore()
    const after = await queued()
    const left = (Object.keys(QUEUES) as (keyof typeof QUEUES)[]).filter((loop) => after[loop] > before[loop])
    expect(left.filter((loop) => !woken.has(loop))).toEqual([])
    const flaws = [...checker(response as never).Errors(answer.body)].map(({ path, message }) => `${path} ${message}`)
    expect([answer.status, answer.status === status ? [] : answer.body, flaws]).toEqual([status, [], []])
    // The app of the tokens has no access to the project any more.
    if (name === 'POST /project/apps/disconnect') tokens.clear()
    const rows = await rowsOf(world, answer.headers.get('x-request-id')!)
    const reads = route.act.kind === 'read' || route.methods.includes('GET') || OFFERS.has(name)
    if (reads) return expect(rows).toEqual([])
    const [row] = rows
    expect([row!.ip, row!.outcome]).toEqual(['127.0.0.1', 'done'])
    expect(JSON.stringify(rows)).not.toMatch(PRIVATE)
    if (route.act.kind !== 'write') return
    expect([row!.action, row!.project_id]).toEqual([name, role === null ? null : world.project.id])
    expect(row!.target).toMatch(/^[a-z_]+:[\w-]+$/)
    expect(row!.actor).toMatch(auth === 'session' ? /^user:usr_/ : /^app:cli_\w+ for user:usr_/)
  })

  test('A route is described with its security, parameters and errors.', () => {
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')][route.methods[0]!.toLowerCase()]
    const security = { session: [{ session: [] }], oauth: [{ oauth2: scope === null ? [] : [scope] }] }
    expect(operation.security).toEqual(security[auth as 'session'] ?? [])
    expect(operation.parameters.map((parameter: any) => parameter.name)).toEqual(
      [params, query].flatMap((schema) => Object.keys(schema.properties)),
    )
    const expected = [status, 500, ...(auth === 'session' || auth === 'oauth' ? [401] : []), ...(role ? [403] : [])]
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining([...expected, ...(body ? [400, 408, 413, 415, 503] : [])].map(String)),
    )
    expect(operation.summary.endsWith('.')).toBe(true)
  })

  test('A route refuses other methods with 405 and names its own.', async () => {
    const answer = await send(route, await sampleToRefuse(route), { method: 'PROPFIND' })
    expect([answer.status, answer.body.error]).toEqual([405, 'invalid_request'])
    expect(answer.headers.get('allow')!.split(', ')).toEqual(expect.arrayContaining([...route.methods]))
  })

  if (auth === 'session' || auth === 'oauth')
    test('A route refuses requests without credentials, and with wrong ones.', async () => {
      const given = await sampleToRefuse(route)
      const none = await send(route, given, { credentials: {} })
      expect([none.status, none.body.error]).toEqual([401, 'unauthorized'])
      expect(none.headers.get('www-authenticate')).toStartWith('Bearer')
      const wrong: Record<string, string>[] =
        auth === 'session'
          ? [
              { Cookie: `${SESSION_COOKIE}=svc_ss_${'A'.repeat(43)}` },
              { Cookie: `${SESSION_COOKIE}=x` },
              { Authorization: world.keys.owner },
              { Authorization: `Bearer ${await world.token('owner')}` },
            ]
          : [
              { Authorization: 'Bearer svc_at_unknown' },
              { Authorization: world.keys.owner },
              { Cookie: await world.cookie('owner') },
            ]
      // Of what is wrong in the same way each route gets one.
      const credentials = oneOf(name, wrong)
      const answer = await send(route, given, { credentials })
      expect([credentials, answer.status]).toEqual([credentials, 401])
    })

  if (changes && (auth === 'session' || route.own_pages))
    test('A route refuses pages of other sites.', async () => {
      const given = await sampleToRefuse(route)
      const Origin = oneOf(name, ['https://evil.example', 'null'])
      const answer = await send(route, given, { headers: { Origin, 'Sec-Fetch-Site': 'same-site' } })
      expect([Origin, answer.status, answer.body.error]).toEqual([Origin, 403, 'forbidden'])
      const own = await send(route, await sample(route), { headers: { Origin: world.url } })
      expect(own.status).toBe(status)
    })

  if (scope !== null)
    test('A route refuses a token with every scope but its own.', async () => {
      const others = SCOPES.filter((other) => other !== scope)
      const credentials = { Authorization: `Bearer ${await world.token('owner', others)}` }
      const answer = await send(route, await sampleToRefuse(route), { credentials })
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope'])
    })

  if (scope !== null && role !== null)
    test('A route needs the role that the consent page needs for its scope.', () => {
      expect(SCOPE_TABLE[scope]!.least_role).toBe(role)
    })

  if (role !== null)
    test('A route refuses other projects, people without a role in the project, and each lower role.', async () => {
      const given = await sampleToRefuse(route)
      const outsider = await send(route, given, { credentials: await credentialsOf(route, 'outsider') })
      expect([outsider.status, outsider.body.error]).toEqual([403, 'project_not_authorized'])
      for (const lower of ROLES.slice(ROLES.indexOf(role) + 1)) {
        const answer = await send(route, given, { credentials: await credentialsOf(route, lower) })
        expect([lower, answer.status, answer.body.error]).toEqual([lower, 403, 'forbidden'])
      }
      if (typeof project === 'string') {
        const credentials = await credentialsOf(route, 'editor')
        const elsewhere = await send(route, given, { credentials, project_id: world.other.public_id })
        expect([elsewhere.status, elsewhere.body.error]).toEqual([403, 'project_not_authorized'])
        if (/"(\w+_)?ids?":\[?\d/.test(JSON.stringify(given))) {
          // The owner has both projects, and the ids are of the first.
          const foreign = await send(route, given, { project_id: world.other.public_id })
          expect([400, 403, 404]).toContain(foreign.status)
        }
        const unnamed = await send(route, given, { project_id: null })
        expect([unnamed.status, unnamed.body.error]).toEqual([400, 'invalid_request'])
      }
    })

  if (body !== null) {
    test('A route refuses an unknown property on every level.', async () => {
      const given = await sampleToRefuse(route)
      for (const { spoiled, pointer } of withUnknownProperty(given.body ?? {}, body)) {
        const answer = await send(route, { ...given, body: spoiled })
        expect([pointer, answer.status, answer.body.error]).toEqual([pointer, 400, 'invalid_request'])
        expect(answer.body.message).toContain('surprise_zz: Unknown property.')
      }
    })

    test('A route refuses each property with a value of another type.', async () => {
      const given = await sampleToRefuse(route)
      for (const [property, schema] of Object.entries(body.properties)) {
        if (property === 'project_id' || Object.keys(schema).length === 0) continue
        const value = oneOf(`${name} ${property}`, schema.type === 'array' ? [1, 'x', {}] : [[], [1]])
        const answer = await send(route, { ...given, body: { ...given.body, [property]: value } })
        expect([property, value, answer.status]).toEqual([property, value, 400])
      }
    })

    test('A route refuses bodies that are no JSON object, of another media type, or too large.', async () => {
      const given = await sampleToRefuse(route)
      for (const text of ['{', oneOf(name, ['[]', 'null', '"text"'])])
        expect([text, (await send(route, given, { text })).status]).toEqual([text, 400])
      const form = { text: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
      expect((await send(route, given, form)).status).toBe(415)
      if (route !== firstOfItsSize.get(route.max_body)) return
      const large = await send(route, given, { text: `"${'x'.repeat(route.max_body)}"` })
      expect([large.status, large.body.error]).toEqual([413, 'invalid_request'])
    })
  }

  const numbers = Object.entries(params.properties).filter(([, schema]) => schema.type === 'integer')
  if (numbers.length > 0)
    test('A route refuses ill-formed numbers in its path.', async () => {
      const given = await sampleToRefuse(route)
      for (const [property] of numbers)
        for (const value of [oneOf(`${name} ${property}`, ['0', '-1', '01', '1e3', 'x']), '9007199254740993']) {
          const answer = await send(route, { ...given, params: { ...given.params, [property]: value } })
          expect([value, answer.status]).toEqual([value, route.params_error === 'NOT_FOUND' ? 404 : 400])
        }
    })

  const named = Object.keys(query.properties).filter((property) => property !== 'project_id')
  if (named.length > 0)
    test('A route refuses ill-formed, repeated and unknown query parameters.', async () => {
      const given = await sampleToRefuse(route)
      for (const property of named) {
        if (query.properties[property]!.type !== 'string' || query.properties[property]!.enum) {
          const wrong = await send(route, { ...given, query: { ...given.query, [property]: '-x' } })
          expect([property, wrong.status, wrong.body.error]).toEqual([property, 400, 'invalid_request'])
        }
        const twice = await send(route, given, { search: `&${property}=1&${property}=1` })
        expect([property, twice.status]).toEqual([property, 400])
      }
      if (query.additionalProperties === false) {
        const other = oneOf(name, ['surprise_zz', 'constructor', '__proto__'])
        expect([other, (await send(route, given, { search: `&${other}=1` })).status]).toEqual([other, 400])
      }
    })

  if (route.act.kind === 'write')
    test('A route refuses a caller whose session or token ends between admission and transaction.', async () => {
      const given = await sample(route)
      const credentials = await newCredentials(route, given)
      const answer = await betweenAdmissionAndTransaction(
        () => endCredentials(credentials),
        () => send(route, given, { credentials }),
      )
      expect(answer.status).toBe(401)
      if (given.cookie === undefined) return
      world.forgetCookies()
      refused.clear()
    })

  if (route.act.kind === 'write' && role !== null)
    test('A route refuses a member who is removed or lowered between admission and transaction.', async () => {
      const member = and(eq(members.project_id, world.project.id), eq(members.user_id, world.users[role]))
      const { store } = world.service.runtime
      const credentials = await credentialsOf(route, role)
      const given = await sampleToRefuse(route)
      const lower = ROLES[ROLES.indexOf(role) + 1]
      if (lower !== undefined) {
        const lowered = await betweenAdmissionAndTransaction(
          () => store.write((tx) => tx.update(members).set({ role: lower }).where(member)),
          () => send(route, given, { credentials }),
        )
        expect([name, lowered.status, lowered.body.error]).toEqual([name, 403, 'forbidden'])
        await store.write((tx) => tx.update(members).set({ role }).where(member))
      }
      const removed = await betweenAdmissionAndTransaction(
        () => store.write((tx) => tx.delete(members).where(member)),
        () => send(route, given, { credentials }),
      )
      expect([name, removed.status, removed.body.error]).toEqual([name, 403, 'project_not_authorized'])
      await store.write((tx) =>
        tx.insert(members).values({ project_id: world.project.id, user_id: world.users[role], role, added_at: 0 }),
      )
    })
})

const pages = routes
  .filter(({ response, methods }) => response === 'page' && !methods.includes('ALL'))
  .map((route) => [nameOf(route), route] as const)
describe.each(pages)('%s', (_, route) => {
  const path = route.path.replace(/:(\w+)/g, '$1')
  const [method] = route.methods

  if (route.auth === 'session')
    test('A page leads to the login page and back without a session.', async () => {
      const answer = await world.fetch(path, { method: method! })
      const login = `/portal/login?return=${encodeURIComponent(path)}`
      expect([answer.status, answer.headers.get('location')]).toEqual([303, login])
    })

  // The token in the path of a recipient's page is its protection: mail programs send its form as well.
  if (method === 'POST' && path.startsWith('/portal/'))
    test('A page refuses forms of other sites.', async () => {
      const foreign: Record<string, string>[] = [
        { Origin: 'https://evil.example' },
        { Origin: 'null', 'Sec-Fetch-Site': 'same-site' },
      ]
      for (const headers of foreign) {
        const answer = await world.fetch(path, { method, headers })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
      }
    })

  test('A page refuses other methods with 405 and names its own.', async () => {
    const answer = await world.fetch(path, { method: 'PROPFIND' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')!.split(', ')).toContain(method!)
  })
})

interface Sending {
  method?: string
  headers?: Record<string, string>
  credentials?: Record<string, string>
  /** null leaves the project out. */
  project_id?: string | null
  /** Instead of the sample's body. */
  text?: string
  search?: string
}

async function send(route: Route, given: Sample, sending: Sending = {}) {
  const { method = route.methods[0]!, text, search = '' } = sending
  const project_id = sending.project_id === undefined ? world.project.public_id : sending.project_id
  const named: Record<string, string> = project_id === null ? {} : { project_id }
  const path = Object.entries(given.params ?? {}).reduce(
    (path, [name, value]) => path.replace(`:${name}`, String(value)),
    route.path,
  )
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(given.query ?? {}).map(([name, value]) => [name, String(value)])),
    ...(route.project === 'query' ? named : {}),
  })
  const content =
    text ?? (route.body ? JSON.stringify({ ...(route.project === 'body' && named), ...given.body }) : null)
  const body = content ?? given.file ?? null
  const response = await world.fetch(`${path}?${query.toString()}${search}`, {
    method,
    headers: {
      ...(content === null ? {} : { 'Content-Type': 'application/json' }),
      ...(sending.credentials ?? (await credentialsFor(route, given))),
      ...sending.headers,
    },
    ...(body === null || method === 'GET' ? {} : { body }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

async function credentialsFor(route: Route, { cookie }: Sample): Promise<Record<string, string>> {
  return cookie === undefined ? credentialsOf(route, 'owner') : { Cookie: cookie }
}

async function credentialsOf({ auth }: Route, role: Role | 'outsider'): Promise<Record<string, string>> {
  if (auth === 'session') return { Cookie: await world.cookie(role) }
  const token = tokens.get(role) ?? world.token(role as Role)
  tokens.set(role, token)
  return { Authorization: `Bearer ${await token}` }
}

/** Credentials that no other request has. */
async function newCredentials({ auth }: Route, { cookie }: Sample): Promise<Record<string, string>> {
  if (auth !== 'session') return { Authorization: `Bearer ${await world.token('owner')}` }
  if (cookie !== undefined) return { Cookie: cookie }
  const { name, value } = await newSession(world, 'owner')
  return { Cookie: `${name}=${value}` }
}

const tokens = new Map<Role | 'outsider', Promise<string>>()

async function endCredentials({ Cookie, Authorization }: Record<string, string>): Promise<void> {
  await world.service.runtime.store.write(async (tx) => {
    if (Cookie !== undefined) await tx.delete(sessions).where(eq(sessions.token_hash, tokenHash(Cookie.split('=')[1]!)))
    else
      await tx
        .update(access_tokens)
        .set({ revoked_at: world.clock.now() })
        .where(eq(access_tokens.token_hash, tokenHash(Authorization!.split(' ')[1]!)))
  })
}

/** Runs `change` when the request of `call` opens its first write transaction: it was admitted by then. */
async function betweenAdmissionAndTransaction<T>(change: () => Promise<unknown>, call: () => Promise<T>): Promise<T> {
  const { store } = world.service.runtime
  const { write } = store
  store.write = async (work) => {
    store.write = write
    await change()
    return write(work)
  }
  try {
    return await call()
  } finally {
    store.write = write
  }
}

/** The body with an unknown property in each of its objects whose schema is strict. */
function withUnknownProperty(body: Record<string, unknown>, schema: any): { spoiled: any; pointer: string }[] {
  const nested = Object.entries(body).flatMap(([name, value]) =>
    schema.properties?.[name]?.additionalProperties === false && value !== null && typeof value === 'object'
      ? withUnknownProperty(value as Record<string, unknown>, schema.properties[name]).map(({ spoiled, pointer }) => ({
          spoiled: { ...body, [name]: spoiled },
          pointer: `/${name}${pointer}`,
        }))
      : [],
  )
  return [{ spoiled: { ...body, surprise_zz: 1 }, pointer: '' }, ...nested]
}
