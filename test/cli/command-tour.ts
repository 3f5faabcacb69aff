import { Database } from 'bun:sqlite'
import { setSystemTime, spyOn } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createNamer } from '../support/recorded.ts'
import { mastheadHere, scratchFolder } from './masthead.ts'

/** Runs commands one after the other, at times that are the same in each run, and writes down all that comes out. */
export interface CommandTour {
  /** The folder in which the commands run. Their data is in `data`. */
  path: string
  heading(text: string): void
  write(...lines: string[]): void
  /** Runs a command a second later, and writes what it says and its exit code. Answers its standard output. */
  run(sentence: string, ...args: string[]): Promise<string>
  /** As `run`, without and with --json. Answers the JSON. */
  both(sentence: string, ...args: string[]): Promise<any>
  /** Writes the rows that changed since the last time. */
  rows(): void
  /** Remembers the rows as they are. What happened before is not written. */
  skipRows(): void
  /** Changes the database by hand. */
  sql(statement: string, ...values: (string | number | null)[]): void
  advance(ms: number): void
  text(): string
  end(): void
}

type Row = Record<string, unknown>

function all(db: Database, statement: string): Row[] {
  using prepared = db.prepare(statement)
  return prepared.all() as Row[]
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** What of a row is the same in each run, with a number first that tells when it was made. */
function orderOf(row: Row): string {
  const { id = row.added_at ?? row.created_at } = row
  const at = typeof id === 'number' ? id : (row.created_at ?? row.added_at ?? 0)
  return `${String(at).padStart(15, '0')} ${String(row.email_key ?? row.role ?? row.kind ?? row.token_hash ?? '')}`
}

export const TOUR_START = Date.UTC(2026, 0, 15, 9, 0, 0)

export function commandTour(): CommandTour {
  const scratch = scratchFolder()
  const database = join(scratch.path, 'data/masthead.db')
  const name = createNamer()
  const lines: string[] = []
  const said = new Map<string, string>()
  let audited = 0
  let now = TOUR_START
  let known = new Map<string, Map<string, Row>>()
  setSystemTime(now)
  // A hash is meant to be expensive.
  const { hash } = Bun.password
  const hashes = spyOn(Bun.password, 'hash').mockImplementation((password) =>
    hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
  )

  const write = (...more: string[]) => void lines.push(...more)
  const indented = (text: string) =>
    text
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .map((line) => `  ${line}`)

  const run = async (args: readonly string[]) => {
    now += 1000
    setSystemTime(now)
    const { code, stdout, stderr } = await mastheadHere(scratch.path, args)
    write(`  $ masthead ${args.map((arg) => (/^[\w./:@=,+-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`)
    const before = stdout.length > 500 ? said.get(stdout) : undefined
    if (before !== undefined) write(`  as ${before}`)
    else if (stdout !== '') write(...indented(stdout))
    said.set(stdout, args.join(' '))
    if (stderr !== '') write(...indented(stderr).map((line) => line.replace('  ', '  ! ')))
    if (code !== 0) write(`  exit ${code}`)
    return stdout
  }

  const open = <T>(work: (db: Database) => T, readonly = true): T => {
    const db = new Database(database, { readonly })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }

  const state = () =>
    open((db) => {
      const tables = all(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      return new Map(
        tables
          .map((table) => String(table.name))
          .filter((table) => !/^sqlite_|^migrations|_fts|^workers$|^fact_folders$|^audit_/.test(table))
          .map((table) => {
            const columns = all(db, `PRAGMA table_info(${table})`)
            const keys = columns.filter(({ pk }) => Number(pk) > 0).map((column) => String(column.name))
            // Rows of most tables come in the order in which they were made; names of others are random.
            const rows = all(db, `SELECT * FROM ${table}`).sort((one, other) => compare(orderOf(one), orderOf(other)))
            return [table, new Map(rows.map((row) => [keys.map((key) => String(row[key])).join(' '), row]))] as const
          }),
      )
    })

  const audit = (told = true) => {
    const rows = open((db) => all(db, `SELECT * FROM audit_log WHERE id > ${audited} ORDER BY id`))
    audited = Number(rows.at(-1)?.id ?? audited)
    for (const { at, actor, action, target, project_id, ip, outcome, details } of told ? rows : [])
      write(
        ['audit', cell(at), actor, action, target, project_id === null ? null : `project ${String(project_id)}`, ip]
          .concat([details, outcome === 'done' ? null : outcome])
          .filter((part) => part !== null)
          .join(' '),
      )
  }

  return {
    path: scratch.path,
    heading: (text) => write('', `## ${text}`, ''),
    write,
    async run(sentence, ...args) {
      write(`- ${sentence}`)
      return run(args)
    },
    async both(sentence, ...args) {
      write(`- ${sentence}`)
      await run(args)
      return JSON.parse((await run([...args, '--json'])) || 'null')
    },
    rows() {
      const after = existsSync(database) ? state() : new Map<string, Map<string, Row>>()
      for (const [table, rows] of after) {
        const before = known.get(table) ?? new Map<string, Row>()
        for (const [key, row] of rows) {
          const old = before.get(key)
          const changed = Object.entries(row).filter(([column, value]) =>
            old ? !Bun.deepEquals(old[column], value) : value !== null,
          )
          if (changed.length > 0)
            write(
              `${old ? '~' : '+'} ${table} ${old ? `${key}: ` : ''}` +
                changed
                  .map(([column, value]) => `${column} ${old ? `${cell(old[column])} > ` : ''}${cell(value)}`)
                  .join(', '),
            )
        }
        for (const key of before.keys()) if (!rows.has(key)) write(`- ${table} ${key}`)
      }
      known = after
      audit()
    },
    skipRows() {
      known = state()
      audit(false)
    },
    sql: (statement, ...values) => void open((db) => db.run(statement, values), false),
    advance(ms) {
      now += ms
    },
    text() {
      const text = lines.join('\n').replaceAll(scratch.path, '<folder>')
      lines.length = 0
      return name(
        text
          .replace(/, columns "(?:[^"\\]|\\.)*"/g, '')
          .replace(/\b[0-9a-v]{5}[0-9a-f]{20}\b/g, '<mark>')
          .replace(/\$argon2id\$[^"\s]+/g, '<hash of a password>')
          .replace(/(?<=p=|public_key ")[A-Za-z0-9+/]{40,}=*/g, (key) => `<public key of ${key.length} letters>`)
          .replace(/(?<="hint":"|hint ")[\w-]{4}(?=")/g, '<hint>')
          .replace(/\d+(?= MB free| bytes\))|(?<="size_bytes\W+)\d+/g, '…')
          .replace(/([a-z])\1{29,}/g, (letters, letter: string) => `<${letters.length} ${letter}>`),
      )
    },
    end() {
      setSystemTime()
      hashes.mockRestore()
      scratch.remove()
    },
  }
}

/** A value of a row in a line. Times are told as such. */
function cell(value: unknown): string {
  if (typeof value === 'number' && value > 1e12 && value < 1e13) return new Date(value).toISOString()
  if (value instanceof Uint8Array) return `${value.length} bytes`
  return JSON.stringify(value) ?? 'nothing'
}
