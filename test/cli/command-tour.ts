import { Database } from 'bun:sqlite'
import { setSystemTime, spyOn } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createTourNames } from '../support/tour-names.ts'
import { type Row, watchRows } from '../support/tour-rows.ts'
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
  /** Writes the rows, audit rows and facts that changed since the last time. */
  changes(): Promise<void>
  /** Remembers rows, audit rows and facts as they are. */
  skip(): Promise<void>
  /** Changes the database by hand. */
  sql(statement: string, ...values: (string | number | null)[]): Promise<void>
  advance(ms: number): void
  text(): string
  end(): void
}

/** What of a row is the same in each run, with a number first that tells when it was made. */
function orderOf(row: Row): string {
  const { id = row.added_at ?? row.created_at } = row
  const at = typeof id === 'number' ? id : (row.created_at ?? row.added_at ?? 0)
  return `${String(at).padStart(15, '0')} ${String(row.email_key ?? row.role ?? row.kind ?? row.token_hash ?? '')}`
}

/** Tables of what workers, migrations and the search do, and of audit rows, which are told as such. */
const UNWATCHED = /^sqlite_|^migrations|_fts|^workers$|^fact_folders$|^audit_/

export const TOUR_START = Date.UTC(2026, 0, 15, 9, 0, 0)

export function commandTour(): CommandTour {
  const scratch = scratchFolder()
  const database = join(scratch.path, 'data/masthead.db')
  const names = createTourNames()
  const lines: string[] = []
  const said = new Map<string, string>()
  let now = TOUR_START
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

  const tables: string[] = []
  let db: Database
  const read = (statement: string) => {
    using prepared = db.prepare(statement)
    return prepared.all() as Row[]
  }
  const watched = watchRows({
    read,
    tables,
    folder: join(scratch.path, 'data'),
    stable: ({ columns: _, ...row }) => row,
    placeOf: orderOf,
  })
  /** Works with the database that is there now, if one is. All of its tables are watched. */
  const open = async (work: () => unknown, readonly = true) => {
    if (!existsSync(database)) return
    db = new Database(database, { readonly })
    try {
      const made = read("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").map((row) =>
        String(row.name),
      )
      tables.splice(0, tables.length, ...made.filter((table) => !UNWATCHED.test(table)))
      await work()
    } finally {
      db.close()
    }
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
    changes: () => open(async () => write(...(await watched.changes()))),
    skip: () => open(watched.skip),
    sql: (statement, ...values) => open(() => db.run(statement, values), false),
    advance(ms) {
      now += ms
    },
    text() {
      const text = lines.join('\n').replaceAll(scratch.path, '<folder>')
      lines.length = 0
      return names.all(
        text
          .replace(/\$argon2id\$[^"\s]+/g, '<hash of a password>')
          .replace(/(?<=p=|public_key "?)[A-Za-z0-9+/]{40,}=*/g, (key) => `<public key of ${key.length} letters>`)
          .replace(/(?<="hint":"|hint )[\w-]{4}(?=[",])/g, '<hint>')
          .replace(/\d+(?= MB free| bytes\))|(?<="size_bytes\W+)\d+/g, '…'),
      )
    },
    end() {
      setSystemTime()
      hashes.mockRestore()
      scratch.remove()
    },
  }
}
