import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONTACT_FIELD_NAMES } from '../src/shared/contact-fields.ts'

/**
 * The layers, from the top down. A line may import every line below it. Names separated by a comma may
 * import each other without a cycle between folders; names separated by a bar may not.
 */
const LAYERS = layers(`
  main
  cli
  service
  threads/start, threads/answering
  threads/worker
  threads/loop-thread | threads/reading-thread | threads/answering-thread
  threads/tasks | http | loops
  threads/messages, threads/answering-messages
  newsletter, oauth, developer, projects, sites, files, scripts, accounts, deletion, maintenance
  mail, operation
  backup
  access | disk | database-check | facts-heartbeat
  audit
  runtime
  instance, threads/thread-store, threads/delegated-tasks
  key-file | threads/heavy | threads/writers | threads/questions
  store
  i18n
  app-files
  scheduled-time, event-loop-lag
  config, errors, ids, secrets, schema, pointer, canonical-json, cache, log, metrics, clock, root, assets, base-url
  public-fetch
  settings
  address, build, did-you-mean, heap, normal-form, one-line, plain-name, setting-kinds, share, shared-claims
  once, shared-counts, shared-work, turns
  shared
`)

const NEWSLETTER_LAYERS = layers(`
  openapi
  operations | workers
  overview | schema-get | restore
  imports
  campaigns, templates
  contacts, consent, segments, lists, suppressions, outbox, connections, tracking, jobs
  email
  names, campaigns-using, facts, wording
`)

/** Columns of a contact's profile. */
const PROFILE = ['email', ...CONTACT_FIELD_NAMES, 'search_key'].join('|')

/** As `LAYERS`, for the web application. */
const APP_LAYERS = layers(`
  main
  shell
  loaders | pages
  site
  account | developer | operator | letter | import
  app-review
  code | rules
  attention | confirm-identity | job | later | permissions
  page-props | page-subject | passkey-address | relay-words | theme
  ui
  api
`)

