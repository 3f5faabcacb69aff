import fs from 'node:fs'
import { join } from 'node:path'
import { isSamePlace, placeOf } from './place.ts'

/**
 * The mark of a fact folder: a file whose name has the number of the last heartbeat, and whose content is its own place
 * (docs/operations.md#how-far-facts-reach). A copy of the folder that is written over it keeps the places of all files,
 * but its lines end at an earlier number, and the mark of the later one stays, because the copy has no file of that
 * name. Where the copying program removes it, the mark of the copy is a new file.
 */
const MARK = /^REACHED-(\d+)$/

/** Marks that the lines of a folder reach this number. They must be on the disk. A mark that cannot be made is left. */
export function markReached(folder: string, beat: number): void {
  const path = join(folder, `REACHED-${beat}`)
  try {
    const [newest, ...others] = marksOf(folder)
    for (const { path: other } of others) fs.rmSync(other, { force: true })
    if (newest) fs.renameSync(newest.path, path)
    else makeMark(folder, path)
  } catch {
    // The mark before is right, too: the folder has at least those lines.
  }
}

function makeMark(folder: string, path: string): void {
  const draft = join(folder, `REACHED-${crypto.randomUUID()}`)
  fs.writeFileSync(draft, '', { mode: 0o600 })
  fs.writeFileSync(draft, `${placeOf(draft)}\n`, { flush: true })
  fs.renameSync(draft, path)
}

/** The number that the mark of a folder has, and whether that is a copy of another file; null without a mark. */
export function readMark(folder: string): { reached: number; is_copy: boolean } | null {
  const marks = marksOf(folder)
  if (!marks[0]) return null
  const is_copy = marks.some(({ path }) => {
    const place = placeOf(path)
    return place !== null && !isSamePlace(fs.readFileSync(path, 'utf8').trim(), place)
  })
  return { reached: marks[0].reached, is_copy }
}

/** Removes the marks of a folder whose state people have decided about. */
export function clearMarks(folder: string): void {
  for (const { path } of marksOf(folder)) fs.rmSync(path, { force: true })
}

/** The marks of a folder, the one with the highest number first. */
function marksOf(folder: string): { path: string; reached: number }[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .flatMap((name) => {
      const reached = MARK.exec(name)?.[1]
      return reached === undefined ? [] : [{ path: join(folder, name), reached: Number(reached) }]
    })
    .toSorted((one, other) => other.reached - one.reached)
}
