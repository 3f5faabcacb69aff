import { createReadStream, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DAY_MS, iso, MINUTE_MS } from '../clock.ts'
import { factsFolder } from '../instance.ts'
import type { Loop, LoopContext } from '../runtime.ts'
import { entriesOf } from '../setting-kinds.ts'
import { factFolder } from '../store/fact-folder.ts'
import { dayPaths } from '../store/facts.ts'
import { reachMilestone } from '../store/milestones.ts'
import { destinationOf, keepsBackups } from './configured.ts'
import type { Destination } from './destination.ts'
import { encrypted } from './encryption.ts'
import { FACTS, IDENTITY, pieceName, pieceOf } from './facts-names.ts'

/** A piece takes no more memory than this. */
const PIECE_BYTES = 1 << 20
/** After a failure it is tried again so much later. */
const PAUSE_MS = MINUTE_MS
/** Days whose facts the first backup at a place may need. */
const FIRST_DAYS_MS = 2 * DAY_MS

/** What a place has of the facts of a folder. */
interface Shipped {
  folder_id: string
  /** The content of the file with the identity. */
  identity: string
  /** Bytes of each day, and the names of their pieces. */
  days: Map<string, { bytes: number; pieces: string[] }>
}

/** Copies new facts to the place of backups every few seconds, so that a lost machine loses seconds of them. */
export function factsLoop(): Loop {
  let shipped: Shipped | null = null
  let not_before = 0
  let noted_at = 0
  return {
    name: 'facts',
    pattern: '*/5 * * * * *',
    async tick(context) {
      const { config, store, clock } = context
      const now = clock.now()
      if (!keepsBackups(config) || store.kind !== 'file' || now < not_before) return false
      const folder = factsFolder(config)
      const named = factFolder(folder)
      if (named === null) return false
      const destination = destinationOf(config)
      try {
        if (shipped?.folder_id !== named.id) shipped = await shippedOf(destination, named.id)
        await shipIdentity(destination, folder, shipped)
        const count = await shipNew(destination, shipped, folder, context)
        if (count === 0 || now - noted_at < MINUTE_MS) return false
        noted_at = now
        await store.write((tx) => reachMilestone(tx, 'shipped_facts', { at: now, details: {} }), { durable: false })
        return false
      } catch (error) {
        // What was stored meanwhile is looked up anew.
        shipped = null
        not_before = now + PAUSE_MS
        throw error
      }
    },
  }
}

async function shippedOf(destination: Destination, folder_id: string): Promise<Shipped> {
  const days: Shipped['days'] = new Map()
  for (const { name } of await destination.list(`${FACTS}${folder_id}/`)) {
    const piece = pieceOf(name)
    if (!piece) continue
    const day = days.get(piece.day) ?? { bytes: 0, pieces: [] }
    day.bytes = Math.max(day.bytes, piece.offset + piece.length)
    day.pieces.push(name)
    days.set(piece.day, day)
  }
  return { folder_id, identity: '', days }
}

async function shipIdentity(destination: Destination, folder: string, shipped: Shipped): Promise<void> {
  const identity = readFileSync(join(folder, IDENTITY), 'utf8')
  if (identity === shipped.identity) return
  await destination.put(`${FACTS}${shipped.folder_id}/${IDENTITY}`, one(Buffer.from(identity)))
  shipped.identity = identity
}

/** Answers how many pieces were stored. */
async function shipNew(
  destination: Destination,
  shipped: Shipped,
  folder: string,
  { config, clock, stopping }: LoopContext,
): Promise<number> {
  const recipients = entriesOf(config.backup_recipients)
  const store = async (day: string, path: string, offset: number, end: number): Promise<string> => {
    const name = pieceName({ folder_id: shipped.folder_id, day, offset, length: end - offset }, recipients.length > 0)
    const content = createReadStream(path, { start: offset, end: end - 1, highWaterMark: PIECE_BYTES })
    await destination.put(name, recipients.length > 0 ? await encrypted(content, recipients) : content)
    return name
  }
  let count = 0
  const paths = dayPaths(folder)
  const first = iso(clock.now() - FIRST_DAYS_MS).slice(0, 10)
  const kept = new Set(paths.map(dayOf))
  for (const [day, { pieces }] of shipped.days)
    if (!kept.has(day)) {
      await destination.remove(pieces)
      shipped.days.delete(day)
    }
  for (const [index, path] of paths.entries()) {
    const day = dayOf(path)
    const known = shipped.days.get(day) ?? { bytes: 0, pieces: [] }
    if (known.bytes === 0 && day < first) continue
    const { size } = statSync(path)
    while (known.bytes < size && !stopping()) {
      const end = Math.min(size, known.bytes + PIECE_BYTES)
      known.pieces.push(await store(day, path, known.bytes, end))
      known.bytes = end
      shipped.days.set(day, known)
      count++
    }
    // A day that has ended becomes one file, so that a restore has few to read.
    if (index === paths.length - 1 || known.pieces.length < 2 || stopping()) continue
    const whole = await store(day, path, 0, known.bytes)
    await destination.remove(known.pieces.filter((name) => name !== whole))
    known.pieces = [whole]
  }
  return count
}

const dayOf = (path: string): string => basename(path, '.log')

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
