import { eq, sql } from 'drizzle-orm'
import { newId, type ProjectId } from '../../src/ids.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { access_tokens, authorization_projects, authorizations } from '../../src/store/tables/apps.ts'
import { createNamer } from '../support/recorded.ts'
import { newSession } from '../support/session.ts'
import type { World } from '../support/world.ts'

export type Person = keyof World['users']
type Row = Record<string, unknown>

/** Who calls: a signed-in person, an access token, or nobody. */
export type Caller = Person | { token: string } | null

export interface Asked {
  headers?: Record<string, string>
  /** Writes only these headers of the answer, in place of the number of their set. */
  show?: readonly string[]
}

/**
 * Leads a service through what developers, operators and apps do, and writes down all that comes out: answers, rows,
 * audit rows and messages. Tests compare the text with the recorded one.
 */
export interface Tour {
  heading(text: string): void
  write(...lines: string[]): void
  /** Writes a value as an answer is written. */
  json(value: unknown): void
  /** Calls a route, writes the call and its answer, and answers the body. */
  ask<T = any>(sentence: string, by: Caller, call: string, body?: unknown, more?: Asked): Promise<T>
  /** Calls a route and writes nothing. Throws unless it succeeds. */
  quiet(by: Caller, call: string, body?: unknown, headers?: Record<string, string>): Promise<any>
  /** Calls a route, writes nothing, and answers its text. */
  plain(by: Caller, call: string, headers?: Record<string, string>): Promise<string>
  /** Writes the rows that changed since the last time, the audit rows and the messages. */
  changes(): Promise<void>
  /** Remembers the rows as they are. What happened before is not written. */
  skip(): Promise<void>
  /** An access token of an app, granted by a person. */
  token(app_id: string, by: Person, scope: string, project_ids?: readonly ProjectId[]): Promise<string>
  /** Names a value in the whole text. */
  name(value: string, name: string): void
  text(): string
}

/** Columns that are no part of what is looked at here. */
const HIDDEN = new Set(['hash', 'password_hash', 'content', 'sealed', 'password_changed_at'])

