import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * What may import what, from the top down. A line may use every line below it. Names parted by a comma may
 * also use each other, as long as that makes no circle between folders; names parted by a bar may not.
 */
const LAYERS = layers(`
  main
  cli
  service
  threads
  worker
  http | loops
  newsletter, oauth, developer, projects, sites, scripts, accounts, maintenance
  mail, operation
  access
  runtime
  instance
  store
  i18n
  config, errors, ids, secrets, schema, pointer, canonical-json, cache, log, metrics, clock, root, assets, public-fetch
`)

const NEWSLETTER_LAYERS = layers(`
  operations | workers
  overview | schema-get
  imports
  campaigns, templates
  contacts, consent, segments, lists, suppressions, outbox, connections, tracking, jobs
  email
  names, campaigns-using
`)

/** What may stand in some places only. */
const RESERVED: { what: RegExp; only: RegExp; because: string }[] = [
  { what: /'(elysia|@elysiajs\/[^']*)'/, only: /^http\//, because: 'Elysia stays at the rim' },
  { what: /\bDate\.now\b|\bnew Date(\(\s*\)|(?![\w(]))/, only: /^clock\.ts$/, because: 'time is passed in' },
  {
    what: /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/,
    only: /^config\.ts$/,
    because: 'settings have one table',
  },
  { what: /\bconsole\./, only: /^(main\.ts|cli\/)/, because: 'the service writes to its log' },
  { what: /\bMath\.random\b/, only: /^$/, because: "randomness is crypto's" },
  {
    what: /\b(UPDATE|INSERT INTO|DELETE FROM) deliveries\b|\.(update|insert|delete)\(deliveries\)/,
    only: /^newsletter\/outbox\/(outbox|enqueue)\.ts$/,
    because: 'deliveries change through the verbs of the outbox',
  },
  { what: /json_each\(\$\{JSON\.stringify/, only: /^$/, because: 'JSON for SQLite is jsonText' },
  {
    what: /INSERT INTO contacts\b|\b(insert|update)\(contacts\)|UPDATE contacts SET (email|first_name|last_name|search_key)/,
    only: /^newsletter\/contacts\/save\.ts$/,
    because: 'contacts and their profiles are written by saveContacts',
  },
]

const FILES = sources(join(import.meta.dir, '../src'))

test('every file has its place in the layers', () => {
  expect(homeless(FILES)).toEqual([])
})

test('imports point down only', () => {
  expect(upward(FILES)).toEqual([])
})

test('no circle of imports', () => {
  expect(circle(importGraph(FILES))).toBeNull()
  expect(circle(folderGraph(FILES))).toBeNull()
})

test('reserved words stay in their place', () => {
  expect(trespasses(FILES)).toEqual([])
})

test('the rules notice what they are for', () => {
  const bad = new Map([
    ['errors.ts', 'export const at = new Date()'],
    [
      'store/open.ts',
      `import type { App } from '../http/app.ts'\n// Date.now() in a comment is no matter\nconst port = process.env.PORT`,
    ],
    ['http/app.ts', `import { Elysia } from 'elysia'\nexport * from '../loops.ts'`],
    ['loops.ts', `const { t } = await import('elysia')\nconst since = new Date(0)`],
    ['sites/pages.ts', `import {\n  inject,\n} from '../scripts/inject.ts'`],
    ['scripts/inject.ts', `import '../sites/pages.ts'`],
    ['newsletter/email/render.ts', `import { move } from '../campaigns/states.ts'`],
    ['newsletter/campaigns/states.ts', ''],
    ['newsletter/imports/job.ts', 'await tx.run(sql`INSERT INTO contacts (email) VALUES (1)`)'],
    ['newsletter/misc.ts', ''],
    [
      'util/text.ts',
      "await tx.run(sql`UPDATE deliveries SET status = 'sent'`)\nawait tx.update(deliveries).set({ status })",
    ],
  ])
  expect(homeless(bad)).toEqual(['newsletter/misc.ts', 'util/text.ts'])
  expect(upward(bad)).toEqual([
    'store/open.ts → http/app.ts',
    'http/app.ts → loops.ts',
    'newsletter/email/render.ts → newsletter/campaigns/states.ts',
  ])
  expect(circle(importGraph(bad))).toEqual(['sites/pages.ts', 'scripts/inject.ts', 'sites/pages.ts'])
  expect(circle(folderGraph(bad))).toEqual(['sites', 'scripts', 'sites'])
  expect(trespasses(bad)).toEqual([
    'errors.ts:1: time is passed in',
    'store/open.ts:3: settings have one table',
    'loops.ts:1: Elysia stays at the rim',
    'newsletter/imports/job.ts:1: contacts and their profiles are written by saveContacts',
    'util/text.ts:1: deliveries change through the verbs of the outbox',
    'util/text.ts:2: deliveries change through the verbs of the outbox',
  ])
})

/** Paths below `src` and their text. */
type Sources = Map<string, string>
type Graph = Map<string, string[]>
interface Place {
  line: number
  mayUseNeighbours: boolean
}

function layers(drawing: string): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const [line, text] of drawing.trim().split('\n').entries()) {
    for (const name of text.split(/[,|]/)) places.set(name.trim(), { line, mayUseNeighbours: text.includes(',') })
  }
  return places
}

