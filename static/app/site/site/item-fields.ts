/** A field of a directory entry in the editor: texts as they are, other values as JSON. */
interface FieldRow {
  name: string
  text: string
  is_json: boolean
}

export function rowsOf(fields: Record<string, unknown>): FieldRow[] {
  return Object.entries(fields).map(([name, value]) =>
    typeof value === 'string'
      ? { name, text: value, is_json: false }
      : { name, text: JSON.stringify(value), is_json: true },
  )
}

/** The fields of the rows, and their errors. Rows without a name are left out. */
export function fieldsOf(rows: readonly FieldRow[]): { value: Record<string, unknown>; flaw: string | null } {
  const value: Record<string, unknown> = {}
  let flaw: string | null = null
  for (const { name, text, is_json } of rows) {
    const key = name.trim()
    if (key === '') continue
    if (Object.hasOwn(value, key)) flaw = `Two fields are called ${key}.`
    try {
      value[key] = is_json ? JSON.parse(text) : text
    } catch {
      flaw = `The value of ${key} is not JSON.`
    }
  }
  return { value, flaw }
}
