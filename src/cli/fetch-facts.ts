import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { FACTS, IDENTITY, type Piece, pieceOf } from '../backup/facts-names.ts'
import type { Bytes, Destination } from '../backup/destination.ts'
import { decrypted } from '../backup/encryption.ts'
import { isEncrypted } from '../backup/names.ts'
import { DAY_MS, iso, timeInName } from '../clock.ts'
import { factFolder, isLive, shortenFolder } from '../store/fact-folder.ts'
import { reachOf } from '../store/fact-life.ts'

interface Fetching {
  place: Destination
  /** The folder of facts of the data folder. */
  folder: string
  /** The time of the backup. */
  since: number
  now: number
  /** The private keys. */
  keys(): string[]
}

type Named = Piece & { name: string }

/**
 * Puts the facts since a backup from its place into the data folder. Facts that are there stay when they reach as far;
 * else they are kept under another name. Answers whether facts were fetched.
 */
export async function fetchFacts({ place, folder, since, now, keys }: Fetching): Promise<boolean> {
  if (existsSync(folder) && isLive(folder)) return false
  const pieces = (await place.list(FACTS)).flatMap(({ name }): Named[] => {
    const piece = pieceOf(name)
    return piece ? [{ ...piece, name }] : []
  })
  const first = iso(Math.max(0, since - DAY_MS)).slice(0, 10)
  const wanted = pieces.filter(({ day }) => day >= first)
  if (wanted.length === 0) return false
  const fetched = `${folder}.fetched`
  rmSync(fetched, { recursive: true, force: true })
  mkdirSync(fetched, { recursive: true, mode: 0o700 })
  try {
    const folders = await foldersIn(place, wanted, fetched)
    for (const [index, folder_id] of folders.entries()) {
      if (index === 0) await putIdentity(place, folder_id, fetched)
      const own = wanted.filter((piece) => piece.folder_id === folder_id)
      for (const day of new Set(own.map((piece) => piece.day)))
        await appendDay(
          { place, keys, path: join(fetched, `${day}.log`) },
          own.filter((piece) => piece.day === day),
        )
    }
    const named = factFolder(fetched)
    if (named) shortenFolder(fetched, named, Date.parse(first))
    if (existsSync(folder)) {
      if ((reachOf(folder)?.at ?? 0) >= (reachOf(fetched)?.at ?? 0)) return false
      renameSync(folder, `${folder}.replaced-${timeInName(now)}`)
    }
    renameSync(fetched, folder)
    return true
  } finally {
    rmSync(fetched, { recursive: true, force: true })
  }
}

/** The ids of the folders of facts that the service used, oldest first: a restore may begin a new one. */
async function foldersIn(place: Destination, pieces: readonly Named[], fetched: string): Promise<string[]> {
  const begun = new Map<string, number>()
  for (const id of new Set(pieces.map(({ folder_id }) => folder_id))) {
    await putIdentity(place, id, fetched)
    begun.set(id, factFolder(fetched)?.since ?? 0)
  }
  return [...begun.keys()].toSorted((one, other) => begun.get(one)! - begun.get(other)!)
}

async function putIdentity(place: Destination, folder_id: string, fetched: string): Promise<void> {
  await write(join(fetched, IDENTITY), 'w', place.read(`${FACTS}${folder_id}/${IDENTITY}`))
}

/** Appends the pieces of a day to its file. Some may overlap: the whole day replaces its pieces one after the other. */
async function appendDay(
  { place, keys, path }: Pick<Fetching, 'place' | 'keys'> & { path: string },
  pieces: readonly Named[],
): Promise<void> {
  let position = 0
  for (const { name, offset, length } of pieces.toSorted((a, b) => a.offset - b.offset || b.length - a.length)) {
    if (offset + length <= position) continue
    const stored = place.read(name)
    const content = isEncrypted(name) ? await decrypted(stored, keys()) : stored
    await write(path, 'a', from(content, Math.max(0, position - offset)))
    position = offset + length
  }
}

async function* from(content: Bytes, skip: number): Bytes {
  let left = skip
  for await (const chunk of content) {
    if (left < chunk.length) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

async function write(path: string, how: 'a' | 'w', content: Bytes): Promise<void> {
  const file = await open(path, how, 0o600)
  try {
    for await (const chunk of content) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
}
