import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createNamer } from '../support/recorded.ts'
import type { CallOptions, World } from '../support/world.ts'

/**
 * Leads a service through what may happen to the people of a newsletter, and writes down all that comes out: answers,
 * rows, audit rows, messages and pages. Tests compare the text with the recorded one.
 */
export interface Tour {
  heading(text: string): void
  /** Writes a line, or several. */
  write(...lines: string[]): void
  /** Calls an operation a second later, and writes the call and its answer. Answers `data`. */
  call<T = any>(sentence: string, operation: string, body?: Record<string, unknown>, options?: As): Promise<T>
  /** Calls an operation as often as there are pages, and writes what `show` tells of each item. */
  pages(sentence: string, operation: string, body: Record<string, unknown>, show: (item: any) => unknown): Promise<void>
  /** Requests a page or a route a second later, and writes the request and its answer. Answers the text. */
  page(sentence: string, path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<string>
  /** Writes the rows that changed since the last time. */
  rows(): Promise<void>
  /** Remembers the rows as they are. What happened before is not written. */
  skipRows(): Promise<void>
  /** Delivers what is queued, and writes the messages that were sent by address, the first `whole` ones with their source. */
  messages(whole?: number): Promise<string[]>
  /** What was written since the last time. */
  text(): string
}

interface As extends Omit<CallOptions, 'as'> {
  as?: keyof World['keys']
}

/** The tables of people, with the columns that name a row. */
const TABLES = {
  lists: ['id'],
  tags: ['id'],
  custom_fields: ['id'],
  segments: ['id'],
  contacts: ['id'],
  memberships: ['contact_id', 'list_id'],
  contact_tags: ['contact_id', 'tag_id'],
  consent_wordings: ['id'],
  consents: ['id'],
  suppressions: ['id'],
  sign_up_forms: ['id'],
  newsletter_settings: ['project_id'],
  events: ['id'],
  message_requests: ['id'],
  deliveries: ['id'],
  jobs: ['id'],
  erasures: ['contact_id'],
  soft_bounces: ['project_id', 'email_key'],
  project_usage: ['project_id', 'kind'],
  address_keys: ['project_id'],
} as const

/** The order of tables whose rows have random names. */
const ORDER: Readonly<Record<string, string>> = { sign_up_forms: 'created_at' }

type Row = Record<string, unknown>

/** Names for what is random in links and marks, which `createNamer` does not know by its form. */
const LINKS = /(\/general\/newsletter\/([a-z]+)\/|\.\.\/(preferences)\/)([\w-]{30,})/g
const MARKS = /\b[0-9a-v]{5}[0-9a-f]{20}\b|(?<![\w&])#[\w-]{43}(?![\w-])/g

export function tourOfPeople(world: World): Tour {
  const { db } = world.service.runtime.store
  const lines: string[] = []
  const shown = new Map<string, Row>()
  let known = new Map<string, Row>()
  /** The headers of the first answer of each type. */
  const usualHeaders = new Map<string, Map<string, string>>()
  /** The lines of the head of the page that was written last, by their beginning. */
  const head = new Map<string, string>()
  let audited = 0
  let facts = 0
  let received = 0

  const nameOthers = createNamer()
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const named = (kind: string, value: string) => {
    const count = (counts.get(kind) ?? 0) + 1
    if (!names.has(value)) {
      counts.set(kind, count)
      names.set(value, `<${kind} ${count}>`)
    }
    return names.get(value)!
  }

  const write = (...more: string[]) => void lines.push(...more)

  /** A contact that was shown before is written as what changed since. */
  const brief = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(brief)
    const row = value as Row
    if (!('global_status' in row && 'lists' in row))
      return Object.fromEntries(Object.entries(row).map(([key, part]) => [key, brief(part)]))
    const before = shown.get(String(row.id))
    shown.set(String(row.id), row)
    if (!before) return row
    const changed = Object.entries(row).filter(([key, part]) => !Bun.deepEquals(before[key], part))
    return { 'as before': row.id, ...Object.fromEntries(changed) }
  }

  const answer = (status: number, headers: Headers, body: any) => {
    const { request_id, ...rest } = body
    const said = request_id === headers.get('x-request-id') ? rest : body
    const isOnlyData = 'data' in said && Object.keys(said).length === 1
    write(`  ${status} ${refusal(said) ?? dense(brief(isOnlyData ? said.data : said))}`)
  }

  const call: Tour['call'] = async (sentence, operation, body = {}, { as = 'owner', ...options } = {}) => {
    world.clock.advance(1000)
    const { status, headers, body: answered } = await world.call(operation, body, { ...options, as: world.keys[as] })
    const by = as === 'owner' ? '' : ` (as ${as})`
    write(`- ${sentence}`, `  ${operation} ${JSON.stringify(body)}${by}`)
    if (typeof answered === 'string')
      write(`  ${status} ${headers.get('content-type')} ${headers.get('content-disposition')}`, answered)
    else answer(status, headers, answered)
    return answered.data
  }

