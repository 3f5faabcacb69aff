import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { root } from './root.ts'

/** A file below `static` that anybody may fetch. */
export interface Asset {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  /** Another one for other bytes. */
  version: string
}

export const ASSETS_PATH = '/assets'

/** Only what has a type here is handed out: the sources that lie beside it are nobody's business. */
const TYPES: Readonly<Record<string, string>> = {
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

/** The file of a path below `static`, or null. It is found in the list of what is there: no path leads out. */
export function findAsset(path: string): Asset | null {
  names ??= new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  )
  const type = TYPES[extname(path)]
  if (!type || !names.has(path)) return null
  let asset = read.get(path)
  if (!asset) {
    const bytes = new Uint8Array(readFileSync(join(folder, path)))
    read.set(path, (asset = { bytes, type, version: Bun.hash(bytes).toString(36) }))
  }
  return asset
}

/** The address of a file below `static`, another one whenever its bytes are others. */
export function assetUrl(base_url: string, path: string): string {
  const asset = findAsset(path)
  if (!asset) throw new Error(`There is no static file ${path}.`)
  return `${base_url}${ASSETS_PATH}/${path}?v=${asset.version}`
}
