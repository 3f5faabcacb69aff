import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Role } from '../../src/store/tables/accounts.ts'
import { createNamer } from '../support/recorded.ts'
import { newSession } from '../support/session.ts'
import type { SinkMessage } from '../support/smtp-sink.ts'
import type { CallOptions, World } from '../support/world.ts'

/**
 * Leads a service through what belongs to the sending of letters, and writes down all that comes out: answers, rows,
 * audit rows, facts and messages. Tests compare the text with the recorded one.
 */
export interface Tour {
  heading(text: string): void
  write(...lines: string[]): void
  /** Calls an operation a second later, and writes the call and its answer. Answers `data`. */
  call<T = any>(operation: string, body?: Record<string, unknown>, options?: As): Promise<T>
  /** Calls an operation as often as there are pages, and writes what `show` tells of each item. */
  pages(operation: string, body: Record<string, unknown>, show: (item: any) => unknown): Promise<void>
  /** Calls a route of the dashboard as a user, and writes the call and its answer. */
  route<T = any>(role: Role | 'outsider', path: string, body?: Record<string, unknown>): Promise<T>
  /** Requests a public page or address, and writes the request and its answer. Answers the text. */
  visit(sentence: string, path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<string>
  /** Writes the rows, audit rows and facts that came since the last time. */
  rows(): Promise<void>
  /** Remembers rows, audit rows and facts as they are. */
  skipRows(): Promise<void>
  /** Messages of the sandbox mailbox since the last time. */
  received(): Promise<SinkMessage[]>
  /** Gives a value a name in all that is written. */
  name(value: number | string, name: string): void
  text(): string
}

interface As extends Omit<CallOptions, 'as'> {
  /** A role, `other` for the neighbor's key, or a token. */
  as?: string
}

/** The tables of sending, with the columns that name a row. */
const TABLES = {
  newsletter_settings: ['project_id'],
  connections: ['id'],
  dkim_keys: ['id'],
  templates: ['id'],
  campaigns: ['id'],
  campaign_links: ['campaign_id', 'position'],
  deliveries: ['id'],
  events: ['id'],
  contacts: ['id'],
  memberships: ['contact_id', 'list_id'],
  consents: ['id'],
  suppressions: ['id'],
  soft_bounces: ['project_id', 'email_key'],
  provider_events: ['connection_id', 'event_id'],
  send_buckets: ['connection_id', 'lane'],
  sending_hours: ['project_id', 'connection_id', 'hour'],
  delivery_days: ['project_id', 'day', 'provider'],
  message_requests: ['id'],
  jobs: ['id'],
} as const

type Row = Record<string, unknown>

const LINKS = /(\/general\/newsletter\/(?:webhooks\/)?([a-z]+)\/|unsubscribe%20)([\w.-]{30,})/g
const MARKS = /(?<=\.|-|^|[^\w])[0-9a-v]{5}[0-9a-f]{20}\b/g

export function tourOfSending(world: World): Tour {
  const { db } = world.service.runtime.store
  const lines: string[] = []
  const shown = new Map<string, Row>()
  const headersShown = new Map<string, number>()
  let known = new Map<string, Row>()
  let audited = 0
  let facts = 0
  const given = new Map<string, string>()
  let received = 0

  const write = (...more: string[]) => void lines.push(...more)

  /** A resource that was shown before is written as what changed since. */
  const brief = (value: unknown, about: string): unknown => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map((part) => brief(part, about))
    const row = value as Row
    if (!('id' in row && 'updated_at' in row) && !('track_opens' in row))
      return Object.fromEntries(Object.entries(row).map(([key, part]) => [key, brief(part, about)]))
    const name = `${about} ${String(row.id)}`
    const before = shown.get(name)
    shown.set(name, { ...before, ...row })
    if (!before) return row
    const changed = Object.entries(row).filter(([key, part]) => !Bun.deepEquals(before[key], part))
    const missing = Object.keys(before).filter((key) => !(key in row) && !OFTEN_LEFT_OUT.has(key))
    return {
      'as before': row.id ?? null,
      ...Object.fromEntries(changed),
      ...(missing.length > 0 && { without: missing }),
    }
  }

  const answer = (about: string, status: number, headers: Headers, body: any) => {
    const { request_id, ...rest } = body
    const said = request_id === headers.get('x-request-id') ? rest : body
    const wait = headers.get('retry-after')
    const whole = 'data' in said && Object.keys(said).length === 1 ? said.data : said
    write(`  ${status} ${wait === null ? '' : `retry-after ${wait} `}${refusal(said) ?? dense(brief(whole, about))}`)
  }

  /** Headers that were shown before are written as a number. */
  const headersIn = (told: string): string => {
    const before = headersShown.get(told)
    if (before !== undefined) return `headers ${before}`
    headersShown.set(told, headersShown.size + 1)
    return `headers ${headersShown.size}: ${told}`
  }

