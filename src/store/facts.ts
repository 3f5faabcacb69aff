import fs from 'node:fs'
import { join } from 'node:path'
import { newId } from '../ids.ts'
import { bootId } from './journal.ts'

/**
 * The facts of a data folder (docs/operations.md#facts): what cannot be undone, a line each, in one file a day. Lines
 * are only appended, each with one `write(2)`, so a killed process loses none, and several processes may append. They
 * are on the disk within a second.
 */
export interface FactLog {
  /** Names the folder: a database says which folder has its facts. */
  readonly folder_id: string
  /** Throws when the lines cannot be written. */
  append(at: number, lines: readonly string[]): void
  /** The line with which each further file begins; null for none. */
  headWith(line: ((at: number) => string) | null): void
  /** Waits until everything is on the disk. */
  close(): Promise<void>
}

/** What names a folder of facts. It has all facts since `since`. */
interface FactFolder {
  id: string
  since: number
}

const HEADER = 'masthead facts 1'
/** Its first line names the folder. */
const NAME_FILE = 'FOLDER'
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.log$/
/** Leaves half of the promised second to a slow disk. */
const SYNC_AFTER_MS = 500

/** Opens the facts of a folder, which is made when it is missing. */
export function openFactLog(folder: string, now: number): FactLog {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { id } = factFolder(folder) ?? nameFolder(folder, { id: newId('fct'), since: now })
  let file: { day: string; descriptor: number } | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let isCut = false
  let heading: ((at: number) => string) | null = null

  const sync = (): void => {
    timer = null
    if (file) fs.fdatasync(file.descriptor, () => undefined)
  }
  const endFile = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    if (!file) return
    fs.fdatasyncSync(file.descriptor)
    fs.closeSync(file.descriptor)
    file = null
  }

  return {
    folder_id: id,
    append(at, lines) {
      if (lines.length === 0) return
      const day = dayOf(at)
      const isNew = file?.day !== day
      if (isNew) {
        endFile()
        file = { day, descriptor: fs.openSync(join(folder, `${day}.log`), 'a', 0o600) }
      }
      // The line break in front ends a line that a full disk cut off.
      const text = [...(isNew && heading ? [heading(at)] : []), ...lines].join('\n')
      const bytes = Buffer.from(`${isCut ? '\n' : ''}${text}\n`)
      isCut = fs.writeSync(file!.descriptor, bytes) !== bytes.length
      if (isCut) throw new Error(`The facts in ${folder} cannot be written.`)
      timer ??= setTimeout(sync, SYNC_AFTER_MS)
      timer.unref()
    },
    headWith(line) {
      heading = line
    },
    async close() {
      endFile()
    },
  }
}

/**
 * Appends that a process began to append facts; answers a function that appends its end. After a power cut the last
 * second may be missing, which such a beginning without an end tells. Each file repeats it: old ones are removed.
 */
export function beginFacts(log: FactLog, now: () => number, boot_id = bootId()): () => void {
  const process_id = newId('prc')
  const line = (at: number, what: string): string => `${new Date(at).toISOString()} ${what}`
  const begun = (at: number): string => line(at, `${BEGUN} ${process_id} ${boot_id}`)
  log.append(now(), [begun(now())])
  log.headWith(begun)
  return () => {
    log.headWith(null)
    log.append(now(), [line(now(), `${ENDED} ${process_id}`)])
  }
}

const BEGUN = 'begun'
const ENDED = 'ended'

/**
 * Whether a process of another boot of the machine, or of another machine, did not end its facts after `since`. A
 * beginning until `since` shows that all processes before it were over, killed ones too.
 */
export function isTorn(lines: Iterable<string>, since: number, boot_id = bootId()): boolean {
  const open = new Map<string, string>()
  for (const line of lines) {
    const [time = '', what, process_id = '', boot = ''] = line.split(' ', 4)
    if (what === BEGUN) {
      if (Date.parse(time) <= since) open.clear()
      open.set(process_id, boot)
    }
    if (what === ENDED) open.delete(process_id)
  }
  return [...open.values()].some((boot) => boot !== boot_id)
}

/** What names a folder of facts; null for a folder that is missing or something else. */
export function factFolder(folder: string): FactFolder | null {
  const path = join(folder, NAME_FILE)
  if (!fs.existsSync(path)) return null
  const [line = ''] = fs.readFileSync(path, 'utf8').split('\n')
  const [id = '', since = ''] = line.startsWith(`${HEADER} `) ? line.slice(HEADER.length + 1).split(' ') : []
  const at = Date.parse(since)
  return id === '' || Number.isNaN(at) ? null : { id, since: at }
}

/** Two processes that open a new folder at once agree on the name that was there first. */
function nameFolder(folder: string, named: FactFolder): FactFolder {
  const draft = join(folder, `${NAME_FILE}-${named.id}`)
  writeName(draft, named)
  try {
    fs.linkSync(draft, join(folder, NAME_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return factFolder(folder) ?? named
}

function writeName(path: string, { id, since }: FactFolder): void {
  fs.writeFileSync(path, `${HEADER} ${id} ${new Date(since).toISOString()}\n`, { mode: 0o600, flush: true })
}

const CHUNK_BYTES = 1 << 20

/** The lines of the day of `since` and of all later days, oldest first. A line without its end is left out. */
export function* factLines(folder: string, since: number): Generator<string> {
  const first = `${dayOf(since)}.log`
  for (const name of dayFiles(folder).filter((day) => day >= first)) yield* linesOf(join(folder, name))
}

function* linesOf(path: string): Generator<string> {
  const descriptor = fs.openSync(path, 'r')
  const buffer = Buffer.alloc(CHUNK_BYTES)
  let rest = ''
  try {
    for (let read = fs.readSync(descriptor, buffer); read > 0; read = fs.readSync(descriptor, buffer)) {
      const lines = (rest + buffer.toString('latin1', 0, read)).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Removes the files of days that ended before a time; the folder then has all facts since the next day. */
export function removeOldFacts(folder: string, before: number): void {
  const named = factFolder(folder)
  const oldest = dayOf(before)
  const gone = named ? dayFiles(folder).filter((name) => name < `${oldest}.log`) : []
  if (!named || gone.length === 0) return
  // First what the folder promises, then the files.
  const draft = join(folder, `${NAME_FILE}-${process.pid}`)
  writeName(draft, { id: named.id, since: Math.max(named.since, Date.parse(oldest)) })
  fs.renameSync(draft, join(folder, NAME_FILE))
  for (const name of gone) fs.rmSync(join(folder, name), { force: true })
}

function dayFiles(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter((name) => DAY_FILE.test(name))
    .toSorted()
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
