import { sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { CONTACT_FIELD_NAMES } from '../shared/contact-fields.ts'
import type { ProjectId } from '../ids.ts'
import type { HeavyTask, Reader, Store } from '../store/open.ts'

/** Rows that one read takes. */
const PAGE = 50
/** A piece of an export ends with the row that exceeds this length: there are rows of several megabytes. */
const PIECE_LENGTH = 256 * 1024

interface Kind {
  kind: string
  table: string
  columns: readonly string[]
  /** Columns that hold bytes, which the export shows in Base64. */
  bytes?: readonly string[]
  /** Rows of one read; PAGE unless said otherwise. One for those that may have megabytes. */
  page?: number
  /** `id` unless said otherwise. */
  key?: string
  /** The columns in whose order rows are read, which an index has; `created_at` and `id` unless said otherwise. */
  order?: readonly string[]
  /** Columns that hold JSON. */
  json?: readonly string[]
  /** Columns that hold a time. */
  times?: readonly string[]
  /** Further expressions by name; their text is JSON. */
  more?: Readonly<Record<string, string>>
}

const TIMES = ['created_at', 'updated_at']
const IN_ORDER = ['created_at', 'id'] as const
const BY_PATH = ['path'] as const

/** What the export of a project holds, in this order (docs/api/platform.md#export). Credentials are left out. */
export const KINDS: readonly Kind[] = [
  {
    kind: 'page',
    table: 'pages',
    columns: ['path', 'title', 'published', 'html'],
    times: TIMES,
    order: BY_PATH,
    page: 1,
  },
  {
    kind: 'post',
    table: 'cms_posts',
    columns: ['title', 'slug', 'status', 'author', 'category', 'excerpt', 'content'],
    json: ['tags'],
    times: [...TIMES, 'published_at'],
    page: 1,
  },
  {
    kind: 'directory_item',
    table: 'directory_items',
    columns: ['directory', 'title', 'slug'],
    json: ['fields'],
    times: TIMES,
    page: 1,
  },
  { kind: 'form_entry', table: 'form_entries', columns: ['form'], json: ['fields'], times: ['created_at'] },
  {
    kind: 'form_settings',
    table: 'form_settings',
    columns: ['keep_days'],
    json: ['notify', 'required', 'addresses'],
    times: ['updated_at'],
    key: 'form',
    order: ['form'],
  },
  {
    kind: 'file',
    table: 'files',
    columns: ['name', 'alt', 'type'],
    bytes: ['content'],
    times: ['created_at'],
    page: 1,
  },
  {
    kind: 'site_file',
    table: 'site_files',
    columns: ['path', 'type'],
    bytes: ['content'],
    times: TIMES,
    order: BY_PATH,
    page: 1,
  },
  {
    kind: 'site_template',
    table: 'site_templates',
    columns: ['html'],
    times: ['updated_at'],
    key: 'kind',
    order: ['kind'],
    page: 1,
  },
  {
    kind: 'list',
    table: 'lists',
    columns: ['name', 'description', 'double_opt_in', 'public', 'letters_public'],
    times: [...TIMES, 'archived_at'],
  },
  { kind: 'tag', table: 'tags', columns: ['name', 'color'], times: TIMES },
  { kind: 'custom_field', table: 'custom_fields', columns: ['key', 'label', 'type'], json: ['options'], times: TIMES },
  {
    kind: 'sign_up_form',
    table: 'sign_up_forms',
    columns: ['name', 'title', 'text', 'button', 'thanks_text', 'redirect_url'],
    json: ['wordings', 'list_ids', 'fields'],
    times: TIMES,
  },
  { kind: 'segment', table: 'segments', columns: ['name'], json: ['rules'], times: TIMES, page: 1 },
  {
    kind: 'template',
    table: 'templates',
    columns: ['name', 'subject'],
    json: ['editor_json'],
    times: TIMES,
    page: 1,
  },
  {
    kind: 'campaign',
    table: 'campaigns',
    columns: [
      ...['name', 'subject', 'preheader', 'status', 'from_name', 'from_email', 'reply_to', 'track_opens'],
      ...['track_clicks', 'utm_source', 'utm_medium', 'utm_campaign', 'timezone'],
    ],
    json: ['editor_json', 'audience_spec', 'posts'],
    times: [...TIMES, 'scheduled_at', 'started_at', 'finished_at'],
    page: 1,
  },
  {
    kind: 'contact',
    table: 'contacts',
    columns: ['email', ...CONTACT_FIELD_NAMES, 'global_status', 'opted_out', 'consent_source'],
    json: ['custom_fields'],
    times: [...TIMES, 'consent_at'],
    order: ['id'],
    more: {
      consent_text: '(SELECT json_quote(w.text) FROM consent_wordings w WHERE w.id = t.consent_wording_id)',
      lists: `(SELECT json_group_array(json_object('name', l.name, 'status', m.status))
        FROM memberships m JOIN lists l ON l.id = m.list_id WHERE m.contact_id = t.id)`,
      tags: `(SELECT json_group_array(g.name) FROM contact_tags c JOIN tags g ON g.id = c.tag_id
        WHERE c.contact_id = t.id)`,
    },
  },
  {
    kind: 'suppression',
    table: 'suppressions',
    columns: ['email', 'reason', 'opted_out', 'note'],
    times: ['created_at'],
  },
]

/** The position at which an export continues: an index in KINDS, and the `order` values of the last row written. */
interface Position {
  kind: number
  after: Value[]
}

/** The contents of a project in pieces, each thing as one line of JSON. */
export async function* exportedProject(
  { heavyTask }: Pick<Store, 'heavyTask'>,
  project_id: ProjectId,
): AsyncGenerator<Uint8Array> {
  for (let position: Position | null = BEGIN; position;) {
    const piece: Piece = await heavyTask(projectExportTask, { project_id, position })
    position = piece.next
    if (piece.lines.length > 0) yield piece.lines
  }
}

const BEGIN: Position = { kind: 0, after: [] }

interface Piece {
  lines: Uint8Array
  next: Position | null
}

/** Makes one piece of an export, on a reading thread: rows of megabytes must not hold up requests. */
export const projectExportTask: HeavyTask<{ project_id: ProjectId; position: Position }, Piece> = {
  name: 'project_export',
  queue: 'exports',
  async run(db, { project_id, position }) {
    let text = ''
    let { kind, after } = position
    while (text.length < PIECE_LENGTH) {
      const declared = KINDS[kind]
      if (!declared) return { lines: new TextEncoder().encode(text), next: null }
      const rows = await readPage(db, declared, project_id, after)
      text += rows.map((row) => `${JSON.stringify(record(declared, row))}\n`).join('')
      const last = rows.at(-1)
      after = last ? (declared.order ?? IN_ORDER).map((column) => last[column]!) : []
      if (!last) kind++
    }
    return { lines: new TextEncoder().encode(text), next: { kind, after } }
  },
}

type Value = string | number | Uint8Array | null
type Row = Record<string, Value>

function readPage(db: Reader, kind: Kind, project_id: ProjectId, after: readonly Value[]): Promise<Row[]> {
  const {
    table,
    columns,
    bytes = [],
    json = [],
    times = [],
    more = {},
    page = PAGE,
    key = 'id',
    order = IN_ORDER,
  } = kind
  const named = new Set([key, ...order, ...columns, ...bytes, ...json, ...times])
  const selected = [
    ...[...named].map((column) => `t.${column}`),
    ...Object.entries(more).map(([name, expression]) => `${expression} AS ${name}`),
  ]
  const sorted = sql.raw(order.map((column) => `t.${column}`).join(', '))
  const values = after.map((value) => sql`${value}`)
  const later = values.length === 0 ? sql`` : sql`AND (${sorted}) > (${sql.join(values, sql`, `)})`
  return db.all(sql`
    SELECT ${sql.raw(selected.join(', '))} FROM ${sql.raw(table)} t
    WHERE t.project_id = ${project_id} ${later} ORDER BY ${sorted} LIMIT ${page}`)
}

function record({ kind, key, json = [], times = [], more = {} }: Kind, row: Row): Record<string, unknown> {
  const texts = new Set([...json, ...Object.keys(more)])
  const shown = (name: string, value: Value): unknown => {
    if (value === null) return null
    if (typeof value === 'object') return Buffer.from(value).toString('base64')
    if (texts.has(name)) return JSON.parse(String(value))
    return times.includes(name) ? iso(Number(value)) : value
  }
  // A key other than the id is the name of the thing: `kind` says what the thing is.
  const values = Object.entries(row).map(([name, value]) => [name === key ? 'name' : name, shown(name, value)])
  return { kind, ...(Object.fromEntries(values) as Record<string, unknown>) }
}
