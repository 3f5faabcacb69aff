import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cell } from './tour-values.ts'

export type Row = Record<string, unknown>

export interface Watched {
  read(statement: string): Row[] | Promise<Row[]>
  tables: readonly string[]
  /** The folder of the service's data. */
  folder: string
  /** The project of most audit rows, which is not told. */
  project_id?: number
  /** A row without what is random and has no name. */
  stable?(row: Row, table: string): Row
  /** The place of a row, by its name, in a table that keeps no order. */
  placeOf?(row: Row, name: string): string
}

/** Tells in lines what changed in tables, in the audit log and in the files of facts since the last time. */
export function watchRows({ read, tables, folder, project_id, stable = (row) => row, placeOf }: Watched) {
  const layouts = new Map<string, Layout>()
  let known = new Map<string, Row>()
  let audited = 0
  let facts = 0

  const layoutOf = async (table: string) => {
    const layout = layouts.get(table) ?? (await readLayout(read, table))
    layouts.set(table, layout)
    return layout
  }

  const state = async () => {
    const rows = new Map<string, Row>()
    for (const table of tables) {
      const { keys, isOrdered } = await layoutOf(table)
      const found = await read(`SELECT * FROM ${table} ORDER BY ${isOrdered ? 'rowid' : keys.join(', ')}`)
      const nameOf = (row: Row) => `${table} ${keys.map((key) => row[key]).join(' ')}`
      const place = (row: Row) => placeOf?.(row, nameOf(row)) ?? ''
      if (placeOf && !isOrdered)
        found.sort((one, other) => (place(one) < place(other) ? -1 : Number(place(one) > place(other))))
      for (const row of found) rows.set(nameOf(row), stable({ ...row }, table))
    }
    return rows
  }

  const rowLines = (before: ReadonlyMap<string, Row>, now: ReadonlyMap<string, Row>): string[] => {
    const lines: string[] = []
    const bare: string[] = []
    for (const [name, row] of now) {
      const old = before.get(name)
      const { keys } = layouts.get(name.split(' ')[0]!)!
      const told = Object.entries(row).filter(([key, value]) =>
        old ? !Bun.deepEquals(old[key], value) : value !== null && !keys.includes(key),
      )
      const cells = told.map(([key, value]) => `${key} ${old ? `${cell(old[key])} > ` : ''}${cell(value)}`).join(', ')
      if (cells !== '') lines.push(`${old ? '~' : '+'} ${name}: ${cells}`)
      else if (!old) bare.push(name)
    }
    const gone = [...before.keys()].filter((name) => !now.has(name))
    return [...listed('+', bare), ...lines, ...listed('-', gone)]
  }

  const auditLines = async () => {
    const rows = await read(`SELECT * FROM audit_log WHERE id > ${audited} ORDER BY id`)
    audited = Number(rows.at(-1)?.id ?? audited)
    const lines = rows.map(({ at, actor, action, target, details, project_id: project = null, ip, outcome }) =>
      ['audit', cell(at), actor, action, target, details]
        .concat(project === (project_id ?? null) ? [] : `project ${String(project)}`)
        .concat(ip === (project_id === undefined ? null : '127.0.0.1') ? [] : `ip ${String(ip)}`)
        .concat(outcome === 'done' ? [] : String(outcome))
        .filter((part) => part !== null)
        .join(' '),
    )
    return [...Map.groupBy(lines, (line) => line)].map(([line, same]) =>
      same.length === 1 ? line : `${line} (${same.length} times)`,
    )
  }

  /** The lines that were added to the files of facts. */
  const factLines = () => {
    const place = join(folder, 'facts')
    const files = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.log')) : []
    const all = files
      .sort()
      .flatMap((name) => readFileSync(join(place, name), 'utf8').match(/^\S+ (?!begun ).+$/gm) ?? [])
    const added = all.slice(facts)
    facts = all.length
    return added
  }

  return {
    async changes(): Promise<string[]> {
      const before = known
      known = await state()
      return [...rowLines(before, known), ...(await auditLines()), ...factLines().map((fact) => `fact ${fact}`)]
    },
    /** Remembers all as it is. */
    async skip(): Promise<void> {
      known = await state()
      await auditLines()
      factLines()
    },
  }
}

interface Layout {
  /** The columns of the primary key. */
  keys: string[]
  /** Whether rows are kept in the order in which they were made. */
  isOrdered: boolean
}

async function readLayout(read: Watched['read'], table: string): Promise<Layout> {
  const columns = await read(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`)
  const [kept] = await read(`SELECT wr FROM pragma_table_list WHERE name = '${table}'`)
  return { keys: columns.map(({ name }) => String(name)), isOrdered: kept?.wr === 0 }
}

/** Names of rows of which nothing else is told, a line for each table. */
function listed(sign: string, names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name.slice(0, name.indexOf(' ')))].map(
    ([table, ids]) => `${sign} ${table}: ${ids.map((id) => id.slice(table.length + 1)).join(', ')}`,
  )
}
