import { closeSync, fsyncSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a database's `file:` address, without decoding. */
export function filePath(url: string): string {
  const [path = ''] = url.slice('file:'.length).split('?')
  return path.startsWith('//') ? fileURLToPath(url) : path
}

/** Waits until a file is on the disk, or the names in a folder are. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