function sources(folder: string): Sources {
  const paths = [...new Bun.Glob('**/*.ts').scanSync(folder)].toSorted()
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** The name that the layers know a file by: its first folder, or its own name without the ending. */
function unit(path: string): string {
  return path.split('/')[0]!.replace(/\.ts$/, '')
}

function withinNewsletter(path: string): string | undefined {
  return unit(path) === 'newsletter' ? unit(path.slice('newsletter/'.length)) : undefined
}

function homeless(files: Sources): string[] {
  return [...files.keys()].filter((path) => {
    const part = withinNewsletter(path)
    return !LAYERS.has(unit(path)) || (part !== undefined && !NEWSLETTER_LAYERS.has(part))
  })
}

function upward(files: Sources): string[] {
  return edges(importGraph(files))
    .filter(([from, to]) => {
      const [fromPart, toPart] = [withinNewsletter(from), withinNewsletter(to)]
      if (fromPart !== undefined && toPart !== undefined) return !allowed(NEWSLETTER_LAYERS, fromPart, toPart)
      return !allowed(LAYERS, unit(from), unit(to))
    })
    .map(([from, to]) => `${from} → ${to}`)
}

function allowed(places: Map<string, Place>, from: string, to: string): boolean {
  const [above, below] = [places.get(from), places.get(to)]
  if (from === to || !above || !below) return true
  return above.line < below.line || (above.line === below.line && above.mayUseNeighbours)
}

function trespasses(files: Sources): string[] {
  const found: string[] = []
  for (const [path, source] of files) {
    for (const [index, line] of source.split('\n').entries()) {
      const code = line.replace(/^\s*(\/\/|\/?\*).*|\s\/\/ .*/, '')
      for (const { what, only, because } of RESERVED) {
        if (what.test(code) && !only.test(path)) found.push(`${path}:${index + 1}: ${because}`)
      }
    }
  }
  return found
}

/** Files and the files they import, type-only imports included. */
function importGraph(files: Sources): Graph {
  return new Map([...files].map(([path, source]) => [path, imported(path, source)]))
}

const STATIC_IMPORT = /^\s*(?:import|export)\s(?:[\w\s{},*$]*from\s*)?'(\.[^']+)'/gm
const DYNAMIC_IMPORT = /\bimport\(\s*'(\.[^']+)'/g

function imported(path: string, source: string): string[] {
  const specifiers = [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => match[1]!),
  )
  return [...new Set(specifiers.map((specifier) => join(dirname(path), specifier)))].filter(
    (target) => !target.startsWith('..'),
  )
}

/** As `importGraph`, between the names of the layers. */
function folderGraph(files: Sources): Graph {
  const graph: Graph = new Map()
  for (const [from, to] of edges(importGraph(files))) {
    if (unit(from) !== unit(to)) graph.set(unit(from), [...(graph.get(unit(from)) ?? []), unit(to)])
  }
  return graph
}

function edges(graph: Graph): [string, string][] {
  return [...graph].flatMap(([from, targets]) => targets.map((to): [string, string] => [from, to]))
}

/** The first circle found, its first member repeated at the end, or null. */
function circle(graph: Graph): string[] | null {
  const done = new Set<string>()
  const search = (node: string, trail: string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const found = search(next, [...trail, node])
      if (found) return found
    }
    done.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const found = search(node, [])
    if (found) return found
  }
  return null
}
