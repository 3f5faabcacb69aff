import { iso } from '../clock.ts'
import type { Config } from '../config.ts'
import { destinationOf } from './configured.ts'
import type { Destination } from './destination.ts'
import type { BackupRecord } from './make.ts'
import { recordName, timeOfName } from './names.ts'

export interface KeptBackup {
  name: string
  made_on: string
  size_bytes: number
  /** Null for one that was not proven. */
  proven_on: string | null
}

/** The backups at the configured place, newest first. */
export async function listBackups(config: Config): Promise<KeptBackup[]> {
  const destination = destinationOf(config)
  const stored = await destination.list('masthead-')
  const names = new Set(stored.map(({ name }) => name))
  const found = stored.flatMap(({ name, size_bytes }) => {
    const at = timeOfName(name)
    return at === null ? [] : [{ name, size_bytes, made_on: iso(at) }]
  })
  const kept = await Promise.all(
    found.map(async (backup) => {
      const record = names.has(recordName(backup.name)) ? await recordOf(destination, backup.name) : null
      return { ...backup, proven_on: record?.size_bytes === backup.size_bytes ? record.proven_on : null }
    }),
  )
  return kept.reverse()
}

/** The record of a backup; null for one that is missing or damaged. */
export async function recordOf(destination: Destination, name: string): Promise<BackupRecord | null> {
  try {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of destination.read(recordName(name))) text += decoder.decode(chunk, { stream: true })
    return JSON.parse(text) as BackupRecord
  } catch {
    return null
  }
}
