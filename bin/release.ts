/**
 * Makes what a release publishes, in `dist/release`: an executable for each platform, packed; Debian packages where
 * `dpkg-deb` is there; a bill of materials for each executable; what `bin/packaging` has for installing them; and the
 * checksums of all of these.
 *
 * `bin/release [--platforms linux-amd64,linux-arm64] [--from URL] [--out FOLDER]`
 *
 * `--from` is where the files will be published; `install.sh` gets them from there.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { version } from '../package.json'
import { billOfMaterials } from './bill-of-materials.ts'
import { debianPackage } from './debian-package.ts'
import { fetchRuntimes, type Platform, PLATFORMS } from './runtimes.ts'
import { tarball } from './tarball.ts'

/**
 * Where releases are published. The name is reserved for examples (RFC 2606) and belongs to nobody: whoever publishes
 * releases gives their own with `--from`.
 */
export const RELEASES = 'https://masthead.example/releases/latest'

const root = join(import.meta.dir, '..')
const packaging = join(import.meta.dir, 'packaging')

/** Published as they are in `bin/packaging`. */
const INSTALLED = [
  'masthead.service',
  'masthead.toml',
  'masthead-service',
  'Containerfile',
  'compose.yaml',
  'Caddyfile',
]

/** A file of a release, as `release.json` describes it. */
interface Published {
  name: string
  bytes: number
  sha256: string
  /** Of an executable, whose file is packed. */
  executable?: { platform: string; bytes: number; sha256: string }
}

/** Writes the files of a release to `out` and answers what it wrote. */
export async function makeRelease(out: string, platforms: readonly Platform[], from: string): Promise<Published[]> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await fetchRuntimes()
  const work = mkdtempSync(join(tmpdir(), 'masthead-release-'))
  const made = { version, at: commitTime() }
  const license = readFileSync(join(root, 'LICENSE'))
  const executables = new Map<string, Published['executable']>()
  try {
    for (const platform of platforms) {
      const file = join(work, platform.name)
      await build(platform, file)
      const bytes = readFileSync(file)
      const packed = `masthead-${platform.name}.tar.gz`
      const entries = [
        { name: 'masthead', mode: 0o755, bytes },
        { name: 'LICENSE', mode: 0o644, bytes: license },
      ]
      writeFileSync(join(out, packed), tarball(entries, made.at))
      executables.set(packed, { platform: platform.name, bytes: bytes.length, sha256: sha256(bytes) })
      const bill = await billOfMaterials({ ...made, platform, sha256: sha256(bytes) })
      writeFileSync(join(out, `masthead-${platform.name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`)
      if (platform.debian === undefined) continue
      const asked = { ...made, executable: file, architecture: platform.debian, work: join(work, 'debian') }
      const debian = debianPackage({ ...asked, out: join(out, `masthead_${platform.debian}.deb`) })
      if (!debian) console.log(`Without dpkg-deb there is no Debian package for ${platform.debian}.`)
    }
  } finally {
    rmSync(work, { recursive: true })
  }
  for (const name of INSTALLED) cpSync(join(packaging, name), join(out, name))
  writeFileSync(join(out, 'install.sh'), installScript(from), { mode: 0o755 })
  const published = readdirSync(out)
    .sort()
    .map((name): Published => {
      const bytes = readFileSync(join(out, name))
      const executable = executables.get(name)
      return { name, bytes: bytes.length, sha256: sha256(bytes), ...(executable ? { executable } : {}) }
    })
  writeFileSync(join(out, 'SHA256SUMS'), published.map((file) => `${file.sha256}  ${file.name}\n`).join(''))
  writeFileSync(join(out, 'release.json'), `${JSON.stringify({ version, files: published }, null, 2)}\n`)
  return published
}

async function build({ target }: Platform, outfile: string): Promise<void> {
  const command = [process.execPath, join(import.meta.dir, 'build.ts'), '--target', target, '--outfile', outfile]
  // Bun writes a part of the executable into the current folder meanwhile.
  if ((await Bun.spawn(command, { cwd: dirname(outfile), stdout: 'inherit', stderr: 'inherit' }).exited) !== 0)
    throw new Error(`Could not build ${target}.`)
}

/** `install.sh` with the place of the release in it. */
function installScript(from: string): string {
  const text = readFileSync(join(packaging, 'install.sh'), 'utf8')
  const line = `releases=${RELEASES}\n`
  if (!text.includes(line)) throw new Error(`bin/packaging/install.sh lacks the line ${line}`)
  if (!/^https:\/\/[\w./:~-]+$/.test(from)) throw new Error(`--from expects an https address, not "${from}".`)
  return text.replace(line, `releases=${from.replace(/\/$/, '')}\n`)
}

/** When the commit was made, in milliseconds: the files carry that time. */
function commitTime(): number {
  const { success, stdout } = Bun.spawnSync(['git', '-C', root, 'log', '-1', '--format=%ct'], { stderr: 'ignore' })
  return success ? Number(stdout.toString()) * 1000 : statSync(join(root, 'package.json')).mtimeMs
}

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      platforms: { type: 'string', default: PLATFORMS.map(({ name }) => name).join(',') },
      from: { type: 'string', default: RELEASES },
      out: { type: 'string', default: join(root, 'dist/release') },
    },
  })
  const platforms = values.platforms.split(',').map((name) => {
    const found = PLATFORMS.find((platform) => platform.name === name)
    if (found) return found
    console.error(`No such platform: ${name}. There are ${PLATFORMS.map((platform) => platform.name).join(', ')}.`)
    return process.exit(2)
  })
  for (const { name, bytes, executable } of await makeRelease(values.out, platforms, values.from))
    console.log(`${name}: ${size(bytes)}${executable ? `, unpacked ${size(executable.bytes)}` : ''}`)
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
