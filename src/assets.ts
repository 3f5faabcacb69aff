import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { root } from './root.ts'

/** A public file below `static`. */
export interface Asset {
  bytes: Uint8Array<ArrayBuffer>
  /** Compressed by Brotli, where it was when the program was built. */
  br?: Uint8Array<ArrayBuffer> | undefined
  type: string
  /** Hash of the content. */
  version: string
}

export const ASSETS_PATH = '/assets'

/** Only files of these types are served, so the sources beside them are not. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const folder = join(root, 'static')
let names: ReadonlySet<string> | undefined
const read = new Map<string, Asset>()

/** The file of a path below `static`, or null. Only listed files are found, so no path leads out of the folder. */
export function findAsset(path: string): Asset | null {
  names ??= new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  )
  const type = MEDIA_TYPES[extname(path)]
  // The sources of the web application lie there, too; what is served of it is in src/app-files.ts.
  if (!type || path.startsWith('app/') || !names.has(path)) return null
  let asset = read.get(path)
  if (!asset) {
    const bytes = new Uint8Array(readFileSync(join(folder, path)))
    read.set(path, (asset = { bytes, type, version: Bun.hash(bytes).toString(36) }))
  }
  return asset
}

/** The address of a file below `static`. It changes with the content, so that it can be cached forever. */
export function assetUrl(base_url: string, path: string): string {
  const asset = findAsset(path)
  if (!asset) throw new Error(`There is no static file ${path}.`)
  return `${base_url}${ASSETS_PATH}/${path}?v=${asset.version}`
}
