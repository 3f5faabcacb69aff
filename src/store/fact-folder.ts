import fs from 'node:fs'
import { join } from 'node:path'
import { newId } from '../ids.ts'
import { isSamePlace, placeOf } from './place.ts'

/** The file that names a folder of facts (docs/operations.md#facts): its id, since when it has all facts, its place. */
export interface FactFolder {
  id: string
  since: number
  /** Where the service used it last; null in a folder of an earlier release. */
  place: string | null
}

const HEADER = 'masthead facts 1'
/** Its first line names the folder. */
const NAME_FILE = 'FOLDER'

/** What names a folder of facts; null for a folder that is missing or something else. */
export function factFolder(folder: string): FactFolder | null {
  const path = join(folder, NAME_FILE)
  if (!fs.existsSync(path)) return null
  const [line = ''] = fs.readFileSync(path, 'utf8').split('\n')
  const words = line.startsWith(`${HEADER} `) ? line.slice(HEADER.length + 1).split(' ') : []
  const [id = '', since = '', place = null] = words
  const at = Date.parse(since)
  return id === '' || Number.isNaN(at) ? null : { id, since: at, place }
}

/** Names a folder that has no name, and makes it when it is missing. */
export function openFolder(folder: string, now: number): FactFolder {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  return factFolder(folder) ?? nameFolder(folder, { id: newId('fct'), since: now })
}

/** Two processes that open a new folder at once agree on the name that was there first. */
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

/** Names a folder anew, where it is now; it is made when it is missing. */
export function renameFolder(folder: string, { id, since }: Omit<FactFolder, 'place'>): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceName(folder, { id, since, place: placeOf(folder) })
}

/** Stores that the folder lacks the facts before a time. */
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

/** Whether the folder itself, and no copy of it, is where the service used it last. */
export function isLive(folder: string): boolean {
  const [place, present] = [factFolder(folder)?.place ?? null, placeOf(folder)]
  return place !== null && present !== null && isSamePlace(place, present)
}
