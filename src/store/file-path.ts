import { fileURLToPath } from 'node:url'

/** The path of a database's `file:` address, without decoding. */
export function filePath(url: string): string {
  const [path = ''] = url.slice('file:'.length).split('?')
  return path.startsWith('//') ? fileURLToPath(url) : path
}
