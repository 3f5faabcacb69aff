import fs from 'node:fs'
import { join } from 'node:path'
import { newId } from '../ids.ts'
import { clearMarks } from './fact-mark.ts'
import { isSamePlace, placeOf } from './place.ts'

/**
 * The identity of a fact folder, stored in its file `FOLDER` (docs/operations.md#facts). `since`: the folder has all
 * facts from this time on.
 */
export interface FactFolder {
  id: string
  since: number
  /**
   * The file system location where the service last used the folder (see place.ts); null when written by an earlier
   * release.
   */
  place: string | null
}

const HEADER = 'masthead facts 1'
/** Its first line holds the fields of a `FactFolder`. */
const NAME_FILE = 'FOLDER'

/** Reads the identity of a fact folder; null when the file `FOLDER` is missing or malformed. */
export function factFolder(folder: string): FactFolder | null {
  const path = join(folder, NAME_FILE)
  if (!fs.existsSync(path)) return null
  const [line = ''] = fs.readFileSync(path, 'utf8').split('\n')
  const words = line.startsWith(`${HEADER} `) ? line.slice(HEADER.length + 1).split(' ') : []
  const [id = '', since = '', place = null] = words
  const at = Date.parse(since)
  return id === '' || Number.isNaN(at) ? null : { id, since: at, place }
}

/** Reads the identity of a fact folder. Creates the folder, and an identity, when it is missing. */
export function openFolder(folder: string, now: number): FactFolder {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  return factFolder(folder) ?? nameFolder(folder, { id: newId('fct'), since: now })
}

/**
 * Stores a new identity unless there is one: when two processes open a new folder at once, both use the first one
 * stored.
 */
function nameFolder(folder: string, named: Omit<FactFolder, 'place'>): FactFolder {
  const draft = join(folder, `${NAME_FILE}-${named.id}`)
  writeName(draft, { ...named, place: placeOf(folder) })
  try {
    fs.linkSync(draft, join(folder, NAME_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return factFolder(folder)!
}

/**
 * Replaces the identity of a folder and stores its present location, as what is right from now on. Creates the folder
 * when it is missing.
 */
export function renameFolder(folder: string, { id, since }: Omit<FactFolder, 'place'>): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  clearMarks(folder)
  replaceName(folder, { id, since, place: placeOf(folder) })
}

/** Stores that facts before `since` may be missing from the folder. */
export function shortenFolder(folder: string, named: FactFolder, since: number): void {
  replaceName(folder, { ...named, since: Math.max(named.since, since) })
}

function replaceName(folder: string, named: FactFolder): void {
  const draft = join(folder, `${NAME_FILE}-${process.pid}`)
  writeName(draft, named)
  fs.renameSync(draft, join(folder, NAME_FILE))
}

function writeName(path: string, { id, since, place }: FactFolder): void {
  const words = [HEADER, id, new Date(since).toISOString(), ...(place === null ? [] : [place])]
  fs.writeFileSync(path, `${words.join(' ')}\n`, { mode: 0o600, flush: true })
}

/** Whether this is the folder that the service used last. False for a copy of it, and where that cannot be told. */
export function isLive(folder: string): boolean {
  const [place, present] = [factFolder(folder)?.place ?? null, placeOf(folder)]
  return place !== null && present !== null && isSamePlace(place, present)
}