export async function tourOf(
  world: World,
  tables: Record<string, readonly string[]>,
  reviewer: Person = 'editor',
): Promise<Tour> {
  const { store } = world.service.runtime
  const begun = performance.now()
  const lines: string[] = []
  const names = new Map<string, string>()
  const headerSets: string[] = []
  const shown = new Map<string, Row>()
  let known = new Map<string, Row>()
  const mails = new Map<string, string>()
  const pages = new Set<string>()
  let wholeMails = 0
  let audited = 0
  let received = 0

  for (const [person, id] of Object.entries(world.users)) names.set(id, `usr_${person}`)
  names.set(world.project.public_id, 'prj_harbour')
  names.set(world.other.public_id, 'prj_mountain')
  await store.write((tx) => tx.update(users).set({ admin: true }).where(eq(users.id, world.users[reviewer])))
  const forever = { expires_at: world.clock.now() + 1000 * 86_400_000 }
  const cookies = new Map<string, string>()
  for (const person of Object.keys(world.users) as Person[]) {
    const { name, value } = await newSession(world, person, forever)
    cookies.set(person, `${name}=${value}`)
  }

  const write = (...more: string[]) => void lines.push(...more)

  const headersOf = (answer: Response, show: readonly string[] | undefined): string => {
    if (show) return show.map((name) => `${name}: ${answer.headers.get(name)}`).join(' | ')
    const told = [...answer.headers]
      .filter(([name]) => !UNTOLD.has(name))
      .map(([name, value]) => `${name}: ${name.startsWith('ratelimit') ? value.replace(COUNTED, '…') : value}`)
      .sort()
      .join(' | ')
    const at = headerSets.indexOf(told)
    if (at >= 0) return `h${at + 1}`
    headerSets.push(told)
    return `h${headerSets.length} = ${told}`
  }

  /** The lines of a page. Three and more in a row that stood in pages before are counted only. */
  const pageLines = (text: string): string[] => {
    const written: string[] = []
    let seen: string[] = []
    const flush = () => {
      written.push(...(seen.length < 3 ? seen : [`  … ${seen.length} lines as before`]))
      seen = []
    }
    for (const line of text.split('\n').map((each) => `  > ${each}`)) {
      if (pages.has(line)) seen.push(line)
      else {
        flush()
        written.push(line)
      }
      pages.add(line)
    }
    flush()
    return written
  }

  /** What was shown before is written as what changed since. */
  const brief = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(brief)
    const row = value as Row
    const id = row.id ?? row.connection_id
    const whole = () => Object.fromEntries(Object.entries(row).map(([key, part]) => [key, brief(part)]))
    if (id === undefined || JSON.stringify(row).length < 160) return whole()
    const key = `${Object.keys(row).join()} ${String(id)}`
    const before = shown.get(key)
    shown.set(key, row)
    if (!before) return whole()
    const changed = Object.entries(row).filter(([name, part]) => !Bun.deepEquals(before[name], part))
    return { 'as before': id, ...Object.fromEntries(changed) }
  }

  /** A text with the names that are known so far. */
  const named = (text: string): string =>
    [...names].reduce((given, [value, name]) => given.replaceAll(value, name), text)

  /** How long a call took: less than the tour has. */
  const plausible = (duration_ms: number) =>
    duration_ms >= 0 && duration_ms <= performance.now() - begun ? 'short' : duration_ms

  const state = async () => {
    const rows = new Map<string, Row>()
    for (const [table, keys] of Object.entries(tables)) {
      const found = await store.db.all<Row>(
        sql.raw(`SELECT * FROM ${table} ${BY_KEY.has(table) ? '' : 'ORDER BY rowid'}`),
      )
      const keyOf = (row: Row) => `${table} ${keys.map((key) => row[key]).join(' ')}`
      if (BY_KEY.has(table)) found.sort((one, other) => (named(keyOf(one)) < named(keyOf(other)) ? -1 : 1))
      for (const row of found) {
        for (const name of HIDDEN) delete row[name]
        if (table === 'app_requests') row.duration_ms = plausible(Number(row.duration_ms))
        rows.set(keyOf(row), row)
      }
    }
    return rows
  }

  const audit = async () => {
    const rows = await store.db.all<Row>(sql`SELECT * FROM audit_log WHERE id > ${audited} ORDER BY id`)
    audited = (rows.at(-1)?.id as number | undefined) ?? audited
    return rows
  }

  const messages = async (): Promise<Row[]> => {
    await world.service.drain('mail')
    const rows = await store.db.all<Row>(
      sql`SELECT id, project_id, sender, recipient, raw FROM sandbox_messages WHERE id > ${received} ORDER BY id`,
    )
    received = (rows.at(-1)?.id as number | undefined) ?? received
    // Those of one instant have no order.
    return rows.toSorted((one, other) => String(one.recipient).localeCompare(String(other.recipient)))
  }

  const send = async (by: Caller, call: string, body: unknown, headers: Record<string, string>) => {
    const [method = '', ...path] = call.split(' ')
    const signed: Record<string, string> =
      by === null ? {} : typeof by === 'string' ? { cookie: cookies.get(by)! } : { authorization: `Bearer ${by.token}` }
    const isPlain = body === undefined || body instanceof Uint8Array
    const answer = await world.fetch(path.join(' '), {
      method,
      headers: {
        'accept-encoding': 'identity',
        ...signed,
        ...(isPlain ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...(signed.cookie !== undefined && headers.cookie !== undefined
          ? { cookie: `${signed.cookie}; ${headers.cookie}` }
          : {}),
      },
      ...(body === undefined
        ? {}
        : { body: isPlain || typeof body === 'string' ? (body as BodyInit) : JSON.stringify(body) }),
    })
    return { answer, text: await answer.text() }
  }

  return {
    heading: (text) => write('', `## ${text}`, ''),
    write,
    json: (value) => write(`  ${dense(value)}`),
    async ask(sentence, by, call, body, { headers = {}, show } = {}) {
      const { answer, text } = await send(by, call, body, headers)
      const more = Object.entries(headers).map((part) => part.join(': '))
      const sent =
        body instanceof Uint8Array ? `<${body.length} bytes>` : body === undefined ? '' : JSON.stringify(body)
      const who = by === null ? 'nobody' : typeof by === 'string' ? by : 'token'
      write(`- ${sentence}`, `  ${who}: ${[call, sent, ...more].filter((part) => part !== '').join(' ')}`)
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false
      const known = headersOf(answer, show)
      if (!isJson) {
        write(`  ${answer.status} ${known}`, ...(text === '' ? [] : pageLines(text)))
        return text
      }
      const parsed = JSON.parse(text)
      const id = answer.headers.get('x-request-id')
      const said = parsed.request_id === id ? { ...parsed, request_id: 'as in the headers' } : parsed
      write(`  ${answer.status} ${known} ${refusal(said) ?? dense(brief(said))}`)
      return parsed
    },
    async quiet(by, call, body, headers = {}) {
      const { answer, text } = await send(by, call, body, headers)
      if (!answer.ok) throw new Error(`${call} answered ${answer.status}: ${text}`)
      return JSON.parse(text)
    },
    plain: async (by, call, headers = {}) => (await send(by, call, undefined, headers)).text,
    async changes() {
      const now = await state()
      for (const [name, row] of now) {
        const before = known.get(name)
        if (!before) write(`+ ${name}: ${fields(row)}`)
        else {
          const changed = Object.entries(row).filter(([key, value]) => before[key] !== value)
          if (changed.length > 0)
            write(
              `~ ${name}: ${changed.map(([key, value]) => `${key} ${cell(before[key])} > ${cell(value)}`).join(', ')}`,
            )
        }
      }
      for (const [name] of known) if (!now.has(name)) write(`- ${name}`)
      known = now
      for (const { actor, action, target, project_id, ip, outcome, details, at } of await audit())
        write(`audit: ${[cell(at), actor, action, target, project_id, ip, outcome, details ?? ''].join(' ')}`.trimEnd())
      for (const { project_id, sender, recipient, raw } of await messages()) {
        const mail = plainMail(String(raw))
        // One is written whole, of those after it what they say.
        const said = wholeMails === 0 ? mail : wordsOf(mail)
        const before = mails.get(wordsOf(mail))
        if (before === undefined) wholeMails += 1
        mails.set(wordsOf(mail), String(recipient))
        write(`mail: from ${String(sender)} to ${String(recipient)}, project ${String(project_id)}`)
        write(...(before === undefined ? said.split('\n') : [`as that to ${before}`]).map((line) => `> ${line}`))
      }
    },
    async skip() {
      known = await state()
      await audit()
      await messages()
    },
    async token(app_id, by, scope, project_ids = [world.project.id]) {
      const token = newToken('svc_at_')
      const authorization_id = newId('aut')
      const created_at = world.clock.now()
      await store.write(async (tx) => {
        const held = { app_id, user_id: world.users[by], grant_type: 'authorization_code', scope, created_at }
        await tx.insert(authorizations).values({ id: authorization_id, ...held })
        if (project_ids.length > 0)
          await tx
            .insert(authorization_projects)
            .values(project_ids.map((project_id) => ({ authorization_id, project_id })))
        const expires_at = created_at + 1000 * 86_400_000
        await tx
          .insert(access_tokens)
          .values({ token_hash: tokenHash(token), authorization_id, scope, created_at, expires_at })
      })
      return token
    },
    name: (value, name) => void names.set(value, name),
    text() {
      let text = named(lines.join('\n'))
      const ends = [...new Set([...text.matchAll(/svc_cs_[\w-]{43}/g)].map(([secret]) => secret))]
      for (const secret of ends) text = text.replace(endOf(secret), `hint$1<end of ${secret}>`)
      return createNamer()(
        text
          .replaceAll(/(?<=\/assets\/[\w./-]+\?v=)\w+/g, '…')
          .replaceAll(world.url, 'http://service')
          .replaceAll(new URL(world.url).host, 'service')
          .replaceAll(/([a-zé]|\{\{a\}\})\1{29,}/g, (run, one: string) => `<${run.length / one.length} ${one}>`),
      )
    },
  }
}