  const state = async () => {
    const rows = new Map<string, Row>()
    for (const [table, keys] of Object.entries(TABLES))
      for (const row of await db.all<Row>(sql.raw(`SELECT * FROM ${table} ORDER BY ${keys.join(', ')}`)))
        rows.set(`${table} ${keys.map((key) => row[key]).join(' ')}`, row)
    return rows
  }

  const audit = async () => {
    const rows = await db.all<Row>(sql`SELECT * FROM audit_log WHERE id > ${audited} ORDER BY id`)
    audited = (rows.at(-1)?.id as number | undefined) ?? audited
    return rows
  }

  /** The lines that were added to the files of facts. */
  const newFacts = () => {
    const folder = join(world.folder, 'facts')
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.log')) : []
    const all = files.sort().flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(1, -1))
    const added = all.slice(facts)
    facts = all.length
    return added
  }

  return {
    heading: (text) => write('', `## ${text}`, ''),
    write,
    async call(operation, body = {}, { as = 'owner', ...options } = {}) {
      world.clock.advance(1000)
      const key = as in world.keys ? world.keys[as as Role] : as
      const { status, headers, body: answered } = await world.call(operation, body, { ...options, as: key })
      write(`- ${operation} ${JSON.stringify(body)}${as === 'owner' ? '' : ` (as ${as})`}`)
      answer(operation.split('/')[0]!, status, headers, answered)
      return answered.data
    },
    async pages(operation, body, show) {
      write(`- ${operation} ${JSON.stringify(body)}`)
      let cursor: string | undefined
      do {
        const { items, next_cursor = null } = await world.ok(operation, { ...body, cursor })
        write(`  ${JSON.stringify(items.map(show))}${next_cursor === null ? '' : ' and more'}`)
        cursor = next_cursor ?? undefined
      } while (cursor !== undefined)
    },
    async route(role, path, body = {}) {
      world.clock.advance(1000)
      const { name, value } = await newSession(world, role)
      const response = await world.fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: `${name}=${value}` },
        body: JSON.stringify({ project_id: world.project.public_id, ...body }),
      })
      const answered: any = await response.json()
      write(`- POST ${path} ${JSON.stringify(body)} (as ${role})`)
      answer(path, response.status, response.headers, answered)
      return answered
    },
    async visit(sentence, path, init = {}) {
      world.clock.advance(1000)
      const { method = 'GET', headers: sent = {} } = init
      const response = await world.fetch(path, { ...init, headers: { 'Accept-Encoding': 'identity', ...sent } })
      const text = await response.text()
      write(`- ${sentence}`, `  ${method} ${path}`)
      const told = [...response.headers]
        .filter(([name]) => !UNTOLD.has(name))
        .map(([name, value]) => `${name}: ${value.replaceAll(/sha256-[\w+/]+=*/g, 'sha256-…')}`)
        .sort()
      if (response.headers.get('content-type')?.includes('json')) {
        answer(path, response.status, response.headers, JSON.parse(text))
      } else write(`  ${response.status} ${headersIn(told.join(' | '))}`)
      return text
    },
    async rows() {
      const now = await state()
      for (const [name, row] of now) {
        const before = known.get(name)
        const keys = TABLES[name.split(' ')[0] as keyof typeof TABLES]
        const changed = before && Object.entries(row).filter(([key, value]) => before[key] !== value)
        if (!changed) write(`+ ${name}: ${fields(row, keys)}`)
        else if (changed.length > 0)
          write(
            `~ ${name}: ${changed.map(([key, value]) => `${key} ${cell(before[key])} > ${cell(value)}`).join(', ')}`,
          )
      }
      for (const [name] of known) if (!now.has(name)) write(`- ${name}`)
      known = now
      const said = (await audit()).map(({ actor, action, target, project_id, outcome, details, at }) =>
        ['audit', cell(at), actor, action, target, details]
          .concat(project_id === world.project.id ? [] : `project ${String(project_id)}`)
          .concat(outcome === 'done' ? [] : String(outcome))
          .filter((part) => part !== null)
          .join(' '),
      )
      for (const [line, same] of Map.groupBy(said, (line) => line))
        write(same.length === 1 ? line : `${line} (${same.length} times)`)
      for (const fact of newFacts()) write(`fact ${fact}`)
    },
    async skipRows() {
      known = await state()
      await audit()
      newFacts()
    },
    async received() {
      const rows = await db.all<{ id: number; sender: string; recipient: string; raw: string }>(
        sql`SELECT * FROM sandbox_messages WHERE id > ${received} ORDER BY id`,
      )
      received = rows.at(-1)?.id ?? received
      return rows.map(({ sender, recipient, raw }) => ({ from: sender, to: [recipient], raw: Buffer.from(raw) }))
    },
    name: (value, name) => void given.set(String(value), `<${name}>`),
    text() {
      let text = lines.join('\n')
      for (const [value, name] of given) text = text.replaceAll(new RegExp(`\\b${value}\\b`, 'g'), name)
      return named(text)
    },
  }
}

