import { sql } from 'drizzle-orm'
import type { SinkMessage } from './smtp-sink.ts'
import { createAnswers } from './tour-answers.ts'
import { createTourNames, type TourNames } from './tour-names.ts'
import { type Caller, requestsTo } from './tour-requests.ts'
import { type Row, type Watched, watchRows } from './tour-rows.ts'
import { dense } from './tour-values.ts'
import type { CallOptions, World } from './world.ts'

/**
 * Leads a service through what it does, and writes down all that comes out: answers, rows, audit rows, facts, pages and
 * messages. Tests compare the text with the recorded one.
 */
export interface Tour {
  heading(text: string): void
  write(...lines: string[]): void
  /** Writes a value as an answer is written. */
  json(value: unknown): void
  /** Calls an operation a second later, and writes the call and its answer. Answers `data`. */
  call<T = any>(sentence: string, operation: string, body?: Record<string, unknown>, options?: As): Promise<T>
  /** Calls an operation as often as there are pages, and writes what `show` tells of each item. */
  pages(sentence: string, operation: string, body: Record<string, unknown>, show: (item: any) => unknown): Promise<void>
  /** Requests a page as a visitor a second later, and writes the request and its answer. Answers as `ask`. */
  visit(sentence: string, path: string, init?: Visit): Promise<any>
  /** Calls a route, writes the call and its answer, and answers the body: of JSON its value, of others the text. */
  ask<T = any>(sentence: string, by: Caller, call: string, body?: unknown, more?: Asked): Promise<T>
  /** Calls a route and writes nothing. Throws unless it succeeds. */
  quiet(by: Caller, call: string, body?: unknown, headers?: Record<string, string>): Promise<any>
  /** Calls a route, writes nothing, and answers its text. */
  plain(by: Caller, call: string, headers?: Record<string, string>): Promise<string>
  /** Begins a session of each person. */
  signIn(): Promise<void>
  /** Writes the rows, audit rows and facts that changed since the last time. */
  changes(): Promise<void>
  /** Remembers rows, audit rows and facts as they are. */
  skip(): Promise<void>
  /** Messages of the sandbox mailbox since the last time. */
  received(): Promise<Received[]>
  /** Gives a value a name in all that is written. */
  name(value: number | string, name: string): void
  /** What was written since the last time. */
  text(): string
}

/** A message in the sandbox mailbox. */
export interface Received extends SinkMessage {
  project_id: number | null
}

interface As extends Omit<CallOptions, 'as'> {
  /** A role, `other` for the neighbor's key, or a token. */
  as?: string
}

interface Asked {
  headers?: Record<string, string>
  /** Writes only these headers of the answer, in place of the number of their set. */
  show?: readonly string[]
}

interface Visit extends Asked {
  method?: string
  body?: string
}

/** @param tables of which changed rows are written */
export function createTour(world: World, tables: readonly string[], stable?: Watched['stable']): Tour {
  const { db } = world.service.runtime.store
  const { send, signIn } = requestsTo(world)
  let answers = createAnswers()
  const names = namesIn(world)
  const lines: string[] = []
  let received = 0
  const watched = watchRows({
    read: (statement) => db.all<Row>(sql.raw(statement)),
    tables,
    folder: world.folder,
    project_id: world.project.id,
    stable,
    placeOf: (_, name) => names.given(name),
  })

  const write = (...more: string[]) => void lines.push(...more)
  /** A call without a sentence stands in its place. */
  const begin = (sentence: string, call: string) =>
    write(...(sentence === '' ? [`- ${call}`] : [`- ${sentence}`, `  ${call}`]))

  const tour: Tour = {
    heading: (text) => write('', `## ${text}`, ''),
    write,
    json: (value) => write(`  ${dense(value)}`),
    async call(sentence, operation, body = {}, { as = 'owner', ...options } = {}) {
      world.clock.advance(1000)
      const key = as in world.keys ? world.keys[as as keyof World['keys']] : as
      const { status, headers, body: answered } = await world.call(operation, body, { ...options, as: key })
      begin(sentence, `${operation} ${JSON.stringify(body)}${as === 'owner' ? '' : ` (as ${as})`}`)
      write(...answers.dataLines(status, headers, answered))
      return answered.data
    },
    async pages(sentence, operation, body, show) {
      begin(sentence, `${operation} ${JSON.stringify(body)}`)
      let cursor: string | undefined
      do {
        const { items, next_cursor = null } = await world.ok(operation, { ...body, cursor })
        write(`  ${JSON.stringify(items.map(show))}${next_cursor === null ? '' : ' and more'}`)
        cursor = next_cursor ?? undefined
      } while (cursor !== undefined)
    },
    visit(sentence, path, { method = 'GET', body, headers = {}, show } = {}) {
      world.clock.advance(1000)
      const isForm = body !== undefined && !Object.keys(headers).some((name) => /^content-type$/i.test(name))
      const form = isForm && { 'content-type': 'application/x-www-form-urlencoded' }
      return tour.ask(sentence, null, `${method} ${path}`, body, { headers: { ...form, ...headers }, show })
    },
    async ask(sentence, by, call, body, { headers = {}, show } = {}) {
      const { answer, text } = await send({ by, call, body, headers })
      const more = Object.entries(headers).map((part) => part.join(': '))
      const sent =
        body instanceof Uint8Array ? `<${body.length} bytes>` : body === undefined ? '' : JSON.stringify(body)
      const who = by === null ? 'nobody' : typeof by === 'string' ? by : 'token'
      begin(sentence, `${who}: ${[call, sent, ...more].filter((part) => part !== '').join(' ')}`)
      write(...answers.lines(answer, text, show))
      return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
    },
    async quiet(by, call, body, headers) {
      const { answer, text } = await send({ by, call, body, headers })
      if (!answer.ok) throw new Error(`${call} answered ${answer.status}: ${text}`)
      return JSON.parse(text)
    },
    plain: async (by, call, headers) => (await send({ by, call, headers })).text,
    signIn,
    changes: async () => write(...(await watched.changes())),
    skip: watched.skip,
    async received() {
      const rows = await db.all<Row>(sql`SELECT * FROM sandbox_messages WHERE id > ${received} ORDER BY id`)
      received = Number(rows.at(-1)?.id ?? received)
      return rows.map(({ project_id, sender, recipient, raw }) => ({
        project_id: project_id as number | null,
        from: String(sender),
        to: [String(recipient)],
        raw: Buffer.from(String(raw)),
      }))
    },
    name: names.name,
    text() {
      const text = names.all(lines.join('\n'))
      lines.length = 0
      // What comes stands in another file.
      answers = createAnswers()
      return text
    },
  }
  return tour
}

function namesIn({ url, users, project, other }: World): TourNames {
  const names = createTourNames()
  for (const [person, id] of Object.entries(users)) names.name(id, `usr_${person}`)
  names.name(project.public_id, 'prj_harbour')
  names.name(other.public_id, 'prj_mountain')
  names.name(url, 'http://service')
  names.name(encodeURIComponent(url), 'http%3A%2F%2Fservice')
  names.name(new URL(url).host, 'service')
  return names
}