  const state = async () => {
    const rows = new Map<string, Row>()
    for (const [table, keys] of Object.entries(TABLES))
      for (const row of await db.all<Row>(
        sql.raw(`SELECT * FROM ${table} ORDER BY ${ORDER[table] ?? keys.join(', ')}`),
      ))
        rows.set(`${table} ${keys.map((key) => row[key]).join(' ')}`, row)
    return rows
  }

  /** The columns of a row that say something: those beside its name, its own project, and null. */
  const fields = (row: Row, name: string) => {
    const named: readonly string[] = TABLES[name.split(' ')[0] as keyof typeof TABLES]
    return Object.entries(row)
      .filter(([key, value]) => value !== null && !named.includes(key))
      .filter(([key, value]) => key !== 'project_id' || value !== world.project.id)
      .map(([key, value]) => `${key} ${name.startsWith('address_keys') ? '<random>' : cell(value)}`)
      .join(', ')
  }

  /** The headers of an answer that differ from those of the first of its type. */
  const toldHeaders = (response: Response) => {
    const type = response.headers.get('content-type') ?? ''
    const given = new Map(
      [...response.headers]
        .filter(([name]) => !UNTOLD.has(name))
        .map(([name, value]) => [name, value.replace(/sha256-[\w+/]+=*/, 'sha256-…')]),
    )
    const usual = usualHeaders.get(type) ?? new Map<string, string>()
    if (!usualHeaders.has(type)) usualHeaders.set(type, given)
    const others = [...given].filter(([name, value]) => usual.get(name) !== value).sort()
    const missing = [...usual.keys()].filter((name) => !given.has(name)).sort()
    return [...others.map((header) => header.join(': ')), ...missing.map((name) => `no ${name}`)]
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
    const all = files
      .sort()
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/^\S+ (?!begun ).+$/gm) ?? [])
    const added = all.slice(facts)
    facts = all.length
    return added
  }

  return {
    heading: (text) => write('', `## ${text}`, ''),
    write,
    call,
    async pages(sentence, operation, body, show) {
      write(`- ${sentence}`, `  ${operation} ${JSON.stringify(body)}`)
      let cursor: string | undefined
      do {
        const { items, next_cursor } = await world.ok(operation, { ...body, cursor })
        write(`  ${JSON.stringify(items.map(show))}${next_cursor === null ? '' : ' and more'}`)
        cursor = next_cursor ?? undefined
      } while (cursor !== undefined)
    },
    async page(sentence, path, init = {}) {
      world.clock.advance(1000)
      const { body, method = 'GET', headers: sent = {} } = init
      const usual = { 'Accept-Encoding': 'identity', 'User-Agent': 'Tour/1', ...(body === undefined ? {} : FORM) }
      const response = await world.fetch(path, { ...init, headers: { ...usual, ...sent } })
      const text = await response.text()
      const given = [...Object.entries(sent).map((part) => part.join(': ')), ...(body ? [short(String(body))] : [])]
      write(`- ${sentence}`, `  ${method} ${path} ${given.join(', ')}`.trimEnd())
      const told = toldHeaders(response)
      if (response.headers.get('content-type')?.includes('json')) {
        if (told.length > 0) write(`  ${told.join(' | ')}`)
        answer(response.status, response.headers, JSON.parse(text))
      } else write(`  ${response.status} ${told.join(' | ')}`.trimEnd(), ...pageLines(text, head))
      return text
    },
    async rows() {
      const now = await state()
      const tagged = [...now.keys()].filter((name) => name.startsWith('contact_tags') && !known.has(name))
      if (tagged.length > 0) write(`+ contact_tags: ${tagged.map((name) => name.slice(13)).join(', ')}`)
      for (const [name, row] of now) {
        const before = known.get(name)
        if (tagged.includes(name)) continue
        if (!before) write(`+ ${name}: ${fields(row, name)}`)
        else {
          const changed = Object.entries(row).filter(([key, value]) => before[key] !== value)
          if (changed.length > 0)
            write(
              `~ ${name}: ${changed.map(([key, value]) => `${key} ${cell(before[key])} > ${cell(value)}`).join(', ')}`,
            )
        }
      }
      const gone = [...known.keys()].filter((name) => !now.has(name)).map((name) => name.split(' '))
      for (const [table, names] of Map.groupBy(gone, ([first]) => first))
        write(`- ${table}: ${names.map(([, ...ids]) => ids.join(' ')).join(', ')}`)
      known = now
      for (const { actor, action, target, project_id, ip, outcome, details, at } of await audit())
        write(
          ['audit', cell(at), actor, action, target, details]
            .concat(project_id === world.project.id ? [] : `project ${String(project_id)}`)
            .concat(ip === '127.0.0.1' ? [] : `ip ${String(ip)}`)
            .concat(outcome === 'done' ? [] : String(outcome))
            .filter((part) => part !== null)
            .join(' '),
        )
      for (const fact of newFacts()) write(`fact ${fact}`)
    },
    async skipRows() {
      known = await state()
      await audit()
      newFacts()
    },
    async messages(whole = 0) {
      await world.service.drain('delivery')
      const response = await world.fetch(`/general/sandbox/mailbox?after_id=${received}`)
      const { messages } = (await response.json()) as { messages: Row[] }
      received = (messages.at(-1)?.id as number | undefined) ?? received
      // They are handed over side by side.
      messages.sort((one, other) => (String(one.to) < String(other.to) ? -1 : 1))
      for (const [at, { from, to, subject, raw }] of messages.entries()) {
        write(`message from ${String(from)} to ${String(to)}: ${String(subject)}`)
        const source = String(raw).replaceAll('\r\n', '\n')
        if (at < whole)
          write(
            ...joined(source)
              .split('\n')
              .map((line) => `> ${line}`),
          )
      }
      return messages.map(({ text }) => String(text))
    },
    text() {
      const text = lines.join('\n')
      lines.length = 0
      return nameOthers(
        text
          .replaceAll(encodeURIComponent(world.url), '<url>')
          .replace(
            LINKS,
            (_, before: string, page: string | undefined, preferences: string, token: string) =>
              before + named(`link to ${page ?? preferences}`, token),
          )
          .replace(MARKS, (mark) => named(mark.startsWith('#') ? 'address mark' : 'mark', mark))
          .replace(/([a-z])\1{29,}/g, (run, letter: string) => `<${run.length} ${letter}>`)
          .replace(/\bBun\/\d[\d.]*/g, 'Bun')
          .replace(/(?<=\.js\?v=)\w+/g, '…')
          .replace(/=_[\w-]{24}/g, (boundary) => named('boundary', boundary)),
      )
    },
  }
}

