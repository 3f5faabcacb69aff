import { join } from 'node:path'
import { SESSION_COOKIE } from '../../src/access/session.ts'
import { systemClock } from '../../src/clock.ts'
import { newId, type ProjectId } from '../../src/ids.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { migrationsFolder } from '../../src/service.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { api_keys, members, projects, sessions, users } from '../../src/store/tables/accounts.ts'

/** A data folder, or a libSQL server, with one project in it, for a service that runs as a process of its own. */
export interface LoneProject {
  project_id: ProjectId
  public_id: string
  /** Its owner's API key. */
  key: string
  /** The Cookie header of its owner. */
  cookie: string
}

/** @param place the folder, or the URL of the server */
export async function makeLoneProject(place: string): Promise<LoneProject> {
  const key = newToken('svc_pk_')
  const session = newToken('svc_ss_')
  const [user_id, project_id, public_id, now] = [newId('usr'), 1 as ProjectId, newId('prj'), systemClock.now()]
  await withDatabase(place, async (store) => {
    await migrate(store, migrationsFolder, systemClock)
    await store.write(async (tx) => {
      await tx.insert(users).values({
        id: user_id,
        email: 'ada@example.com',
        email_key: 'ada@example.com',
        created_at: now,
        updated_at: now,
      })
      await tx.insert(projects).values({
        id: project_id,
        public_id,
        name: 'Harbour News',
        slug: 'harbour',
        created_at: now,
        updated_at: now,
      })
      await tx.insert(members).values({ project_id, user_id, role: 'owner', added_at: now })
      await tx.insert(api_keys).values({
        id: newId('key'),
        project_id,
        user_id,
        name: 'test',
        key_hash: tokenHash(key),
        hint: key.slice(-4),
        created_at: now,
      })
      await tx.insert(sessions).values({
        token_hash: tokenHash(session),
        user_id,
        created_at: now,
        last_used_at: now,
        expires_at: now + 86_400_000,
      })
    })
  })
  return { project_id, public_id, key, cookie: `${SESSION_COOKIE}=${session}` }
}

/** Works on the database of a data folder or a server, also beside a service that runs on it. */
export async function withDatabase<T>(place: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ url: place.includes('://') ? place : `file:${join(place, 'masthead.db')}` })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Settings under which no rate limit is met. */
export const UNLIMITED = {
  MASTHEAD_NEWSLETTER_READS_PER_MINUTE: '1000000',
  MASTHEAD_NEWSLETTER_MUTATIONS_PER_MINUTE: '1000000',
}

/** Calls an operation of a service process. */
export function post(url: string, key: string, operation: string, body: Record<string, unknown>): Promise<Response> {
  return fetch(`${url}/general/api/v1/newsletter/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: key, 'Idempotency-Key': newId('req') },
    body: JSON.stringify(body),
  })
}

/** As `post`, for what must succeed: answers `data`. */
export async function callOk(url: string, key: string, operation: string, body: Record<string, unknown>): Promise<any> {
  const { data, error } = (await (await post(url, key, operation, body)).json()) as { data?: unknown; error?: unknown }
  if (error) throw new Error(`${operation}: ${JSON.stringify(error)}`)
  return data
}
