/** What an executable is made of, as a CycloneDX 1.6 document: our code, the npm packages in it, and Bun. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { BROWSER_SCRIPTS } from './browser-scripts.ts'
import type { Platform } from './runtimes.ts'

const root = join(import.meta.dir, '..')

interface Made {
  version: string
  /** Of the commit, in milliseconds. */
  at: number
  platform: Platform
  /** Of the executable. */
  sha256: string
}

/** A package in a `bun.lock`: its name with version, where it came from, what it needs, its checksum. */
type Locked = [string, string, { dependencies?: Record<string, string> }, string]

interface Component {
  type: 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
  hashes: { alg: 'SHA-512'; content: string }[]
  licenses?: { expression: string }[]
}

export async function billOfMaterials({ version, at, platform, sha256 }: Made) {
  const packages = readLock('bun.lock')
  const runtimes = readLock('bin/packaging/runtimes/bun.lock')
  const used = new Map<string, string[]>()
  const first = shippedPackages().map((name) => use(name, '', packages, used))
  const own = [platform.bun, platform.native_module]
  const all = [
    ...[...used.keys()].map((key) => component(packages[key]!, licenseOf(key))),
    component(runtimes[platform.native_module]!, 'MIT'),
    component(runtimes[platform.bun]!, 'MIT'),
  ]
  // One version of a package may be there for several others.
  const components = [...new Map(all.map((one) => [one['bom-ref'], one])).values()]
  components.sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1))
  const refOf = (key: string) => purlOf(packages[key]![0])
  const ref = `pkg:generic/masthead@${version}?platform=${platform.name}`
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(sha256)}`,
    version: 1,
    metadata: {
      timestamp: new Date(at).toISOString(),
      component: {
        type: 'application',
        'bom-ref': ref,
        name: 'masthead',
        version,
        purl: ref,
        licenses: [{ expression: manifest.license }],
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      },
    },
    components,
    dependencies: [
      { ref, dependsOn: [...first.map(refOf), ...own.map((name) => purlOf(runtimes[name]![0]))].sort() },
      ...[...new Map([...used].map(([key, needs]) => [refOf(key), needs]))].map(([needing, needs]) => ({
        ref: needing,
        dependsOn: needs.map(refOf).sort(),
      })),
    ],
  }
}

/** The packages that our code imports where it runs, and those bundled into scripts of pages. */
function shippedPackages(): string[] {
  const imported = BROWSER_SCRIPTS.flatMap((source) =>
    new Bun.Transpiler({ loader: 'ts' }).scanImports(readFileSync(join(root, 'static', source), 'utf8')),
  ).map(({ path }) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'))
  const packages = { ...manifest.dependencies, ...manifest.devDependencies }
  return [...new Set([...Object.keys(manifest.dependencies), ...imported.filter((name) => name in packages)])]
}

/**
 * Marks a package and all that it needs as used, and answers its key in the lock file. A key is a path, as in
 * node_modules: `a/b` is the b that only a needs.
 */
function use(name: string, from: string, packages: Record<string, Locked>, used: Map<string, string[]>): string {
  let place = from
  while (!(place === '' ? packages[name] : packages[`${place}/${name}`])) {
    if (place === '') throw new Error(`bun.lock lacks ${name}.`)
    place = pathOf(place).slice(0, -1).join('/')
  }
  const key = place === '' ? name : `${place}/${name}`
  if (used.has(key)) return key
  const needs: string[] = []
  used.set(key, needs)
  for (const needed of Object.keys(packages[key]![2].dependencies ?? {})) needs.push(use(needed, key, packages, used))
  return key
}

/** The names of packages in a key: `@a/b/c` is `@a/b` and `c`. */
function pathOf(key: string): string[] {
  return key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []
}

function component([nameAndVersion, , , integrity]: Locked, license: string | null): Component {
  const at = nameAndVersion.lastIndexOf('@')
  return {
    type: 'library',
    'bom-ref': purlOf(nameAndVersion),
    name: nameAndVersion.slice(0, at),
    version: nameAndVersion.slice(at + 1),
    purl: purlOf(nameAndVersion),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    ...(license === null ? {} : { licenses: [{ expression: license }] }),
  }
}

/** https://github.com/package-url/purl-spec: the @ of a scope is escaped. */
function purlOf(nameAndVersion: string): string {
  return `pkg:npm/${nameAndVersion.replace(/^@/, '%40')}`
}

/** As the package itself says it. */
function licenseOf(key: string): string | null {
  const file = join(root, 'node_modules', pathOf(key).join('/node_modules/'), 'package.json')
  if (!existsSync(file)) return null
  const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: string }
  return typeof license === 'string' && license !== '' ? license : null
}

function readLock(path: string): Record<string, Locked> {
  const lock = Bun.JSONC.parse(readFileSync(join(root, path), 'utf8')) as { packages: Record<string, Locked> }
  return lock.packages
}

/** A UUID of version 8 (RFC 9562), made of a hash. */
function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