/** A refusal of the usual form in a line; null for anything else. */
function refusal({ error, ...rest }: any): string | null {
  if (!error || Object.keys(rest).length > 0) return null
  const { code, message, retryable, details, ...more } = error
  const usual = code === 'VALIDATION_FAILED' && message === 'The request is not valid.' ? '' : ` "${message}"`
  const parts = [details === undefined ? '' : ` ${JSON.stringify(details)}`, retryable ? ' retryable' : '']
  return `${code}${usual}${parts.join('')}${Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : ''}`
}

const WIDTH = 220

/** As `outline`, in longer lines. */
function dense(value: unknown, indent = '  '): string {
  const line = JSON.stringify(value) ?? 'undefined'
  if (value === null || typeof value !== 'object' || line.length <= WIDTH) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((part) => `${inner}${dense(part, inner)}\n`).join('')}${indent}]`
  // Short properties stand together in a line.
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

const UNTOLD = new Set(['date', 'content-length', 'x-request-id'])

const short = (body: string) => (body.length <= 600 ? body : `${body.slice(0, 150)}… ${body.length} characters`)

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** The lines of a page that differ from those of all pages, and in its head from the page before. */
function pageLines(page: string, head: Map<string, string>): string[] {
  const short = page.replace(/<style>[^]*<\/style>/, (style) => `<style>… ${/:root\{.*\}/.exec(style)?.[0] ?? ''} …`)
  return short.split('\n').flatMap((line) => {
    if (line.trim() === '' || USUAL.has(line)) return []
    const [part] = /^<(?:html|meta name="robots"|style|header)/.exec(line) ?? []
    if (part !== undefined && head.get(part) === line) return []
    if (part !== undefined) head.set(part, line)
    return [`> ${line.trim()}`]
  })
}

/** Lines of every page. */
const USUAL = new Set([
  '<!doctype html>',
  '<head>',
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '</head>',
  '<body>',
  '<main>',
  '</main>',
  '</body>',
  '</html>',
])

/** A source whose quoted-printable lines are joined, so that a name is not cut in two. */
function joined(source: string): string {
  return source.replaceAll('=\n', '').replaceAll('=3D', '=')
}

/** A value of a row. Times are those of the test's clock. */
function cell(value: unknown): string {
  if (typeof value === 'number' && value > 1e12 && value < 2e12)
    return new Date(value).toISOString().replace(/(:00)?\.000Z$/, '')
  return typeof value === 'string' ? (/^[\w.@+-]+$/.test(value) ? value : JSON.stringify(value)) : String(value)
}