/** Tables without row ids. Their rows are in the order of the names of their keys. */
const BY_KEY = new Set([
  ...['app_team', 'app_test_projects', 'app_calls', 'authorization_projects', 'members'],
  ...['switched_off_scripts', 'milestones', 'sign_in_failures'],
])

/** What is left in a window, and for how long. */
const COUNTED = /(?<=^|;r=|;t=)\d{1,6}$|(?<=;r=)\d{1,6}(?=;)/g

const UNTOLD = new Set(['date', 'content-length', 'x-request-id'])

function endOf(secret: string): RegExp {
  return new RegExp(String.raw`hint("?:? ?"?)${secret.slice(-4)}(?![\w-])`, 'g')
}

/** A source without what differs in each run; lines that were folded are joined. */
function plainMail(raw: string): string {
  return raw
    .replaceAll('\r\n', '\n')
    .replaceAll(/(?<!\?)=\n/g, '')
    .replaceAll('=3D', '=')
    .replaceAll(/=\?utf-8\?B\?([^?]*)\?=(?:\n (?==\?))?/g, (_, word: string) => Buffer.from(word, 'base64').toString())
    .replaceAll(/^(Message-ID: ).*$/gm, '$1…')
    .replaceAll(/=_[\w-]{24}/g, '<boundary>')
    .trimEnd()
}

