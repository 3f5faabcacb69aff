import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { ASSETS_PATH, type Asset, MEDIA_TYPES } from './assets.ts'
import { root } from './root.ts'

/**
 * The manifest of the web application's files, which `bin/build-app.ts` writes. Each file name carries a hash of the
 * content.
 */
export interface AppManifest {
  /** Hash of the sources. It changes with every change of the application. */
  made_from: string
  /** The script that a page starts with, and the files that it imports. */
  script: string
  first: string[]
  /** Style sheets by name; `app` is on every page. */
  styles: Record<string, string>
  /** The files of each page beyond the first ones, by the path of its source below `static/app`, without its ending. */
  preload: Record<string, string[]>
}

const folder = Bun.isStandaloneExecutable ? join(root, 'app') : join(root, 'build/app')

let manifest: AppManifest | undefined
const files = new Map<string, Asset>()

/** The files of the web application. Throws when it was not built. */
export function appManifest(): AppManifest {
  manifest ??= JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as AppManifest
  return manifest
}

/** A file of the web application by its name, or null. Only listed files are found. */
export function findAppFile(name: string): Asset | null {
  if (files.size === 0) for (const listed of readdirSync(folder)) addFile(listed)
  return files.get(name) ?? null
}

/** The executable carries text compressed by Brotli, under names that end with `.br`. */
function addFile(listed: string): void {
  const name = listed.replace(/\.br$/, '')
  const type = MEDIA_TYPES[extname(name)]
  if (!type) return
  const read = new Uint8Array(readFileSync(join(folder, listed)))
  const br = name === listed ? undefined : read
  const bytes = br ? new Uint8Array(brotliDecompressSync(br)) : read
  files.set(name, { bytes, br, type, version: Bun.hash(bytes).toString(36) })
}

/** The path of a file of the web application. Its content never changes. */
export function appFilePath(name: string): string {
  return `${ASSETS_PATH}/app/${name}`
}
