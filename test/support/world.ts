import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FixedClock } from '../../src/clock.ts'
import { configOf, type Config } from '../../src/config.ts'
import { newId, type ProjectId } from '../../src/ids.ts'
import { journalFolder } from '../../src/instance.ts'
import type { LoopContext, Runtime } from '../../src/runtime.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { migrationsFolder, type Service, startService } from '../../src/service.ts'
import { migrate } from '../../src/store/migrate.ts'
import { createJournal } from '../../src/store/journal.ts'
import { openStore, type Tx } from '../../src/store/open.ts'
import { one } from '../../src/store/rows.ts'
import type { Role } from '../../src/shared/roles.ts'
import { api_keys, members, projects, users } from '../../src/store/tables/accounts.ts'
import { access_tokens, apps, authorization_projects, authorizations } from '../../src/store/tables/apps.ts'
import { newThreads, type Threads } from '../../src/threads/start.ts'

/**
 * The world a test lives in: the real service on a fresh database and a free port, a clock that stands still
 * until the test moves it, and people with names. Loops run when the test says so.
 */
export const START = Date.UTC(2026, 0, 15, 9, 0, 0)
export const SCOPES = [
  'newsletter:read',
  'newsletter:write',
  'newsletter:send',
  'newsletter:admin',
  'cms:post:read',
  'directory:items:read',
  'scripts:read',
  'scripts:embed',
  'scripts:delete',
  'profile',
] as const
export const PASSWORD = 'correct horse battery staple'

export interface Answer<T = any> {
  // a test reads what it asserts
  status: number
  headers: Headers
  body: T
}

export interface WorldProject {
  /** The key in the store. */
  id: ProjectId
  /** The id in requests and answers. */
  public_id: string
  slug: string
}

export interface World {
  service: Service
  url: string
  clock: FixedClock
  folder: string
  project: WorldProject
  other: WorldProject
  keys: Record<Role, string> & { other: string }
  users: Record<Role | 'outsider', string>
  app_id: string
  /** An access token of `role`'s user for the main project with these scopes. */
  token(role: Role, scopes?: readonly string[], options?: { project_ids?: ProjectId[] }): Promise<string>
  /**
   * Calls a newsletter operation; mutations get a fresh key unless one is given. `as` defaults to the owner's API key.
   */
  call<T = any>(operation: string, body?: Record<string, unknown>, options?: CallOptions): Promise<Answer<T>>
  /** As `call`, for what must succeed: answers `data`. */
  ok<T = any>(operation: string, body?: Record<string, unknown>, options?: CallOptions): Promise<T>
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Runs the loops until all queued work is done. */
  settle(): Promise<void>
  /** The same service, clock and people with projects and keys of its own, far cheaper than another world. */
  fresh(): Promise<World>
  close(): Promise<void>
}

/** What a tick gets, to call a loop's parts directly. */
export function loopContext(runtime: Runtime, worker_id = 'prc_test'): LoopContext {
  const journal = createJournal(journalFolder(runtime.config), worker_id)
  return {
    ...runtime,
    worker_id,
    journal,
    countPause: () => undefined,
    stopping: () => false,
    ending: new AbortController().signal,
  }
}

export interface CallOptions {
  as?: string
  key?: string | null
  headers?: Record<string, string>
}

const open = new Set<World>()

export async function closeWorlds(): Promise<void> {
  for (const world of open) await world.close()
}

/** A hash says what it costs. Those that the service makes are meant to be expensive. */
const CHEAP_HASH = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
let passwordHash: Promise<string> | undefined

/** Loading the code of a thread takes far longer than most tests; one that stopped serves the next world. */
const idle: Worker[] = []
export const sharedThreads: Threads = {
  take: () => idle.pop() ?? newThreads.take(),
  give: (thread) => idle.push(thread),
}

/** A migrated database without rows. A world that begins with a copy of it has only to see that it is up to date. */
let emptyDatabase: Promise<Uint8Array> | undefined
async function migrated(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-empty-'))
  const file = join(folder, 'masthead.db')
  const store = await openStore({ url: `file:${file}` })
  await migrate(store, migrationsFolder, new FixedClock(START))
  await store.close()
  const bytes = await Bun.file(file).bytes()
  rmSync(folder, { recursive: true })
  return bytes
}

export interface WorldOptions {
  /** The people and projects are there already, made by another world on the same database. */
  join?: boolean
  /** How many threads answer; 1 by default. */
  http_threads?: number
  /** The threads that the service takes; by default those of earlier worlds. */
  threads?: Threads
}