/** What may stand in some layers only. */
const RESERVED: { what: RegExp; only: RegExp; because: string }[] = [
  { what: /'(elysia|@elysiajs\/[^']*)'/, only: /^http\//, because: 'only the HTTP adapter uses Elysia' },
  { what: /\bDate\.now\b|\bnew Date(\(\s*\)|(?![\w(]))/, only: /^clock\.ts$/, because: 'time is passed in' },
  {
    what: /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/,
    only: /^config\.ts$/,
    because: 'settings are read in one place',
  },
  { what: /\bconsole\./, only: /^(main\.ts|cli\/)/, because: 'the service writes to its log' },
  { what: /\.normalize\(/, only: /^normal-form\.ts$/, because: 'the runtime sorts marks in quadratic time' },
  { what: /\bMath\.random\b/, only: /^$/, because: 'randomness comes from node:crypto' },
  {
    what: /\b(UPDATE|INSERT INTO|DELETE FROM) deliveries\b|\.(update|insert|delete)\(deliveries\)/,
    only: /^(newsletter\/outbox\/(outbox|enqueue)|store\/migrations\/join-(contacts|suppressions))\.ts$/,
    because: 'deliveries change through the verbs of the outbox',
  },
  {
    what: /\bunaudited\(/,
    only: /^(audit\/record|access\/session|developer\/request-log|http\/core\/client-endpoint)\.ts$/,
    because: 'a change leaves a row in the audit log',
  },
  {
    what: /\bopenStore\(/,
    only: /^(store\/open|service|threads\/thread-store|cli\/open)\.ts$/,
    because: 'requests, loops and commands write through a store with an audit log',
  },
  { what: /json_each\(\$\{JSON\.stringify/, only: /^$/, because: 'JSON for SQLite is jsonText' },
  {
    what: new RegExp(`INSERT INTO contacts\\b|\\b(insert|update)\\(contacts\\)|UPDATE contacts SET (${PROFILE}|\\$)`),
    only: /^(newsletter\/contacts\/save|store\/migrations\/join-contacts)\.ts$/,
    because: 'contacts and their profiles are written by saveContacts',
  },
  {
    what: /DELETE FROM contacts\b|\bdelete\(contacts\)/,
    only: /^(newsletter\/contacts\/edit-contacts|store\/migrations\/join-contacts)\.ts$/,
    because: 'deleteContacts keeps what forbids to write to them',
  },
]

const ROOT = join(import.meta.dir, '..')
const FILES = sources(join(ROOT, 'src'))
const APP_FILES = sources(join(ROOT, 'static/app'))

/** What the server reads of the application: its pages, side bar, icons and colors, and the types of its calls. */
const READ_BY_SERVER =
  /^static\/app\/(pages\.ts|shell\/navigation\.ts|api\/operations\.d\.ts|ui\/(icon-paths\.ts|tokens\.css))$/

test('Every file belongs to a layer.', () => {
  expect(withoutLayer(FILES)).toEqual([])
  expect([...APP_FILES.keys()].filter((path) => !APP_LAYERS.has(unit(path)))).toEqual([])
})

test('Every import points to a lower layer.', () => {
  expect(upward(FILES)).toEqual([])
  expect(upward(APP_FILES, APP_LAYERS)).toEqual([])
})

test('No imports form a cycle.', () => {
  for (const files of [FILES, APP_FILES]) {
    expect(circle(importGraph(files))).toBeNull()
    expect(circle(folderGraph(files))).toBeNull()
  }
})

test('The application imports from src/shared only, and src/shared imports nothing else.', () => {
  expect(outward(APP_FILES, 'static/app').filter(([, to]) => !to.startsWith('src/shared/'))).toEqual([])
  expect(outward(FILES, 'src').filter(([, to]) => to.startsWith('static/') && !READ_BY_SERVER.test(to))).toEqual([])
  const shared = sources(join(ROOT, 'src/shared'))
  expect([...shared].filter(([, source]) => / from '[^.]/.test(source)).map(([path]) => path)).toEqual([])
  const bad = new Map([['shell/place.ts', "import type { Role } from '../../../src/store/tables/accounts.ts'"]])
  expect(outward(bad, 'static/app')).toEqual([['static/app/shell/place.ts', 'src/store/tables/accounts.ts']])
})

test('Reserved code stands only where it is allowed.', () => {
  expect(misplaced(FILES)).toEqual([])
})

test('No code of a write waits for another thread or for a turn.', () => {
  expect(waitsInWrites(FILES)).toEqual([])
  const bad = new Map([
    ['sites/pages.ts', 'async function keep(tx: Tx, page: Page) {\n  await tx.run(page)\n  await setImmediate()\n}'],
    ['scripts/embed.ts', 'await store.write(async (tx) => {\n  await store.heavyTask(task, await tx.all(rows))\n})'],
    ['loops.ts', 'const due = (tx: Tx) => tx.all(rows)\nawait Bun.sleep(10)'],
  ])
  expect(waitsInWrites(bad)).toEqual(['sites/pages.ts:3', 'scripts/embed.ts:2'])
})

test('Each rule detects what it forbids.', () => {
  const bad = new Map([
    ['errors.ts', 'export const at = new Date()'],
    [
      'store/open.ts',
      `import type { App } from '../http/app.ts'\n// Date.now() in a comment\nconst port = process.env.PORT`,
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
  expect(withoutLayer(bad)).toEqual(['newsletter/misc.ts', 'util/text.ts'])
  expect(upward(bad)).toEqual([
    'store/open.ts → http/app.ts',
    'http/app.ts → loops.ts',
    'newsletter/email/render.ts → newsletter/campaigns/states.ts',
  ])
  expect(upward(new Map([['ui/table.tsx', `import { link } from '../shell/place.ts'`]]), APP_LAYERS)).toEqual([
    'ui/table.tsx → shell/place.ts',
  ])
  expect(circle(importGraph(bad))).toEqual(['sites/pages.ts', 'scripts/inject.ts', 'sites/pages.ts'])
  expect(circle(folderGraph(bad))).toEqual(['sites', 'scripts', 'sites'])
  expect(misplaced(bad)).toEqual([
    'errors.ts:1: time is passed in',
    'store/open.ts:3: settings are read in one place',
    'loops.ts:1: only the HTTP adapter uses Elysia',
    'newsletter/imports/job.ts:1: contacts and their profiles are written by saveContacts',
    'util/text.ts:1: deliveries change through the verbs of the outbox',
    'util/text.ts:2: deliveries change through the verbs of the outbox',
  ])
})

/** Paths below `src` and their text. */
type Sources = Map<string, string>
type Graph = Map<string, string[]>
interface Layer {
  line: number
  mayUseNeighbors: boolean
}

function layers(drawing: string): Map<string, Layer> {
  const byName = new Map<string, Layer>()
  for (const [line, text] of drawing.trim().split('\n').entries()) {
    for (const name of text.split(/[,|]/)) byName.set(name.trim(), { line, mayUseNeighbors: text.includes(',') })
  }
  return byName
}

function sources(folder: string): Sources {
  const paths = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(folder)].toSorted()
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** The name of a file in the layers: its first folder, or its own path without the extension. */
function unit(path: string): string {
  const [first = '', second] = path.split('/')
  return (first === 'threads' ? `${first}/${second}` : first).replace(/\.tsx?$/, '')
}

function withinNewsletter(path: string): string | undefined {
  return unit(path) === 'newsletter' ? unit(path.slice('newsletter/'.length)) : undefined
}

function withoutLayer(files: Sources): string[] {
  return [...files.keys()].filter((path) => {
    const part = withinNewsletter(path)
    return !LAYERS.has(unit(path)) || (part !== undefined && !NEWSLETTER_LAYERS.has(part))
  })
}

function upward(files: Sources, known = LAYERS): string[] {
  return edges(importGraph(files))
    .filter(([from, to]) => {
      const [fromPart, toPart] = [withinNewsletter(from), withinNewsletter(to)]
      if (fromPart !== undefined && toPart !== undefined) return !allowed(NEWSLETTER_LAYERS, fromPart, toPart)
      return !allowed(known, unit(from), unit(to))
    })
    .map(([from, to]) => `${from} → ${to}`)
}

function allowed(known: Map<string, Layer>, from: string, to: string): boolean {
  const [above, below] = [known.get(from), known.get(to)]
  if (from === to || !above || !below) return true
  return above.line < below.line || (above.line === below.line && above.mayUseNeighbors)
}

function misplaced(files: Sources): string[] {
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

/** Up to the body of a function that has a transaction. */
const HAS_TX = /\(tx(?:: Tx[^()]*)?\)\s*=>\s*|\bfunction \w+(?:<[^()]*>)?\(\s*tx: Tx\b[^]*?(?=\{\n)/g
const WAITS = /\b(?:setImmediate|setTimeout|sleep|heavy|heavyTask)\(/g

/** Calls that wait, in the text of functions that have a transaction. */
function waitsInWrites(files: Sources): string[] {
  return [...files].flatMap(([path, source]) => {
    const bodies = [...source.matchAll(HAS_TX)].map((match) => bodyAt(source, match.index + match[0].length))
    return [...source.matchAll(WAITS)]
      .filter(({ index }) => bodies.some(({ from, to }) => from <= index && index < to))
      .map(({ index }) => `${path}:${source.slice(0, index).split('\n').length}`)
  })
}

/** A body in braces, or an expression up to the end of its line. */
function bodyAt(source: string, from: number): { from: number; to: number } {
  if (source[from] !== '{') return { from, to: Math.max(from, source.indexOf('\n', from)) }
  let depth = 0
  for (let to = from; to < source.length; to++) {
    if (source[to] === '{') depth += 1
    if (source[to] === '}' && --depth === 0) return { from, to }
  }
  return { from, to: source.length }
}

/** Files and the files they import, type-only imports included. */
function importGraph(files: Sources): Graph {
  return new Map([...files].map(([path, source]) => [path, imported(path, source)]))
}

const STATIC_IMPORT = /^\s*(?:import|export)\s(?:[\w\s{},*$]*from\s*)?'(\.[^']+)'/gm
const DYNAMIC_IMPORT = /\bimport\(\s*'(\.[^']+)'/g

/** The files of the same folder tree that a file imports. */
function imported(path: string, source: string): string[] {
  return targets(path, source).filter((target) => !target.startsWith('..'))
}

/** Every file that a file imports. */
function targets(path: string, source: string): string[] {
  const specifiers = [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => match[1]!),
  )
  return [...new Set(specifiers.map((specifier) => join(dirname(path), specifier)))]
}

/** The imports that leave the folder of the files, as paths below the root of the repository. */
function outward(files: Sources, folder: string): [string, string][] {
  return [...files].flatMap(([path, source]) => {
    const from = `${folder}/${path}`
    return targets(from, source)
      .filter((to) => !to.startsWith(`${folder}/`))
      .map((to): [string, string] => [from, to])
  })
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
