import { type SQL, sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { byContactField } from '../../shared/contact-fields.ts'
import type { Cell } from '../../shared/csv.ts'
import type { CustomValues } from '../../store/tables/audience.ts'
import { LATEST_WORDING } from '../consent/wordings.ts'

/** The SQL of each column, on a row `contact` of contacts. */
const EXPRESSIONS = {
  id: 'contact.id',
  email: 'contact.email',
  ...byContactField(({ name }) => `contact.${name}`),
  full_name: `trim(contact.first_name || ' ' || contact.last_name)`,
  // Exports suppressed contacts, and bounced ones who opted out, as `unsubscribed`: an import of the file must not
  // subscribe them again.
  global_status: `CASE WHEN contact.global_status = 'bounced' AND contact.opted_out = 1
    OR contact.global_status IN ('subscribed', 'pending', 'bounced') AND EXISTS (
      SELECT 1 FROM suppressions suppression
      WHERE suppression.project_id = contact.project_id AND suppression.email_key = contact.email_key
        AND (contact.global_status <> 'bounced' OR suppression.opted_out = 1))
    THEN 'unsubscribed' ELSE contact.global_status END`,
  lists: `(SELECT group_concat(membership.list_id || ':' || membership.status, ';')
    FROM memberships membership WHERE membership.contact_id = contact.id)`,
  tag_ids: `(SELECT group_concat(tagged.tag_id, ';') FROM contact_tags tagged WHERE tagged.contact_id = contact.id)`,
  consent_text: LATEST_WORDING,
  consent_source: 'contact.consent_source',
  consent_at: 'contact.consent_at',
  created_at: 'contact.created_at',
  updated_at: 'contact.updated_at',
} as const

type StandardColumn = keyof typeof EXPRESSIONS
export const STANDARD_COLUMNS = Object.keys(EXPRESSIONS) as StandardColumn[]
const TIMES: ReadonlySet<string> = new Set<StandardColumn>(['consent_at', 'created_at', 'updated_at'])

/** The id, the custom values if any are exported, and a value for each standard column, in order. */
export type ExportedRow = [id: number, custom: CustomValues | null, ...values: (string | number | null)[]]

/** The columns that `rowCells` reads, as one JSON text, because the driver's cost grows with the columns. */
export function packedColumns(columns: readonly string[]): SQL {
  const custom = columns.some(isCustom) ? 'json(contact.custom_fields)' : 'NULL'
  const standard = columns.filter((column) => !isCustom(column)).map((column) => EXPRESSIONS[column as StandardColumn])
  return sql.raw(`json_array(${['contact.id', custom, ...standard].join(', ')})`)
}

export function rowCells([, custom, ...values]: ExportedRow, columns: readonly string[]): Cell[] {
  let at = 0
  return columns.map((column) => {
    if (isCustom(column))
      return Object.hasOwn(custom!, column.slice(CUSTOM.length)) ? custom![column.slice(CUSTOM.length)]! : null
    const value = values[at++]!
    return typeof value === 'number' && TIMES.has(column) ? isoOf(value) : value
  })
}

const CUSTOM = 'custom.'
const isCustom = (column: string): boolean => column.startsWith(CUSTOM)

let lastAt = 0
let lastText = iso(0)

/** As `iso`, with the last result cached: all contacts of an import have the same times. */
function isoOf(at_ms: number): string {
  if (at_ms !== lastAt) {
    lastText = iso(at_ms)
    lastAt = at_ms
  }
  return lastText
}
