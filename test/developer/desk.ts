import { eq } from 'drizzle-orm'
import { SESSION_COOKIE } from '../../src/access/session.ts'
import { startSession } from '../../src/accounts/sessions.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { createWorld, type World } from '../support/world.ts'

export interface Reply {
  status: number
  headers: Headers
  body: any
}

type Person = 'owner' | 'administrator' | 'editor' | 'member' | 'outsider'

/** The world with people at their desks: signed in, the editor being a reviewer and the outsider the usual developer. */
export interface Desk {
  world: World
  as(person: Person, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** As `as`, for what must succeed: answers the body. */
  ok(person: Person, method: string, path: string, body?: unknown): Promise<any>
  /** An app in development of the outsider. */
  app(more?: object, person?: Person): Promise<any>
  script(app_id: string, more?: object, person?: Person): Promise<any>
  /** Freezes what is written, submits it and has it approved. */
  approve(app_id: string, person?: Person): Promise<any>
}

export const APPS = '/user/developer/apps'
export const REVIEWS = '/user/review-requests'
export const SCRIPT = { name: 'Counter', type: 'Analytics', placement: 'HTML Head', code: '<script>count()</script>' }

export async function openDesk(): Promise<Desk> {
  const world = await createWorld()
  const { store } = world.service.runtime
  const cookies = await store.write(async (tx) => {
    await tx.update(users).set({ admin: true }).where(eq(users.id, world.users.editor))
    const entries = []
    for (const [person, id] of Object.entries(world.users)) entries.push([person, `${SESSION_COOKIE}=${await startSession(tx, id, { address: '', user_agent: '' }, 24 * 365, world.clock.now())}`])
    return Object.fromEntries(entries) as Record<Person, string>
  })

  const as: Desk['as'] = async (person, method, path, body, headers = {}) => {
    const response = await world.fetch(path, {
      method,
      headers: { cookie: cookies[person], ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const ok: Desk['ok'] = async (person, method, path, body) => {
    const reply = await as(person, method, path, body)
    if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  return {
    world, as, ok,
    app: async (more = {}, person = 'outsider') => (await ok(person, 'POST', APPS, { displayName: 'Visits', redirect_uris: ['https://app.example/cb'], scopes: ['scripts:read', 'scripts:embed', 'scripts:delete'], ...more })).app,
    script: async (app_id, more = {}, person = 'outsider') => (await ok(person, 'POST', `${APPS}/${app_id}/scripts`, { ...SCRIPT, ...more })).script,
    approve: async (app_id, person = 'outsider') => {
      const { version } = await ok(person, 'POST', `${APPS}/${app_id}/versions`)
      const { review_request } = await ok(person, 'POST', REVIEWS, { app_id, version_id: version.id })
      await ok('editor', 'POST', `${REVIEWS}/${review_request.id}/approve`)
      return version
    },
  }
}
