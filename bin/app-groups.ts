import { join } from 'node:path'
import type { BunPlugin } from 'bun'

/**
 * Which sources of the web application are bundled into one file. The bundler makes a file for each set of pages that
 * share a source, most of them of a few hundred bytes, and a page would load forty. Small ones are joined here with
 * others that nearly the same pages load.
 */

export type Metafile = NonNullable<Awaited<ReturnType<typeof Bun.build>>['metafile']>
type Outputs = Map<string, Metafile['outputs'][string]>

/** Sources that become one file, and the entries that load it. */
interface Group {
  sources: string[]
  entries: Set<string>
  bytes: number
}

/** A page rather loads this much more, before compression, than a further file. */
const BYTES_PER_FILE = 16_000

/** The files of a build by name. */
export function outputsByName({ outputs }: Metafile): Outputs {
  return new Map(Object.entries(outputs).map(([path, output]) => [fileName(path), output]))
}

/** The files that a file imports statically, and those that these import. */
export function importsOf(name: string, outputs: Outputs, found = new Set<string>()): Set<string> {
  for (const { path, kind } of outputs.get(name)?.imports ?? []) {
    const imported = fileName(path)
    if (kind !== 'import-statement' || found.has(imported) || !outputs.has(imported)) continue
    found.add(imported)
    importsOf(imported, outputs, found)
  }
  return found
}

/**
 * Joins the shared files of a build into groups: those that the script of every page loads, then others where fewer
 * files are worth more than the bytes that some pages load in vain.
 * @param main the source that every page begins with
 */
export function groupSources(metafile: Metafile, root: string, main: string): Group[] {
  const outputs = outputsByName(metafile)
  const entries = [...outputs].filter(([, { entryPoint }]) => entryPoint !== undefined)
  const all = new Set(entries.map(([, { entryPoint }]) => join(root, entryPoint!)))
  const first: Group = { sources: [], entries: all, bytes: 0 }
  const shared = new Map<string, Group>()
  const mainFile = entries.find(([, { entryPoint }]) => join(root, entryPoint!) === main)![0]
  const loadedFirst = importsOf(mainFile, outputs)
  for (const [name, { entryPoint }] of entries)
    for (const file of importsOf(name, outputs)) {
      const { inputs, bytes, entryPoint: own } = outputs.get(file)!
      // Libraries come with the sources that import them.
      const sources = Object.keys(inputs).filter((path) => !path.startsWith('node_modules/'))
      if (own !== undefined || sources.length === 0) continue
      const group = shared.get(file) ?? { sources: sources.map((path) => join(root, path)), entries: new Set(), bytes }
      group.entries.add(join(root, entryPoint!))
      shared.set(file, group)
    }
  const others: Group[] = []
  for (const [file, group] of shared)
    if (loadedFirst.has(file)) addTo(first, group)
    else others.push(group)
  return joinGaining([first, ...others])
}

/** Joins the two groups that gain most, until none gain. */
function joinGaining(groups: Group[]): Group[] {
  for (;;) {
    let best: { gain: number; into: Group; from: Group } | null = null
    for (const [at, into] of groups.entries())
      for (const from of groups.slice(at + 1)) {
        const gain = gainOf(into, from)
        if (gain > (best?.gain ?? 0)) best = { gain, into, from }
      }
    if (!best) return groups
    addTo(best.into, best.from)
    groups.splice(groups.indexOf(best.from), 1)
  }
}

/** The bytes that all pages save together when two groups are one file. */
function gainOf(one: Group, other: Group): number {
  const with_both = one.entries.intersection(other.entries).size
  const more = (other.entries.size - with_both) * one.bytes + (one.entries.size - with_both) * other.bytes
  return with_both * BYTES_PER_FILE - more
}

function addTo(into: Group, group: Group): void {
  into.sources.push(...group.sources)
  into.entries = into.entries.union(group.entries)
  into.bytes += group.bytes
}

/** Makes each entry of a group import all of its sources, so that the same entries share them. */
export function groupingPlugin(groups: readonly Group[]): BunPlugin {
  const names = new Map(groups.map((group, at) => [`group-${at}`, group]))
  return {
    name: 'groups',
    setup(build) {
      build.onResolve({ filter: /^group-\d+$/ }, ({ path }) => ({ path, namespace: 'groups' }))
      build.onLoad({ filter: /.*/, namespace: 'groups' }, ({ path }) => ({
        loader: 'js',
        contents: names.get(path)!.sources.map(importing).join(''),
      }))
      build.onLoad({ filter: /static[\\/]app[\\/].*\.tsx?$/ }, async ({ path }) => {
        const own = [...names].filter(([, { entries, sources }]) => entries.has(path) && !sources.includes(path))
        const text = await Bun.file(path).text()
        return {
          loader: path.endsWith('x') ? 'tsx' : 'ts',
          contents: own.map(([name]) => importing(name)).join('') + text,
        }
      })
    },
  }
}

function importing(name: string): string {
  return `import ${JSON.stringify(name)}\n`
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
