import { existsSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { bucketDestination } from '../backup/bucket-destination.ts'
import type { Bytes, Destination } from '../backup/destination.ts'
import { decrypted, identitiesIn } from '../backup/encryption.ts'
import { folderDestination } from '../backup/folder-destination.ts'
import { recordOf } from '../backup/list.ts'
import { sumOf } from '../backup/make.ts'
import { isEncrypted, timeOfName } from '../backup/names.ts'
import type { Config } from '../config.ts'
import { Failure } from './command.ts'

/** What `masthead restore --from` names. */
export interface Wanted {
  /** A folder, or `s3://BUCKET/PREFIX` with the other settings of the bucket. */
  from: string
  /** Its name; the newest unless said. */
  backup: string | undefined
  /** The file with the private key. */
  identity: string | undefined
}

/** The place of backups that a person names. */
export function placeFrom(from: string, config: Config): Destination {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(from) ?? []
  if (bucket !== undefined) return bucketDestination({ ...config, backup_s3_bucket: bucket, backup_s3_prefix: prefix })
  if (!existsSync(from)) throw new Failure(`The folder ${resolve(from)} does not exist.`)
  return folderDestination(resolve(from))
}

/** The private keys in a file of `age-keygen`. */
export function privateKeys(identity: string | undefined): string[] {
  if (identity === undefined)
    throw new Failure('The backup is encrypted. Name the file with its private key: --identity FILE.')
  if (!existsSync(identity)) throw new Failure(`The file ${resolve(identity)} does not exist.`)
  const keys = identitiesIn(readFileSync(identity, 'utf8'))
  if (keys.length === 0) throw new Failure(`${resolve(identity)} has no private key of age.`)
  return keys
}

/** Fetches a backup to a file, decrypts it and compares its checksum. Answers where it came from. */
export async function fetchBackup(place: Destination, wanted: Wanted, file: string): Promise<string> {
  const stored = await place.list('masthead-')
  const names = stored.map(({ name }) => name).filter((name) => timeOfName(name) !== null)
  const name = wanted.backup ?? names.at(-1)
  if (name === undefined) throw new Failure(`There is no backup in ${wanted.from}.`)
  if (!names.includes(name)) throw new Failure(`There is no backup ${name} in ${wanted.from}.`)
  const keys = isEncrypted(name) ? privateKeys(wanted.identity) : []
  const record = await recordOf(place, name)
  if (record && (await sumOf(place.read(name))).sha256 !== record.sha256)
    throw new Failure(`${place.shown(name)} is not what was stored: its checksum is another one.`)
  const content = isEncrypted(name) ? await readable(place.read(name), keys, name) : place.read(name)
  rmSync(file, { force: true })
  const opened = await open(file, 'wx', 0o600)
  try {
    for await (const chunk of content) await opened.writeFile(chunk)
  } finally {
    await opened.close()
  }
  return place.shown(name)
}

async function readable(content: Bytes, keys: readonly string[], name: string): Promise<Bytes> {
  try {
    return await decrypted(content, keys)
  } catch (error) {
    throw new Failure(`${name} cannot be decrypted with this private key: ${(error as Error).message}`)
  }
}