export async function createWorld(settings: Partial<Config> = {}, options: WorldOptions = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-test-'))
  const clock = new FixedClock(START)
  if (!settings.database_url) await Bun.write(join(folder, 'masthead.db'), await (emptyDatabase ??= migrated()))
  const service = await startService(
    configOf({
      port: 0,
      data_dir: folder,
      log_level: 'error',
      check_responses: true,
      sandbox: true,
      newsletter_reads_per_minute: 1_000_000,
      newsletter_mutations_per_minute: 1_000_000,
      platform_requests_per_minute: 1_000_000,
      projects_per_user: 1_000_000,
      invitations_per_day: 1_000_000,
      min_free_disk_megabytes: 0,
      logins_per_minute: 100_000,
      public_requests_per_minute: 100_000,
      ...settings,
    }),
    { clock, loops: 'still', threads: options.threads ?? sharedThreads, http_threads: options.http_threads ?? 1 },
  )
  await service.allAnswer()
  const { store } = service.runtime
  passwordHash ??= Bun.password.hash(PASSWORD, CHEAP_HASH)
  const hash = await passwordHash
  const roles = ['owner', 'administrator', 'editor', 'member'] as const
  const ids = Object.fromEntries([...roles, 'outsider'].map((role) => [role, newId('usr')])) as World['users']
  const project = { id: 101 as ProjectId, public_id: newId('prj'), slug: 'harbour-news' }
  const other = { id: 102 as ProjectId, public_id: newId('prj'), slug: 'mountain-post' }
  const keys = Object.fromEntries([...roles, 'other'].map((role) => [role, newToken('svc_pk_')])) as World['keys']
  const app_id = newId('app')
  const addMembers = async (tx: Tx, main: ProjectId, second: ProjectId, keysOf: World['keys']) => {
    const member = (project_id: ProjectId, role: Role) => ({ project_id, user_id: ids[role], role, added_at: START })
    await tx.insert(members).values([...roles.map((role) => member(main, role)), member(second, 'owner')])
    await tx
      .insert(api_keys)
      .values([...roles.map((role) => apiKey(main, ids[role], keysOf[role])), apiKey(second, ids.owner, keysOf.other)])
  }
  if (!options.join)
    await store.write(async (tx) => {
      const at = { created_at: START, updated_at: START }
      await tx.insert(users).values(
        [...roles, 'outsider' as const].map((role) => ({
          id: ids[role],
          email: `${role}@example.com`,
          email_key: `${role}@example.com`,
          password_hash: hash,
          first_name: role,
          confirmed_at: START,
          ...at,
        })),
      )
      await tx.insert(projects).values([
        { ...project, name: 'Harbour News', ...at },
        { ...other, name: 'Mountain Post', ...at },
      ])
      await addMembers(tx, project.id, other.id, keys)
      await tx.insert(apps).values({
        id: app_id,
        client_id: newId('cli'),
        client_type: 'confidential',
        display_name: 'Test app',
        redirect_uris: [],
        scopes: [...SCOPES],
        status: 'approved',
        user_id: ids.outsider,
        ...at,
      })
    })

  const inProject = (project: WorldProject, other: WorldProject, keys: World['keys']): World => {
    const call: World['call'] = async (operation, body = {}, { as = keys.owner, key, headers = {} } = {}) => {
      const sent: Record<string, string> = {
        'Content-Type': 'application/json',
        Authorization: as.startsWith('svc_at_') ? `Bearer ${as}` : as,
        ...headers,
      }
      if (key !== null) sent['Idempotency-Key'] = key ?? newId('req')
      const named =
        as.startsWith('svc_at_') && !('project_id' in body) ? { project_id: project.public_id, ...body } : body
      const response = await fetch(`${service.url}/general/api/v1/newsletter/${operation.replace(/^\//, '')}`, {
        method: 'POST',
        headers: sent,
        body: JSON.stringify(named),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
      }
    }

    return {
      service,
      url: service.url,
      clock,
      folder,
      project,
      other,
      keys,
      users: ids,
      app_id,
      call,
      async ok(operation, body, options) {
        const answer = await call(operation, body, options)
        if (answer.status !== 200 && answer.status !== 202)
          throw new Error(`${operation} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
        return answer.body.data
      },
      async token(role, scopes = SCOPES, { project_ids = [project.id] } = {}) {
        const token = newToken('svc_at_')
        const authorization_id = newId('aut')
        await store.write(async (tx) => {
          await tx.insert(authorizations).values({
            id: authorization_id,
            app_id,
            user_id: ids[role],
            grant_type: 'authorization_code',
            scope: scopes.join(' '),
            created_at: clock.now(),
          })
          await tx
            .insert(authorization_projects)
            .values(project_ids.map((project_id) => ({ authorization_id, project_id })))
          await tx.insert(access_tokens).values({
            token_hash: tokenHash(token),
            authorization_id,
            scope: scopes.join(' '),
            created_at: clock.now(),
            expires_at: clock.now() + 3_600_000,
          })
        })
        return token
      },
      fetch: (path, init) => fetch(service.url + path, { redirect: 'manual', ...init }),
      async settle() {
        for (const loop of ['schedule', 'jobs', 'delivery'] as const) await service.drain(loop)
      },
      async fresh() {
        const ownKeys = Object.fromEntries(Object.keys(keys).map((name) => [name, newToken('svc_pk_')])) as typeof keys
        const add = async (tx: Tx, name: string): Promise<WorldProject> => {
          const own = { public_id: newId('prj'), slug: newId('prj').slice(4) }
          const row = { ...own, name, created_at: clock.now(), updated_at: clock.now() }
          return { id: one(await tx.insert(projects).values(row).returning({ id: projects.id })).id, ...own }
        }
        const [main, second] = await store.write(async (tx) => {
          const made = [await add(tx, 'Harbour News'), await add(tx, 'Mountain Post')] as const
          await addMembers(tx, made[0].id, made[1].id, ownKeys)
          return made
        })
        return inProject(main, second, ownKeys)
      },
      async close() {
        if (!open.delete(world)) return
        await service.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  }
  const world = inProject(project, other, keys)
  open.add(world)
  return world
}

function apiKey(project_id: ProjectId, user_id: string, key: string) {
  return {
    id: newId('key'),
    project_id,
    user_id,
    name: 'test',
    key_hash: tokenHash(key),
    hint: key.slice(-4),
    created_at: START,
  }
}
