import fs, {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

/**
 * The handover journal of a worker (docs/api/delivery.md#handover-journal): what it was about to do that cannot be
 * undone, and what came of it. Each record is one `write(2)`, so a killed process leaves it in the page cache. It is
 * not flushed to the disk: after a power cut the boot is another one, and the journal is not trusted.
 *
 * Before another worker believes a journal it seals it by removing the write permission. The writer looks for the seal
 * after each record and before it acts. So a frozen process that wakes up later does nothing that the reader missed.
 */
export interface Journal {
  /** Opens the page of a lease. `about`: a number that recovery needs to know about the lease. */
  open(lease_id: string, about: number): JournalPage
  /** The open page of a lease. */
  page(lease_id: string): JournalPage | undefined
  /** Closes the file, and removes it unless a page is still open. */
  close(): void
}

/** The journal records of one lease. */
export interface JournalPage extends PageRecord {
  /** Records that an item is about to be handed over. False: this worker was declared dead and must not do it. */
  begin(id: number): boolean
  /** Records the outcome of an item, which is stored as JSON. */
  answer(id: number, answer: unknown): void
  /** Forgets the lease, once everything about it is stored. */
  close(): void
}

export interface PageRecord {
  readonly about: number
  /** By id: `begun`, or the answer. An item that is missing was not handed over. */
  readonly items: ReadonlyMap<number, Item>
}

export type Item = { begun: true } | { answer: unknown }

const FORMAT = 'masthead handover journal 1'
const SEALED_MODE = 0o400
/** The owner's write permission. */
const WRITABLE = 0o200
/** A file that is larger, and mostly of closed pages, is followed by another one. */
const ROTATE_AT_BYTES = 1_048_576

/** Creates the journal of a worker. Files are made when they are needed. */
export function createJournal(folder: string, worker_id: string, boot_id = bootId()): Journal {
  const pages = new Map<string, { page: JournalPage; lines: string[] }>()
  let file: { fd: number; path: string; bytes: number } | null = null
  let generation = 0

  /** Begins another file, with the records of the open pages. */
  const nextFile = (): NonNullable<typeof file> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${worker_id}.${++generation}`)
    const fd = openSync(path, 'ax', 0o600)
    const lines = [`${FORMAT} ${boot_id}\n`, ...[...pages.values()].flatMap((open) => open.lines)]
    return { fd, path, bytes: fs.writeSync(fd, lines.join('')) }
  }
  const rotate = (): void => {
    if (!file || file.bytes < ROTATE_AT_BYTES || isSealed(file.fd)) return
    const open_bytes = [...pages.values()].flatMap(({ lines }) => lines).reduce((sum, { length }) => sum + length, 0)
    if (open_bytes > file.bytes / 2) return
    const next = nextFile()
    // A reader who sealed the former file before the next one was there may have missed the next one.
    const [kept, dropped] = isSealed(file.fd) ? [file, next] : [next, file]
    file = kept
    closeSync(dropped.fd)
    rmSync(dropped.path, { force: true })
  }

  return {
    open(lease_id, about) {
      if (file && isSealed(file.fd)) {
        // Another worker has read the pages in the sealed file: nothing more may happen under their leases.
        closeSync(file.fd)
        file = null
        pages.clear()
      }
      file ??= nextFile()
      const lines: string[] = []
      const items = new Map<number, Item>()
      const write = (record: string): void => {
        // The line break before it ends a record that a full disk cut off.
        const line = `\n${record}\n`
        lines.push(line)
        const written = fs.writeSync(file!.fd, line)
        file!.bytes += written
        if (written !== line.length) throw new Error('The handover journal cannot be written.')
      }
      const isOpen = (): boolean => file !== null && pages.get(lease_id)?.page === page
      const page: JournalPage = {
        about,
        items,
        begin(id) {
          if (!isOpen()) return false
          items.set(id, { begun: true })
          write(`> ${lease_id} ${id}`)
          return !isSealed(file!.fd)
        },
        answer(id, answer) {
          if (!isOpen()) return
          items.set(id, { answer })
          write(`< ${lease_id} ${id} ${asciiJson(answer)}`)
        },
        close() {
          if (isOpen()) pages.delete(lease_id)
          rotate()
        },
      }
      pages.set(lease_id, { page, lines })
      write(`= ${lease_id} ${about}`)
      return page
    },
    page: (lease_id) => pages.get(lease_id)?.page,
    close() {
      if (!file) return
      closeSync(file.fd)
      file = null
      if (pages.size === 0) removeJournal(folder, worker_id)
    },
  }
}

/**
 * The pages of a worker that died, by lease; the journal is sealed. Null when there is no journal that can be trusted:
 * none in this folder, or one of another boot of the machine.
 */
export function readJournal(
  folder: string,
  worker_id: string,
  boot_id = bootId(),
): ReadonlyMap<string, PageRecord> | null {
  const texts = sealAll(folder, worker_id)?.filter((text) => text !== '')
  if (boot_id === null || !texts || texts.length === 0) return null
  const pages = new Map<string, { about: number; items: Map<number, Item> }>()
  for (const text of texts) {
    // A line without its end is a record that was not written to its end, so nothing happened after it.
    const [header, ...lines] = text.split('\n').slice(0, -1)
    if (header !== `${FORMAT} ${boot_id}`) return null
    for (const line of lines) readRecord(line, pages)
  }
  return pages
}

function readRecord(line: string, pages: Map<string, { about: number; items: Map<number, Item> }>): void {
  const [mark, lease_id = '', number] = line.split(' ', 3)
  const items = pages.get(lease_id)?.items
  const id = Number(number)
  if (mark === '=' && !items) pages.set(lease_id, { about: id, items: new Map() })
  // A file may repeat the records of the one before.
  else if (mark === '>' && !items?.has(id)) items?.set(id, { begun: true })
  else if (mark === '<') {
    const answer = parsed(line.slice(`< ${lease_id} ${number} `.length))
    if (answer !== null) items?.set(id, { answer })
  }
}

/** Parses a recorded answer; null when a full disk cut it off. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** Seals the files of a worker; answers their texts in the order in which they were begun. Null when that fails. */
function sealAll(folder: string, worker_id: string): string[] | null {
  const sealed = new Set<string>()
  for (;;) {
    // The writer may begin another file until the present one is sealed.
    const open = filesOf(folder, worker_id).filter((path) => !sealed.has(path))
    if (open.length === 0) break
    for (const path of open) {
      sealed.add(path)
      if (!seal(path)) return null
    }
  }
  return filesOf(folder, worker_id).map((path) => readFileSync(path, 'utf8'))
}

/** False when the file system does not take the seal. A file that was removed meanwhile needs none. */
function seal(path: string): boolean {
  try {
    chmodSync(path, SEALED_MODE)
    return (statSync(path).mode & WRITABLE) === 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Whether a reader sealed or removed an open file. */
function isSealed(fd: number): boolean {
  const { mode, nlink } = fstatSync(fd)
  return (mode & WRITABLE) === 0 || nlink === 0
}

/** JSON in ASCII, so that a line has as many bytes as characters. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\u0000-\u007f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Removes the journal of a worker. */
export function removeJournal(folder: string, worker_id: string): void {
  for (const path of filesOf(folder, worker_id)) rmSync(path, { force: true })
}

/** The workers that have a journal in this folder. */
export function journaledWorkers(folder: string): string[] {
  return [...new Set(namesIn(folder).map((name) => name.slice(0, name.lastIndexOf('.'))))]
}

/** The files of a worker, in the order in which they were begun. */
function filesOf(folder: string, worker_id: string): string[] {
  const generationOf = (name: string): number => Number(name.slice(worker_id.length + 1))
  return namesIn(folder)
    .filter((name) => name.startsWith(`${worker_id}.`))
    .toSorted((one, other) => generationOf(one) - generationOf(other))
    .map((name) => join(folder, name))
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

let knownBoot: string | null | undefined

/** The id of the machine's current boot; null where the system provides none. */
export function bootId(): string | null {
  if (knownBoot === undefined) knownBoot = readBootId()
  return knownBoot
}

function readBootId(): string | null {
  try {
    if (process.platform !== 'darwin') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null
    return Bun.spawnSync(['sysctl', '-n', 'kern.bootsessionuuid']).stdout.toString().trim() || null
  } catch {
    return null
  }
}
