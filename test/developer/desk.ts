import { joinTeam } from '../../src/developer/team.ts'
import { eq } from 'drizzle-orm'
import { SESSION_COOKIE } from '../../src/access/session.ts'
import { startSession } from '../../src/accounts/sessions.ts'
import { newId, type ProjectId } from '../../src/ids.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { access_tokens, authorization_projects, authorizations } from '../../src/store/tables/apps.ts'
import { createWorld, SCOPES, type World } from '../support/world.ts'

export interface Reply {
  status: number
  headers: Headers
  body: any
}

type Person = 'owner' | 'administrator' | 'editor' | 'member' | 'outsider'

/**
 * The world with people at their desks: signed in, the editor being a reviewer and the outsider the usual developer.
 */
export interface Desk {
  world: World
  /** The header of a person's session. */
  cookie(person: Person): string
  as(person: Person, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** As `as`, for what must succeed: answers the body. */
  ok(person: Person, method: string, path: string, body?: unknown): Promise<any>
  /** An app in development of the outsider. */
  app(more?: object, person?: Person): Promise<any>
  script(app_id: string, more?: object, person?: Person): Promise<any>
  /** Freezes what is written, submits it and has it approved. */
  approve(app_id: string, person?: Person): Promise<any>
  /** An access token of the app, granted for the main project unless others are named. */
  token(
    app_id: string,
    more?: { person?: Person; scopes?: readonly string[]; project_ids?: ProjectId[] },
  ): Promise<string>
  /** Calls the v1 API with a token. */
  api(
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>
  /** Puts a person on the team of an app, as an accepted invitation does. */
  join(app_id: string, person: Person): Promise<void>
}

export const APPS = '/user/developer/apps'
export const REVIEWS = '/user/review-requests'
export const SCRIPT = { name: 'Counter', type: 'Analytics', placement: 'HTML Head', code: '<script>count()</script>' }

export async function openDesk(given?: World): Promise<Desk> {
  const world = given ?? (await createWorld())
  const { store } = world.service.runtime
  const cookies = await store.write(async (tx) => {
    await tx.update(users).set({ admin: true }).where(eq(users.id, world.users.editor))
    const visit = { address: '', user_agent: '', ttl_hours: 24 * 365 }
    const entries = []
    for (const [person, id] of Object.entries(world.users))
      entries.push([person, `${SESSION_COOKIE}=${await startSession(tx, id, visit, world.clock.now())}`])
    return Object.fromEntries(entries) as Record<Person, string>
  })

  const as: Desk['as'] = async (person, method, path, body, headers = {}) => {
    const response = await world.fetch(path, {
      method,
      headers: {
        cookie: cookies[person],
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const ok: Desk['ok'] = async (person, method, path, body) => {
    const reply = await as(person, method, path, body)
    if (reply.status !== 200)
      throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  return {
    world,
    cookie: (person) => cookies[person],
    as,
    ok,
    app: async (more = {}, person = 'outsider') =>
      (
        await ok(person, 'POST', APPS, {
          displayName: 'Visits',
          redirect_uris: ['https://app.example/cb'],
          scopes: ['scripts:read', 'scripts:embed', 'scripts:delete'],
          ...more,
        })
      ).app,
    join: (app_id, person) => store.write((tx) => joinTeam(tx, app_id, world.users[person], world.clock.now())),
    script: async (app_id, more = {}, person = 'outsider') =>
      (await ok(person, 'POST', `${APPS}/${app_id}/scripts`, { ...SCRIPT, ...more })).script,
    approve: async (app_id, person = 'outsider') => {
      const { version } = await ok(person, 'POST', `${APPS}/${app_id}/versions`)
      const { review_request } = await ok(person, 'POST', REVIEWS, { app_id, version_id: version.id })
      await ok('editor', 'POST', `${REVIEWS}/${review_request.id}/approve`)
      return version
    },
    async token(app_id, { person = 'owner', scopes = SCOPES, project_ids = [world.project.id] } = {}) {
      const token = newToken('svc_at_')
      const authorization_id = newId('aut')
      const at = world.clock.now()
      await store.write(async (tx) => {
        await tx.insert(authorizations).values({
          id: authorization_id,
          app_id,
          user_id: world.users[person],
          grant_type: 'authorization_code',
          scope: scopes.join(' '),
          created_at: at,
        })
        await tx
          .insert(authorization_projects)
          .values(project_ids.map((project_id) => ({ authorization_id, project_id })))
        await tx.insert(access_tokens).values({
          token_hash: tokenHash(token),
          authorization_id,
          scope: scopes.join(' '),
          created_at: at,
          expires_at: at + 3_600_000,
        })
      })
      return token
    },
    async api(token, method, path, body, headers = {}) {
      const response = await world.fetch(`/general/api/v1${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
    },
  }
}
