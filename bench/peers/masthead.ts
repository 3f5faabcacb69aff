import { join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { newId, type ProjectId } from '../../src/ids.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { access_tokens, apps, authorization_projects, authorizations } from '../../src/store/tables/apps.ts'
import { app_secrets, refresh_tokens } from '../../src/store/tables/oauth.ts'
import { callOk, makeLoneProject, type LoneProject, withDatabase } from '../../test/support/lone-project.ts'
import { freePort } from '../../test/support/service-process.ts'
import type { Bench } from '../bench.ts'
import { COLUMNS, CONSENT, LIST, writeCsv } from '../people.ts'

/** A data folder with a project of so many contacts, and what its clients hold. */
export interface Prepared extends LoneProject {
  folder: string
  contacts: number
  list_id: number
  app_id: string
  /** The Authorization header of the app, with its client secret. */
  client: string
  /** Access tokens of as many authorizations, each with the refresh token beside it. */
  access_tokens: readonly string[]
  refresh_tokens: readonly string[]
}

export interface Masthead {
  url: string
  pid: number
  /** Seconds from the start of the process to an answer of /readyz. */
  started_in: number
  call(operation: string, body?: Record<string, unknown>): ReturnType<typeof callOk>
  stop(): Promise<void>
}

const SCOPES = ['newsletter:read', 'newsletter:write', 'newsletter:send']
const TOKENS = 1_000
const WEEK_MS = 7 * 86_400_000
/** Settings under which no rate limit is met; everything else is as installed. */
const UNLIMITED = Object.fromEntries(
  ['newsletter_reads', 'newsletter_mutations', 'oauth_requests', 'platform_requests', 'public_requests'].map((name) => [
    `MASTHEAD_${name.toUpperCase()}_PER_MINUTE`,
    '1000000000',
  ]),
)

const folders = new Map<number, Prepared>()

/**
 * Makes the project and imports its contacts with the command line. A folder of a size is made once, an
 * empty one each time: the next workload finds it with what the one before has added.
 * @param server the URL of a libSQL server that holds the database
 */
export async function prepare(bench: Bench, contacts: number, server?: string): Promise<Prepared> {
  const kept = folders.get(contacts)
  if (kept) return kept
  const folder = bench.folder(`masthead-${contacts}`)
  const project = await makeLoneProject(server ?? folder)
  const clients = await makeTokens(server ?? folder, project.project_id)
  const service = await start(bench, { folder, key: project.key }, server ? { MASTHEAD_DATABASE_URL: server } : {})
  const { list } = await service.call('lists/create', { name: LIST })
  for (const key of COLUMNS.slice(3)) await service.call('custom-fields/create', { key, label: key, type: 'text' })
  await service.stop()
  if (contacts > 0) {
    const csv = join(folder, 'people.csv')
    writeCsv(csv, contacts)
    const map = COLUMNS.map((name, at) => `${name}=${at < 3 ? name : `custom.${name}`}`).join()
    const consent = ['--list', LIST, '--consent-confirmed', '--consent-text', CONSENT]
    const child = Bun.spawn([bench.executable, 'contacts', 'import', 'harbour', csv, '--map', map, ...consent], {
      env: { PATH: process.env.PATH, MASTHEAD_DATA_DIR: folder },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    if ((await child.exited) !== 0) throw new Error('The import of the contacts failed.')
  }
  const prepared = { ...project, ...clients, folder, contacts, list_id: list.id as number }
  if (contacts > 0) folders.set(contacts, prepared)
  return prepared
}

async function makeTokens(place: string, project_id: ProjectId) {
  const [app_id, client_id, secret, now] = [newId('app'), newId('cli'), newToken('svc_cs_'), systemClock.now()]
  const at = { created_at: now, updated_at: now }
  const pairs = Array.from({ length: TOKENS }, () => ({
    id: newId('aut'),
    access: newToken('svc_at_'),
    refresh: newToken('svc_rt_'),
  }))
  await withDatabase(place, (store) =>
    store.write(async (tx) => {
      const [{ id: user_id }] = (await tx.all('SELECT id FROM users')) as [{ id: string }]
      await tx.insert(apps).values({
        ...{ id: app_id, client_id, client_type: 'confidential', display_name: 'Weather', status: 'approved' },
        ...{ redirect_uris: ['https://weather.example/back'], scopes: SCOPES, user_id, ...at },
      })
      const hint = secret.slice(-4)
      await tx
        .insert(app_secrets)
        .values({ id: newId('key'), app_id, secret_hash: tokenHash(secret), hint, created_at: now })
      for (const { id, access, refresh } of pairs) {
        const scope = SCOPES.join(' ')
        const grant = { id, app_id, user_id, grant_type: 'authorization_code', scope, created_at: now }
        await tx.insert(authorizations).values(grant)
        await tx.insert(authorization_projects).values({ authorization_id: id, project_id })
        const of = { authorization_id: id, created_at: now }
        await tx
          .insert(access_tokens)
          .values({ token_hash: tokenHash(access), scope, expires_at: now + WEEK_MS, ...of })
        await tx.insert(refresh_tokens).values({ token_hash: tokenHash(refresh), ...of })
      }
    }),
  )
  return {
    app_id,
    client: `Basic ${btoa(`${client_id}:${secret}`)}`,
    access_tokens: pairs.map(({ access }) => access),
    refresh_tokens: pairs.map(({ refresh }) => refresh),
  }
}

/** Starts the executable as installed, without limits of rate; its calls are made with the owner's key. */
export async function start(
  { executable }: Bench,
  { folder, key }: Pick<Prepared, 'folder' | 'key'>,
  settings: Record<string, string> = {},
): Promise<Masthead> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const child = Bun.spawn([executable, 'serve'], {
    stdout: 'ignore',
    stderr: Bun.file(join(folder, 'service.log')),
    env: {
      PATH: process.env.PATH,
      MASTHEAD_DATA_DIR: folder,
      MASTHEAD_PORT: String(port),
      ...UNLIMITED,
      ...settings,
    },
  })
  await answering(`${url}/readyz`, child)
  return {
    url,
    pid: child.pid,
    started_in: (performance.now() - begun) / 1000,
    call: (operation, body = {}) => callOk(url, key, operation, body),
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

/** Waits until a process answers; throws when it ends before, or after a minute. */
export async function answering(url: string, child: { exitCode: number | null }): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${url} does not answer (exit code ${child.exitCode}).`)
    await Bun.sleep(2)
  }
}