/** The subject of a message and its text. */
function wordsOf(mail: string): string {
  const subject = /^Subject: .*$/m.exec(mail)?.[0] ?? ''
  const text = /Content-Type: text\/plain[^]*?\n\n([^]*?)\n--<boundary>/.exec(mail)?.[1] ?? mail
  return [subject, ...text.split('\n').filter((line) => line !== '')].join('\n')
}

const WIDTH = 200

/** As `outline`, in longer lines: short properties stand together. */
export function dense(value: unknown, indent = '  '): string {
  const line = JSON.stringify(value) ?? 'undefined'
  if (value === null || typeof value !== 'object' || line.length <= WIDTH) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((part) => `${inner}${dense(part, inner)}\n`).join('')}${indent}]`
  const lines: string[] = []
  for (const [key, part] of Object.entries(value)) {
    const text = `${key}: ${dense(part, inner)}`
    const last = lines.at(-1)
    if (last !== undefined && !`${last}${text}`.includes('\n') && last.length + text.length < WIDTH)
      lines[lines.length - 1] = `${last}, ${text}`
    else lines.push(text)
  }
  return `{\n${lines.map((text) => `${inner}${text}\n`).join('')}${indent}}`
}

/** A refusal of the platform in a line; null for anything else. */
function refusal({ error, message, details, ...more }: any): string | null {
  if (typeof error !== 'string' || Object.keys(more).length > 0) return null
  const [first] = Array.isArray(details) ? details : []
  const usual = first && `The request is not valid. ${first.path.slice(1).replaceAll('/', '.')}: ${first.message}`
  const flaws = details === undefined ? '' : ` ${JSON.stringify(details)}`
  return `${error} ${message === usual ? 'as its first detail:' : JSON.stringify(message)}${flaws}`
}

function fields(row: Row): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${cell(value)}`)
    .join(', ')
}

/** A value of a row. Times are those of the test's clock. */
function cell(value: unknown): string {
  if (typeof value === 'number' && value > 1e12 && value < 3e12)
    return new Date(value).toISOString().replace(/(:00)?\.000Z$/, '')
  return typeof value === 'string' && !/^([\w.@+-]+|[{[].*)$/.test(value) ? JSON.stringify(value) : String(value)
}
