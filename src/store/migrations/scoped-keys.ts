import { emailKey } from '../../address.ts'
import { jsonText } from '../json-text.ts'

/** The key of an address in a project or app; `scope` is null in tables of the whole service. */
export interface ScopedKey {
  scope: number | string | null
  key: string
}

/** Rows by the project or app and the key of today. */
export function byMailbox<Row extends { email_key: string }>(
  rows: readonly Row[],
  scopeOf: (row: Row) => number | string | null,
): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => `${scopeOf(row)} ${emailKey(row.email_key)}`)
}

/** These keys and those of today, each once, as a list for `json_each`. */
export function withPresentKeys(keys: readonly ScopedKey[]): string {
  const all = new Map(
    keys.flatMap(({ scope, key }) => [key, emailKey(key)].map((one) => [`${scope} ${one}`, [scope, one]])),
  )
  return jsonText([...all.values()])
}
