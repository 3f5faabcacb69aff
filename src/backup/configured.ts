import { join, resolve } from 'node:path'
import { bucketDestination } from './bucket-destination.ts'
import type { Config } from '../config.ts'
import type { Destination } from './destination.ts'
import { folderDestination } from './folder-destination.ts'

/** Whether backups are made by themselves, because a place for them is set. */
export function keepsBackups(config: Config): boolean {
  return config.backup_dir !== '' || config.backup_s3_bucket !== ''
}

/** The configured place of backups; without one a folder beside the database, which is lost with it. */
export function destinationOf(config: Config): Destination {
  if (config.backup_s3_bucket !== '') return bucketDestination(config)
  return folderDestination(
    config.backup_dir === '' ? join(resolve(config.data_dir), 'backups') : resolve(config.backup_dir),
  )
}
