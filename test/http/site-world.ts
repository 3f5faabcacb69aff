import { eq } from 'drizzle-orm'
import type { Config } from '../../src/config.ts'
import type { Role } from '../../src/shared/roles.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import {
  published_scripts,
  type Placement,
  script_connections,
  script_settings,
  scripts,
  type ScriptType,
} from '../../src/store/tables/scripts.ts'
import { newSession } from '../support/session.ts'
import { createWorld, type World } from '../support/world.ts'
import type { ProjectId } from '../../src/ids.ts'

export const DOMAIN = 'harbour.example'

export interface SiteWorld extends World {
  /** The session cookie of a signed-in user with this role. */
  cookie(role: Role | 'outsider'): Promise<string>
  /** Signs everyone in anew the next time: a session was ended. */
  forgetCookies(): void
  /** Calls a dashboard route about the main project as a user with this role. */
  as(
    role: Role | 'outsider',
    path: string,
    body?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: any }>
  /** As `as` with the role editor. Throws unless the answer is 200. */
  edit(path: string, body?: Record<string, unknown>): Promise<any>
  /** Requests a page on the project's own domain, or on another host. */
  visit(path: string, init?: RequestInit & { host?: string; method?: string }): Promise<Response>
  /** Creates, publishes and connects a script. Returns the id of the connection. */
  connect(code: string, options?: { placement?: Placement; type?: ScriptType; project_id?: ProjectId }): Promise<number>
  disconnect(connection_id: number): Promise<void>
  requireConsent(required: boolean): Promise<void>
}

/** The world with a domain for its main project, and functions for its site. */
export async function createSiteWorld(settings: Partial<Config> = {}): Promise<SiteWorld> {
  const world = await createWorld(settings)
  const { store } = world.service.runtime
  const now = () => world.clock.now()
  await store.write((tx) => tx.update(projects).set({ domain: DOMAIN }).where(eq(projects.id, world.project.id)))
  const cookies = new Map<string, Promise<string>>()

  const signIn = async (role: Role | 'outsider'): Promise<string> => {
    const { name, value } = await newSession(world, role)
    return `${name}=${value}`
  }
  const cookie: SiteWorld['cookie'] = (role) => {
    const known = cookies.get(role) ?? signIn(role)
    cookies.set(role, known)
    return known
  }
  const as: SiteWorld['as'] = async (role, path, body = {}, headers = {}) => {
    const response = await world.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: await cookie(role), ...headers },
      body: JSON.stringify({ project_id: world.project.public_id, ...body }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  return {
    ...world,
    as,
    cookie,
    forgetCookies: () => cookies.clear(),
    async edit(path, body) {
      const answer = await as('editor', path, body)
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    visit: (path, { host = DOMAIN, headers, ...init } = {}) => {
      const plain = { Host: host, 'Accept-Encoding': 'identity' }
      return world.fetch(path, { ...init, headers: { ...plain, ...(headers as Record<string, string>) } })
    },
    connect: (code, { placement = 'HTML Head', type = 'Essential', project_id = world.project.id } = {}) =>
      store.write(async (tx) => {
        const script = { name: 'Test', type, placement, code, parameters: {} }
        const [made] = await tx
          .insert(scripts)
          .values({ app_id: world.app_id, ...script, created_at: now(), updated_at: now() })
          .returning({ id: scripts.id })
        await tx.insert(published_scripts).values({ script_id: made!.id, ...script })
        const [connection] = await tx
          .insert(script_connections)
          .values({ project_id, script_id: made!.id, created_at: now(), updated_at: now() })
          .returning({ id: script_connections.id })
        return connection!.id
      }),
    disconnect: async (connection_id) => {
      await store.write((tx) => tx.delete(script_connections).where(eq(script_connections.id, connection_id)))
    },
    requireConsent: async (consent_required) => {
      const row = { consent_required, updated_at: now() }
      await store.write((tx) =>
        tx
          .insert(script_settings)
          .values({ project_id: world.project.id, ...row })
          .onConflictDoUpdate({ target: script_settings.project_id, set: row }),
      )
    },
  }
}
