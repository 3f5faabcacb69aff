import { sql } from 'drizzle-orm'
import { restoredLine } from '../../audit/known-ends.ts'
import { newId } from '../../ids.ts'
import { factFolder, type FactFolder, renameFolder } from '../../store/fact-folder.ts'
import { reachOf } from '../../store/fact-life.ts'
import { openFactLog } from '../../store/facts.ts'
import type { Store, Tx } from '../../store/open.ts'

/** Records which fact folder a database uses and which file it is in. A later start or restore compares them. */

type Named = Omit<FactFolder, 'place'>

interface Use {
  folder: Named
  /** The highest number of the folder's heartbeats. */
  beat: number
  /** The place of the database file; null for a server. */
  place: string | null
  now: number
}

/** The name of a folder after a restore: facts that may lack some begin now, under another name. */
export function nameAfter(folder: string, is_complete: boolean, now: number): Named {
  const named = factFolder(folder)
  return named && is_complete ? { id: named.id, since: named.since } : { id: newId('fct'), since: now }
}

/** Stores the fact folder and the file in the database. A database file has one folder at a time. */
export async function recordUse(tx: Tx, kind: Store['kind'], { folder: { id }, beat, place, now }: Use): Promise<void> {
  await countBeat(tx, { id, beat, now })
  if (kind === 'file') await tx.run(sql`DELETE FROM fact_folders WHERE id <> ${id}`)
  if (place !== null)
    await tx.run(sql`
      INSERT INTO database_place (id, place) VALUES (1, ${place})
      ON CONFLICT (id) DO UPDATE SET place = excluded.place`)
}

function countBeat(tx: Tx, { id, beat, now }: { id: string; beat: number; now: number }): Promise<unknown> {
  return tx.run(sql`
    INSERT INTO fact_folders (id, first_used_at, beat) VALUES (${id}, ${now}, ${beat})
    ON CONFLICT (id) DO UPDATE SET beat = max(beat, excluded.beat)`)
}

/** Names the folder and lets the facts say that the database was restored. Comes after `recordUse`, never before. */
export async function renameRestored(folder: string, named: Named, now: number): Promise<void> {
  renameFolder(folder, named)
  await noteRestored(folder, now)
}

async function noteRestored(folder: string, now: number): Promise<void> {
  const log = openFactLog(folder, now)
  log.append(now, [restoredLine(now)])
  await log.close()
}

/** Stores in a database that it knows all that these folders say, so that no start takes it for an older one. */
export async function recordReplayed(store: Store, folders: readonly string[], now: number): Promise<void> {
  const rows = folders.flatMap((folder) => {
    const [named, reach] = [factFolder(folder), reachOf(folder)]
    return named ? [{ id: named.id, beat: reach?.beat ?? 0 }] : []
  })
  await store.write(async (tx) => {
    for (const { id, beat } of rows) await countBeat(tx, { id, beat, now })
  })
  for (const folder of folders) if (factFolder(folder)) await noteRestored(folder, now)
}
