import fs from 'node:fs'
import { join } from 'node:path'
import { factFolder, openFolder, shortenFolder } from './fact-folder.ts'
import { markReached } from './fact-mark.ts'

/**
 * The fact log of a data folder (docs/operations.md#facts): one line for each event that cannot be undone, one file a
 * day. Each append is one `write(2)`, so a killed process loses no line and several processes may append. Lines are on
 * the disk within a second.
 */
export interface FactLog {
  /** The id of the folder. The database stores it to know which folder has its facts. */
  readonly folder_id: string
  /** Throws when the lines cannot be written. */
  append(at: number, lines: readonly string[]): void
  /** Sets the first line of each file begun from now on; null for none. */
  headWith(line: ((at: number) => string) | null): void
  /** Marks, once all lines are on the disk, that they reach the heartbeat of this number. */
  mark(beat: number): Promise<void>
  /** Waits until everything is on the disk. */
  close(): Promise<void>
}

const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.log$/
/** Half of the promised second, which leaves the other half for a slow disk. */
const SYNC_AFTER_MS = 500

/** Opens the fact log of a folder. Creates the folder when it is missing. */
export function openFactLog(folder: string, now: number): FactLog {
  openFolder(folder, now)
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
    get folder_id() {
      return openFolder(folder, now).id
    },
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
    async mark(beat) {
      const descriptor = file?.descriptor
      if (descriptor === undefined) return
      // A power cut that takes lines of a mark would look as an earlier state of the file does.
      const error = await new Promise<Error | null>((resolve) => fs.fdatasync(descriptor, resolve))
      if (!error) markReached(folder, beat)
    },
    async close() {
      endFile()
    },
  }
}

const CHUNK_BYTES = 1 << 20

/** The lines of the day of `since` and of all later days, oldest first. A line without its end is left out. */
export function* factLines(folder: string, since: number): Generator<string> {
  const first = `${dayOf(since)}.log`
  for (const name of dayFiles(folder).filter((day) => day >= first)) yield* linesOf(join(folder, name))
}

/** The files of a folder, oldest first. */
export function dayPaths(folder: string): string[] {
  return dayFiles(folder).map((name) => join(folder, name))
}

/** The lines of a file, or of its last bytes; then the first one may be cut. */
export function* linesOf(path: string, last_bytes = Infinity): Generator<string> {
  const descriptor = fs.openSync(path, 'r')
  const buffer = Buffer.alloc(CHUNK_BYTES)
  let position = Math.max(0, fs.fstatSync(descriptor).size - last_bytes)
  const next = (): number => {
    const read = fs.readSync(descriptor, buffer, 0, CHUNK_BYTES, position)
    position += read
    return read
  }
  let rest = ''
  try {
    for (let read = next(); read > 0; read = next()) {
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
  shortenFolder(folder, named, Date.parse(oldest))
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
