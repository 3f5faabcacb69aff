import { chmodSync, createReadStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { version } from '../build.ts'
import { iso } from '../clock.ts'
import type { Config } from '../config.ts'
import { entriesOf } from '../setting-kinds.ts'
import { databaseUrl } from '../instance.ts'
import { withDatabaseFile } from '../store/backup.ts'
import { claim } from '../store/claim.ts'
import { filePath, syncInPieces } from '../store/file-path.ts'
import type { HeavyTask } from '../store/open.ts'
import { destinationOf, keepsBackups } from './configured.ts'
import type { Bytes, Destination } from './destination.ts'
import { encrypted } from './encryption.ts'
import { keptTimes } from './kept.ts'
import { backupName, recordName, timeOfName } from './names.ts'
import { type Holds, rehearse } from './rehearsal.ts'

/** What the record beside a backup says. */
export interface BackupRecord {
  made_on: string
  /** When a rehearsal of its restore had succeeded and what is stored had been compared; null when it failed. */
  proven_on: string | null
  /** What the rehearsal found wrong. */
  problem: string | null
  size_bytes: number
  /** Of the file as it is stored. */
  sha256: string
  holds: Holds | null
  /** The release that made it. */
  version: string
}

export interface Made {
  /** Where it is. */
  file: string
  size_bytes: number
  proven_on: string | null
  problem: string | null
}

const READ_BYTES = 1 << 20

interface Order {
  config: Config
  now: number
}

/** Makes a backup, proves it, stores it and removes those that are not kept. Null while another is being made. */
export const makeBackupTask: HeavyTask<Order, Made | null> = {
  name: 'make_backup',
  run: (_, order) => inWorkFolder(order.config, (folder) => makeBackup(folder, order)),
}

async function makeBackup(folder: string, { config, now }: Order): Promise<Made> {
  const begun = performance.now()
  const destination = destinationOf(config)
  await destination.clear()
  const recipients = entriesOf(config.backup_recipients)
  const name = backupName(now, recipients.length > 0)
  const snapshot = join(folder, 'snapshot.db')
  await takeSnapshot(filePath(databaseUrl(config)), snapshot)
  const { holds, problem } = await rehearse(snapshot, config)
  // What was rehearsed is what is stored, as it is or encrypted.
  const content = createReadStream(snapshot, { highWaterMark: READ_BYTES })
  const sum = newSum()
  if (recipients.length > 0) await destination.put(name, summed(await encrypted(content, recipients), sum))
  else {
    await syncInPieces(snapshot)
    for await (const chunk of content) sum.add(chunk)
    await destination.putFile(name, snapshot)
  }
  const { sha256, size_bytes } = sum.result()
  const stored = await sumOf(destination.read(name))
  if (stored.sha256 !== sha256) {
    await destination.remove([name])
    throw new Error('The stored backup is not what was written.')
  }
  const proven_on = problem === null ? iso(now + Math.round(performance.now() - begun)) : null
  const record: BackupRecord = { made_on: iso(now), proven_on, problem, size_bytes, sha256, holds, version }
  await destination.put(recordName(name), bytesOf(`${JSON.stringify(record, null, 2)}\n`))
  // One that cannot be restored takes the place of none.
  if (keepsBackups(config) && problem === null) await removeOld(destination, config, now)
  return { file: destination.shown(name), size_bytes, proven_on, problem }
}

/** Copies the database as it is at one moment. If SQLite synced the copy, the service's commits would wait for that. */
async function takeSnapshot(database: string, snapshot: string): Promise<void> {
  await withDatabaseFile(database, async (query) => {
    await query('PRAGMA synchronous = OFF')
    try {
      await query('VACUUM INTO ?', [snapshot])
    } finally {
      await query('PRAGMA synchronous = FULL')
    }
  })
  chmodSync(snapshot, 0o600)
}

async function removeOld(destination: Destination, config: Config, now: number): Promise<void> {
  const stored = await destination.list('masthead-')
  const timed = stored.flatMap(({ name }) => {
    const at = timeOfName(name)
    return at === null ? [] : [{ name, at }]
  })
  const kept = keptTimes(
    timed.map(({ at }) => at),
    config,
    now,
  )
  // First the backup: a record without one is nothing, and goes with a later run.
  await destination.remove(timed.flatMap(({ name, at }) => (kept.has(at) ? [] : [name, recordName(name)])))
}

/** The size and SHA-256 of bytes. */
export async function sumOf(content: Bytes) {
  const sum = newSum()
  for await (const chunk of content) sum.add(chunk)
  return sum.result()
}

function newSum() {
  const hash = new Bun.CryptoHasher('sha256')
  let size_bytes = 0
  return {
    add(chunk: Uint8Array) {
      hash.update(chunk)
      size_bytes += chunk.length
    },
    result: () => ({ sha256: hash.digest('hex'), size_bytes }),
  }
}

/** The same bytes, which are added to a sum. */
async function* summed(content: Bytes, { add }: ReturnType<typeof newSum>): Bytes {
  for await (const chunk of content) {
    add(chunk)
    yield chunk
  }
}

export async function* bytesOf(text: string): Bytes {
  yield new TextEncoder().encode(text)
}

function workFolder(config: Config): string {
  return join(resolve(config.data_dir), 'backup-work')
}

/** Runs `work` in an empty folder that it has for itself. Answers null while another process or thread has it. */
async function inWorkFolder<T>(config: Config, work: (folder: string) => Promise<T>): Promise<T | null> {
  const folder = workFolder(config)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const release = claim(join(folder, 'claim'))
  if (!release) return null
  try {
    empty(folder)
    return await work(folder)
  } finally {
    empty(folder)
    release()
  }
}

function empty(folder: string): void {
  for (const name of readdirSync(folder))
    if (!name.startsWith('claim')) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Removes what a killed process left of a backup, here and at the destination. */
export async function removeUnfinished(config: Config): Promise<void> {
  if (!statSync(workFolder(config), { throwIfNoEntry: false })) return
  await inWorkFolder(config, () => destinationOf(config).clear())
}
