import { iso } from '../clock.ts'

/** Names of backups and of the records beside them. Nothing else in their place is listed or removed. */

const NAME = /^masthead-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.db(?:\.age)?$/

const ENCRYPTED = '.age'

export function backupName(at: number, is_encrypted: boolean): string {
  return `masthead-${iso(at).replace(/[-:]|\.\d+/g, '')}.db${is_encrypted ? ENCRYPTED : ''}`
}

export function isEncrypted(name: string): boolean {
  return name.endsWith(ENCRYPTED)
}

/** When the backup of a name was made, in milliseconds; null for the name of something else. */
export function timeOfName(name: string): number | null {
  const found = NAME.exec(name)
  if (!found) return null
  const [, year, month, day, hour, minute, second] = found
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** The name of the record of a backup: its checksum and the time when it was proven. */
export function recordName(name: string): string {
  return `${name}.json`
}
