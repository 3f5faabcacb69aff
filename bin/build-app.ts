/**
 * Bundles the web application, `static/app` and `src/shared`, into `build/app`: one file each for the first load, for
 * each page and for each style sheet, with a hash of the content in its name, and `manifest.json` that names them.
 * Makes the scripts of other pages as well. What is as new as its sources is left alone.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import type { AppManifest } from '../src/app-files.ts'
import { browserScriptsExist, browserScriptSources, buildBrowserScripts } from './browser-scripts.ts'
import { groupingPlugin, groupSources, importsOf, type Metafile, outputsByName } from './app-groups.ts'

const root = join(import.meta.dir, '..')
const sources = join(root, 'static/app')
const shared = join(root, 'src/shared')
const folder = join(root, 'build/app')

/** Style sheets beside `app.css`. A page that names one loads it with its code. */
const STYLES = ['letter', 'code']

const OPTIONS = {
  root: sources,
  target: 'browser',
  format: 'esm',
  splitting: true,
  // The document names the files of its page. A list of all pages' files would be a sixth of the first script.
  modulePreload: false,
  minify: true,
  metafile: true,
  publicPath: '/assets/app/',
  naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
  define: { 'process.env.NODE_ENV': '"production"' },
} as const

/**
 * Chromium compiles a file that begins so while it arrives and beside the main thread (V8's explicit compile hints).
 * Otherwise it reads each function twice: when the file has come, and when the function is first called. The files of
 * pages have it, libraries that come later do not: much of them is never called.
 */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad\n'

/** What the bundle is made from, as one hash: the sources, and the libraries' versions. */
function sourcesHash(): string {
  const hash = new Bun.CryptoHasher('sha256')
  const files = [sources, shared]
    .flatMap((from) => readdirSync(from, { recursive: true, encoding: 'utf8', withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts')) // types leave no code
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of [
    ...files.sort(),
    ...browserScriptSources(),
    join(root, 'bun.lock'),
    import.meta.path,
    join(import.meta.dir, 'app-groups.ts'),
    join(import.meta.dir, 'browser-scripts.ts'),
  ])
    hash.update(relative(root, file)).update(readFileSync(file))
  return hash.digest('hex')
}

/** Builds what is missing or older than its sources. Throws with the bundler's messages when the sources are faulty. */
export async function buildApp(): Promise<void> {
  const made_from = sourcesHash()
  if (readMadeFrom() === made_from && browserScriptsExist()) return
  await buildBrowserScripts()
  mkdirSync(join(root, 'build'), { recursive: true })
  const made = mkdtempSync(join(root, 'build/new-'))
  try {
    const main = join(sources, 'main.tsx')
    // The first build tells which pages share what.
    const apart = await Bun.build({ ...OPTIONS, entrypoints: [main] })
    const result = await Bun.build({
      ...OPTIONS,
      entrypoints: [main, join(sources, 'app.css'), ...STYLES.map(styleSource)],
      outdir: made,
      plugins: [groupingPlugin(groupSources(apart.metafile!, root, main))],
    })
    const manifest = readManifest(result.metafile!, made_from)
    const { script, first, preload } = manifest
    for (const name of new Set([script, ...first, ...Object.values(preload).flat()])) {
      const file = join(made, name)
      writeFileSync(file, COMPILE_AT_ONCE + readFileSync(file, 'utf8'))
    }
    writeFileSync(join(made, 'manifest.json'), JSON.stringify(manifest))
    rmSync(folder, { recursive: true, force: true })
    try {
      renameSync(made, folder)
    } catch (error) {
      // Another process may have built the same meanwhile; what it built stays.
      if (readMadeFrom() !== made_from) throw error
    }
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

function styleSource(name: string): string {
  return join(sources, name, `${name}.css`)
}

function readMadeFrom(): string | null {
  try {
    return (JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as AppManifest).made_from
  } catch {
    return null
  }
}

/** Reads from the bundler's report which file belongs to which source. */
function readManifest(metafile: Metafile, made_from: string): AppManifest {
  const byName = outputsByName(metafile)
  const ofSource = new Map<string, string>()
  for (const [name, { entryPoint }] of byName) {
    if (entryPoint === undefined) continue
    const source = relative(sources, join(root, entryPoint))
    ofSource.set(source.startsWith('..') ? relative(sources, entryPoint) : source, name)
  }
  const named = (source: string): string => {
    const name = ofSource.get(source)
    if (name === undefined) throw new Error(`The bundle has no file for static/app/${source}.`)
    return name
  }
  const preload: Record<string, string[]> = {}
  const main = named('main.tsx')
  const loadedFirst = new Set([main, ...importsOf(main, byName)])
  for (const [source, name] of ofSource) {
    if (!source.endsWith('.tsx') || source === 'main.tsx') continue
    preload[source.replace(/\.tsx$/, '')] = [name, ...importsOf(name, byName)].filter((file) => !loadedFirst.has(file))
  }
  return {
    made_from,
    script: main,
    first: [...importsOf(main, byName)],
    styles: Object.fromEntries([['app', named('app.css')], ...STYLES.map((s) => [s, named(`${s}/${s}.css`)])]),
    preload,
  }
}

if (import.meta.main) {
  await buildApp().catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
}
