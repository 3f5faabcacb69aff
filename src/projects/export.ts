import { sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import type { ProjectId } from '../ids.ts'
import type { Reader } from '../store/open.ts'

/** Rows that one read takes. */
const PAGE = 500

interface Kind {
  kind: string
  table: string
  columns: readonly string[]
  /** Columns that hold bytes, which the export shows in Base64. */
  bytes?: readonly string[]
  /** Rows of one read; PAGE unless said otherwise. */
  page?: number
  /** The key in whose order rows are read; `id` unless said otherwise. */
  key?: string
  /** Columns that hold JSON. */
  json?: readonly string[]
  /** Columns that hold a time. */
  times?: readonly string[]
  /** Further expressions by name; their text is JSON. */
  more?: Readonly<Record<string, string>>
}

const TIMES = ['created_at', 'updated_at']

/** What the export of a project holds, in this order (docs/api/platform.md#export). Credentials are left out. */
const KINDS: readonly Kind[] = [
  {
    kind: 'page',
    table: 'pages',
    columns: ['path', 'title', 'published', 'html'],
    times: TIMES,
  },
  {
    kind: 'post',
    table: 'cms_posts',
    columns: ['title', 'slug', 'status', 'author', 'category', 'excerpt', 'content'],
    times: TIMES,
  },
  {
    kind: 'directory_item',
    table: 'directory_items',
    columns: ['directory', 'title', 'slug'],
    json: ['fields'],
    times: TIMES,
  },
  { kind: 'form_entry', table: 'form_entries', columns: ['form'], json: ['fields'], times: ['created_at'] },
  {
    kind: 'file',
    table: 'files',
    columns: ['name', 'alt', 'type'],
    bytes: ['content'],
    times: ['created_at'],
    page: 1,
  },
  { kind: 'site_file', table: 'site_files', columns: ['path', 'type'], bytes: ['content'], times: TIMES, page: 1 },
  { kind: 'site_template', table: 'site_templates', columns: ['html'], key: 'kind', times: ['updated_at'], page: 1 },
  { kind: 'list', table: 'lists', columns: ['name', 'description', 'double_opt_in', 'public'], times: TIMES },
  { kind: 'tag', table: 'tags', columns: ['name', 'color'], times: TIMES },
  { kind: 'custom_field', table: 'custom_fields', columns: ['key', 'label', 'type'], json: ['options'], times: TIMES },
  {
    kind: 'sign_up_form',
    table: 'sign_up_forms',
    columns: ['name', 'title', 'text', 'button', 'thanks_text', 'redirect_url'],
    json: ['wordings', 'list_ids', 'fields'],
    times: TIMES,
  },
  { kind: 'segment', table: 'segments', columns: ['name'], json: ['rules'], times: TIMES },
  { kind: 'template', table: 'templates', columns: ['name', 'subject'], json: ['editor_json'], times: TIMES },
  {
    kind: 'campaign',
    table: 'campaigns',
    columns: ['name', 'subject', 'preheader', 'status', 'from_name', 'from_email', 'reply_to'],
    json: ['editor_json', 'audience_spec'],
    times: [...TIMES, 'scheduled_at', 'started_at', 'finished_at'],
  },
  {
    kind: 'contact',
    table: 'contacts',
    columns: ['email', 'first_name', 'last_name', 'global_status', 'consent_source'],
    json: ['custom_fields'],
    times: [...TIMES, 'consent_at'],
    more: {
      lists: `(SELECT json_group_array(json_object('name', l.name, 'status', m.status))
        FROM memberships m JOIN lists l ON l.id = m.list_id WHERE m.contact_id = t.id)`,
      tags: `(SELECT json_group_array(g.name) FROM contact_tags c JOIN tags g ON g.id = c.tag_id
        WHERE c.contact_id = t.id)`,
    },
  },
  { kind: 'suppression', table: 'suppressions', columns: ['email', 'reason', 'note'], times: ['created_at'] },
]

/** The contents of a project, each thing as one line of JSON. */
export async function* exportLines(db: Reader, project_id: ProjectId): AsyncGenerator<string> {
  for (const kind of KINDS) {
    let after: Value = 0
    for (;;) {
      const rows: Row[] = await readPage(db, kind, project_id, after)
      const last = rows.at(-1)
      if (!last) break
      after = last[kind.key ?? 'id']!
      yield rows.map((row) => `${JSON.stringify(record(kind, row))}\n`).join('')
    }
  }
}

type Value = string | number | Uint8Array | null
type Row = Record<string, Value>

function readPage(db: Reader, kind: Kind, project_id: ProjectId, after: Value): Promise<Row[]> {
  const { table, columns, bytes = [], json = [], times = [], more = {}, page = PAGE, key = 'id' } = kind
  const named = [key, ...columns, ...bytes, ...json, ...times].map((column) => `t.${column}`)
  const selected = [...named, ...Object.entries(more).map(([name, expression]) => `${expression} AS ${name}`)]
  return db.all(sql`
    SELECT ${sql.raw(selected.join(', '))} FROM ${sql.raw(table)} t
    WHERE t.project_id = ${project_id} AND t.${sql.raw(key)} > ${after} ORDER BY t.${sql.raw(key)} LIMIT ${page}`)
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
