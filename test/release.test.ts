import { Validator } from '@cfworker/json-schema'
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import runtimes from '../bin/packaging/runtimes/package.json'
import { billOfMaterials } from '../bin/bill-of-materials.ts'
import { debianPackage } from '../bin/debian-package.ts'
import { RELEASES } from '../bin/release.ts'
import { PLATFORMS } from '../bin/runtimes.ts'
import { tarball } from '../bin/tarball.ts'
import { readConfig } from '../src/config.ts'
import { SETTINGS } from '../src/settings.ts'
import { scratchFolder } from './support/folder.ts'

const root = join(import.meta.dir, '..')
const packaging = join(root, 'bin/packaging')
const packaged = (name: string) => readFileSync(join(packaging, name), 'utf8')
const scratch = scratchFolder()
const MADE_AT = Date.UTC(2026, 0, 2)

/** A program that is as small as a test needs: it says a version. */
const PROGRAM = '#!/bin/sh\necho masthead 9.9.9\n'

function run(command: string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: scratch, env: { ...process.env, ...env } })
  return { code: exitCode, said: `${stdout}${stderr}` }
}

/** A release of the small program, for every platform, as `install.sh` gets it. */
function smallRelease(name: string): string {
  const folder = join(scratch, name)
  mkdirSync(folder)
  const packed = tarball([{ name: 'masthead', mode: 0o755, bytes: Buffer.from(PROGRAM) }], MADE_AT)
  const sha256 = new Bun.CryptoHasher('sha256').update(packed).digest('hex')
  for (const platform of PLATFORMS) writeFileSync(join(folder, `masthead-${platform.name}.tar.gz`), packed)
  const sums = PLATFORMS.map((platform) => `${sha256}  masthead-${platform.name}.tar.gz\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return folder
}

test('Bun and the database module of other machines have the versions of this one.', () => {
  const versions = { oven: manifest.engines.bun, libsql: manifest.dependencies.libsql }
  for (const { bun, native_module } of PLATFORMS)
    expect(runtimes.dependencies).toMatchObject({ [bun]: versions.oven, [native_module]: versions.libsql })
  expect(Object.keys(runtimes.dependencies)).toHaveLength(2 * PLATFORMS.length)
})

test('A bill of materials fits the schema of CycloneDX 1.6 and names what runs.', async () => {
  const bill = await billOfMaterials({
    version: manifest.version,
    at: MADE_AT,
    platform: PLATFORMS[0]!,
    sha256: 'a'.repeat(64),
  })
  const schemas = join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')
  const schema = (name: string) => JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8'))
  const validator = new Validator(schema('bom-1.6'), '7')
  for (const name of ['spdx', 'jsf-0.82']) validator.addSchema(schema(name))
  expect(validator.validate(JSON.parse(JSON.stringify(bill)))).toEqual({ valid: true, errors: [] })
  const refs = new Set(bill.components.map((component) => component['bom-ref']))
  expect(refs).toContain(`pkg:npm/%40oven/bun-linux-x64@${manifest.engines.bun}`)
  expect(refs).toContain(`pkg:npm/elysia@${manifest.dependencies.elysia}`)
  expect(refs).toContain(`pkg:npm/altcha@${manifest.devDependencies.altcha}`)
  expect([...refs].filter((ref) => ref.includes('/typescript@'))).toEqual([])
  expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([])
})

test('The install script puts the executable of a release in place, and replaces an older one.', () => {
  const release = smallRelease('release')
  const to = join(scratch, 'programs')
  const install = ['sh', join(packaging, 'install.sh'), '--from', release, '--to', to]
  expect(run(install)).toMatchObject({ code: 0, said: expect.stringContaining(`masthead 9.9.9 is in ${to}`) })
  writeFileSync(join(to, 'masthead'), PROGRAM.replace('9.9.9', '9.9.8'))
  expect(run(install).said).toContain('masthead 9.9.8 is now masthead 9.9.9')
  expect(run([join(to, 'masthead')])).toEqual({ code: 0, said: 'masthead 9.9.9\n' })
  expect(run(['sh', join(packaging, 'install.sh'), '--to', to, '--remove'])).toMatchObject({ code: 0 })
  expect(run(['ls', '-A', to]).said).toBe('')
})

test('The install script installs nothing whose checksum is another one.', () => {
  const release = smallRelease('changed-release')
  for (const { name } of PLATFORMS) writeFileSync(join(release, `masthead-${name}.tar.gz`), tarball([], MADE_AT))
  const to = join(scratch, 'nothing')
  const answer = run(['sh', join(packaging, 'install.sh'), '--from', release, '--to', to])
  expect(answer).toEqual({ code: 1, said: expect.stringContaining('Nothing was installed.') })
  expect(run(['ls', to]).code).not.toBe(0)
})

test.each([
  [['--frm', 'x'], 'Unknown option --frm.'],
  [['--from'], '--from expects a value.'],
  [['--url', 'ftp://harbour.example'], '--url expects an address that begins with https://'],
  [['--url', 'https://a.example/"x'], '--url expects an address, not'],
  [['--from', '/nowhere'], 'There is no /nowhere/SHA256SUMS.'],
])('The install script refuses %p.', (options, words) => {
  const answer = run(['sh', join(packaging, 'install.sh'), '--to', join(scratch, 'refused'), ...options])
  expect(answer).toEqual({ code: 1, said: expect.stringContaining(words) })
})

test('The scripts of the packages are valid shell, and the unit is one that systemd takes.', () => {
  for (const script of ['install.sh', 'masthead-service', 'debian/postinst', 'debian/prerm', 'debian/postrm'])
    expect(run(['sh', '-n', join(packaging, script)])).toEqual({ code: 0, said: '' })
  const unit = join(scratch, 'masthead.service')
  writeFileSync(unit, packaged('masthead.service').replace('/usr/bin/masthead', '/bin/true'))
  expect(run(['systemd-analyze', 'verify', unit])).toEqual({ code: 0, said: '' })
})

test.if(Bun.which('dpkg-deb') !== null)(
  'The Debian package has the program, the unit, and no settings file of its own.',
  () => {
    const executable = join(scratch, 'program')
    writeFileSync(executable, PROGRAM)
    const out = join(scratch, 'masthead.deb')
    const work = join(scratch, 'debian')
    expect(debianPackage({ version: '9.9.9', at: MADE_AT, executable, architecture: 'all', work, out })).toBe(true)
    const listed = run(['dpkg-deb', '--contents', out]).said.split('\n')
    const modes = listed.flatMap((line) => /^(-\S+) root\/root .* \.(\/\S+)$/.exec(line)?.slice(1).join(' ') ?? [])
    expect(modes.sort()).toEqual([
      '-rw-r--r-- /usr/lib/systemd/system/masthead.service',
      '-rw-r--r-- /usr/share/doc/masthead/copyright',
      '-rw-r--r-- /usr/share/masthead/masthead.toml',
      '-rwxr-xr-x /usr/bin/masthead',
      '-rwxr-xr-x /usr/sbin/masthead-service',
    ])
    expect(run(['dpkg-deb', '--field', out, 'Package', 'Version']).said).toBe('Package: masthead\nVersion: 9.9.9\n')
  },
)

test('The settings that the packages propose are valid when they are taken.', () => {
  const file = join(scratch, 'taken.toml')
  writeFileSync(file, packaged('masthead.toml').replace(/^# (?=\w+ = )/gm, ''))
  expect(readConfig({ flags: {}, file })).toMatchObject({
    base_url: 'https://news.example.org',
    trusted_proxies: '127.0.0.1, ::1',
  })
  const { services } = Bun.YAML.parse(packaged('compose.yaml')) as {
    services: { masthead: { environment: Record<string, string> } }
  }
  const named = Object.keys(services.masthead.environment)
  expect(named).toContain('MASTHEAD_TRUSTED_PROXIES')
  expect(named.filter((name) => !(name.replace('MASTHEAD_', '').toLowerCase() in SETTINGS))).toEqual([])
})

test('README, install script and release name one place where releases are published.', () => {
  expect(packaged('install.sh')).toContain(`\nreleases=${RELEASES}\n`)
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`${RELEASES}/install.sh`)
})