/** Gives the same names to what is random in a text in each run. */
function named(text: string): string {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const nameOf = (kind: string, value: string) => {
    const count = names.has(value) ? 0 : (counts.get(kind) ?? 0) + 1
    if (count > 0) {
      counts.set(kind, count)
      names.set(value, `<${kind} ${count}>`)
    }
    return names.get(value)!
  }
  return createNamer()(
    text
      .replace(
        LINKS,
        (_, before: string, page: string | undefined, token: string) =>
          `${before}${nameOf(page ?? 'unsubscribe', token)}`,
      )
      .replace(/(?<![\w+/])[\w+/]{43}=(?![\w+/])/g, (key) => nameOf('public key', key))
      .replace(MARKS, (mark) => nameOf('mark', mark))
      .replace(/(\p{L})\1{29,}/gu, (run, letter: string) => `<${run.length} ${letter}>`)
      .replace(/\bBun\/\d[\d.]*/g, 'Bun')
      .replace(/=_[\w-]{24}/g, (boundary) => nameOf('boundary', boundary)),
  )
}

/** Parts that lists and summaries leave out. */
const OFTEN_LEFT_OUT = new Set(['editor_json', 'updated_by', 'waiting', 'stats'])

/** A refusal of the usual form in a line; null for anything else. */
function refusal({ error, ...rest }: any): string | null {
  if (!error || Object.keys(rest).length > 0) return null
  const { code, message, retryable, details, ...more } = error
  const usual = code === 'VALIDATION_FAILED' && message === 'The request is not valid.' ? '' : ` "${message}"`
  const parts = [details === undefined ? '' : ` ${dense(details)}`, retryable ? ' retryable' : '']
  return `${code}${usual}${parts.join('')}${Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : ''}`
}

const WIDTH = 220

/** As `outline`, in longer lines. */
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

const UNTOLD = new Set(['date', 'content-length', 'etag', 'x-request-id'])

function fields(row: Row, keys: readonly string[]): string {
  return Object.entries(row)
    .filter(([key, value]) => value !== null && value !== '' && !keys.includes(key))
    .map(([key, value]) => `${key} ${cell(value)}`)
    .join(', ')
}

/** A value of a row. Times are those of the test's clock. */
function cell(value: unknown): string {
  if (typeof value === 'number' && value > 1e12 && value < 2e12)
    return new Date(value).toISOString().replace(/(:00)?\.000Z$/, '')
  return typeof value === 'string' && !/^(?:[\w.@+-]+|[[{].*[\]}])$/.test(value) ? JSON.stringify(value) : String(value)
}

/** The headers that the brief form of a message has. */
const BRIEF = /^(?:From|Reply-To|Subject|Date|Message-ID|List-ID|Feedback-ID): (.*)$/gm

/**
 * Messages with their envelopes, in the order of their recipients. `brief`: some headers in a line. `short`: the source
 * with the text and the links of its HTML. `whole`: all of it. Quoted-printable text is decoded, signatures are left
 * out.
 */
export function messageLines(messages: readonly SinkMessage[], form: 'brief' | 'short' | 'whole' = 'brief'): string[] {
  return messages
    .toSorted((one, other) => (String(one.to) < String(other.to) ? -1 : String(one.to) === String(other.to) ? 0 : 1))
    .flatMap(({ from, to, raw }) => {
      const source = decoded(raw.toString('latin1').replaceAll('\r\n', '\n'))
      const envelope = `message ${from} > ${to.join(' ')}`
      if (form === 'brief') return [[envelope, ...[...source.matchAll(BRIEF)].map(([, value]) => value)].join(' | ')]
      return [envelope, ...sourceLines(source, form === 'whole').map((line) => `> ${line}`)]
    })
}

function sourceLines(source: string, whole: boolean): string[] {
  const at = source.search(/<!doctype html/i)
  if (at < 0 || whole) return source.split('\n').filter((line) => line !== '')
  const html = source.slice(at).replaceAll(/<style>[^]*?<\/style>|<!--[^]*?-->/g, '')
  const shown = html.replaceAll(
    / (?:style|role|class|width|height|cellpadding|cellspacing|border|align|bgcolor)="[^"]*"/g,
    '',
  )
  return [...source.slice(0, at).split('\n'), ...shown.split(/\n|(?=<a |<img |<h\d|<p|--<)/)].filter(
    (line) => line.replaceAll(/<(?!a |img )[^>]*>/g, '').trim() !== '',
  )
}

/** A source with unfolded headers and decoded bodies. */
function decoded(source: string): string {
  const end = source.indexOf('\n\n')
  const head = source
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .replaceAll(/\b(b|bh)=[\w+/= ]{40,}/g, '$1=...')
  const body = source
    .slice(end)
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(head + body, 'latin1')
    .toString('utf8')
    .replaceAll(/\u034F[\u034F\u200C\u00A0]+/g, '[invisible]')
}
