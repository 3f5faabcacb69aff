import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { invalidRequest } from '../../errors.ts'
import { collectAfterPiece } from '../../heap.ts'
import { stream } from '../../operation/declare.ts'
import { obj } from '../../schema.ts'
import { csvLine } from '../../shared/csv.ts'
import type { HeavyTask, Reader, Store } from '../../store/open.ts'
import {
  type ContactFilters,
  contactFilters,
  filterCondition,
  requireFilters,
  settledFilters,
} from './contact-filter.ts'
import { type ExportedRow, packedColumns, rowCells, STANDARD_COLUMNS } from './export-columns.ts'
import { savedCondition } from '../segments/segment-rules.ts'

const Columns = Type.Array(Type.String({ pattern: `^(${STANDARD_COLUMNS.join('|')}|custom\\.[a-z0-9_]{1,40})$` }), {
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  description: `Of ${STANDARD_COLUMNS.join(', ')} and custom.KEY; all columns by default.`,
})

export const exportContacts = stream({
  path: '/contacts/export',
  scope: 'read',
  audit: {
    target: [{ kind: 'list', input: 'list_id' }, { kind: 'tag', input: 'tag_id' }, 'project'],
    ids: { list_id: 'list_id', tag_id: 'tag_id' },
  },
  cost: 20,
  role: 'editor',
  summary:
    'Streams contacts as CSV. A cell that a spreadsheet would run as a formula gets a leading apostrophe, ' +
    'except numbers.',
  media_type: 'text/csv',
  filename: 'contacts.csv',
  request: obj({ ...contactFilters, columns: Type.Optional(Columns) }),
  async run({ columns, ...given }, { db, store, project_id, now }) {
    const filters = settledFilters(given)
    await requireFilters(db, project_id, filters, now)
    return exported(store, { project_id, filters, columns: await requireColumns(db, project_id, columns), now })
  },
})

export interface Export {
  project_id: ProjectId
  filters: ContactFilters
  columns: string[]
  now: number
}

/** The named columns, or all; throws VALIDATION_FAILED for each custom field that the project does not have. */
export async function requireColumns(
  db: Reader,
  project_id: ProjectId,
  named: readonly string[] | undefined,
): Promise<string[]> {
  const fields = await db.all<{ key: string }>(
    sql`SELECT key FROM custom_fields WHERE project_id = ${project_id} ORDER BY created_at, id`,
  )
  const custom = fields.map(({ key }) => `custom.${key}`)
  const known = [...STANDARD_COLUMNS.slice(0, FIRST_CUSTOM), ...custom, ...STANDARD_COLUMNS.slice(FIRST_CUSTOM)]
  const flaws = (named ?? []).flatMap((column, index) =>
    known.includes(column) ? [] : [{ path: `/columns/${index}`, message: 'Contacts have no such column.' }],
  )
  if (flaws.length > 0) throw invalidRequest(flaws)
  return named ? [...named] : known
}

const FIRST_CUSTOM = STANDARD_COLUMNS.indexOf('lists')

/**
 * Size of a page in bytes, and its first and largest number of contacts: later pages are sized by the ones before. An
 * export that nobody reads holds two pages, half of what it counts among the unread answers.
 */
const PAGE_BYTES = 64 * 1024
const FIRST_PAGE = 100
const MAX_PAGE = 5000

/** The lines of a CSV in pieces, by id. The next piece is read while the caller receives the last. */
export async function* exported(
  store: Pick<Store, 'heavyTask'>,
  { columns, ...which }: Export,
): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(csvLine(columns))
  const read = (after: number, most: number) => {
    const page = store.heavyTask(exportPage, { ...which, columns, after, most })
    // A caller that stops reading never awaits the page; without this its failure would be an unhandled rejection.
    page.catch(() => undefined)
    return page
  }
  let most = FIRST_PAGE
  let next: ReturnType<typeof read> | null = read(0, most)
  while (next) {
    const { lines, last, count } = await next
    if (count < most) next = null
    else {
      most = Math.max(1, Math.min(MAX_PAGE, most * 4, Math.round((most * PAGE_BYTES) / lines.byteLength)))
      next = read(last, most)
    }
    if (count > 0) yield lines
  }
}

/**
 * Reads one page in the reading thread; `last` is the last id in it. What the checked filters name may have been
 * deleted since.
 */
export const exportPage: HeavyTask<
  Export & { after: number; most: number },
  { lines: Uint8Array; last: number; count: number }
> = {
  name: 'export_page',
  queue: 'exports',
  async run(db, { project_id, filters, columns, now, after, most }) {
    const rules = filters.filter ? sql` AND ${await savedCondition(db, project_id, filters.filter, now)}` : sql``
    const rows = await db.all<{ row: string }>(sql`
      SELECT ${packedColumns(columns)} AS row FROM contacts contact INDEXED BY contacts_for_rules
      WHERE ${filterCondition(project_id, filters)}${rules} AND contact.id > ${after}
      ORDER BY contact.id LIMIT ${most}`)
    const contacts = JSON.parse(`[${rows.map(({ row }) => row).join(',')}]`) as ExportedRow[]
    const lines = new TextEncoder().encode(contacts.map((contact) => csvLine(rowCells(contact, columns))).join(''))
    collectAfterPiece(lines.byteLength)
    return { lines, last: contacts.at(-1)?.[0] ?? after, count: contacts.length }
  },
}
