import { fileURLToPath } from 'node:url'

/** The path in a `file:` address of a database, as it stands there. */
export function filePath(url: string): string {
  const [path = ''] = url.slice('file:'.length).split('?')
  return path.startsWith('//') ? fileURLToPath(url) : path
}
