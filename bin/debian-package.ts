/** Packs an executable as a Debian package: with the unit, the settings file, and the user that the service has. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dir, '..')
const packaging = join(import.meta.dir, 'packaging')

interface Asked {
  version: string
  /** Of the commit, in milliseconds. */
  at: number
  executable: string
  architecture: string
  work: string
  out: string
}

/** Where each file of the package lies, and its mode. */
const FILES: Record<string, [source: string, mode: number]> = {
  'usr/lib/systemd/system/masthead.service': [join(packaging, 'masthead.service'), 0o644],
  'usr/sbin/masthead-service': [join(packaging, 'masthead-service'), 0o755],
  'usr/share/masthead/masthead.toml': [join(packaging, 'masthead.toml'), 0o644],
  'usr/share/doc/masthead/copyright': [join(root, 'LICENSE'), 0o644],
  'DEBIAN/postinst': [join(packaging, 'debian/postinst'), 0o755],
  'DEBIAN/prerm': [join(packaging, 'debian/prerm'), 0o755],
  'DEBIAN/postrm': [join(packaging, 'debian/postrm'), 0o755],
}

/** Whether the package could be made: false where there is no `dpkg-deb`. */
export function debianPackage({ version, at, executable, architecture, work, out }: Asked): boolean {
  if (Bun.which('dpkg-deb') === null) return false
  rmSync(work, { recursive: true, force: true })
  const files = { ...FILES, 'usr/bin/masthead': [executable, 0o755] as [string, number] }
  for (const [path, [source, mode]] of Object.entries(files)) {
    const file = join(work, path)
    mkdirSync(dirname(file), { recursive: true })
    copyFileSync(source, file)
    chmodSync(file, mode)
  }
  const kilobytes = Math.ceil(Object.keys(files).reduce((sum, path) => sum + statSync(join(work, path)).size, 0) / 1024)
  writeFileSync(
    join(work, 'DEBIAN/control'),
    readFileSync(join(packaging, 'debian/control'), 'utf8')
      .replace('VERSION', version)
      .replace('ARCHITECTURE', architecture)
      .replace('KILOBYTES', String(kilobytes)),
  )
  for (const path of ['', ...readdirSync(work, { recursive: true, encoding: 'utf8' })]) {
    const file = join(work, path)
    if (statSync(file).isDirectory()) chmodSync(file, 0o755)
    utimesSync(file, at / 1000, at / 1000)
  }
  const built = Bun.spawnSync(['dpkg-deb', '--build', '--root-owner-group', '-Zxz', '-z1', work, out], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(at / 1000)) },
  })
  if (!built.success) throw new Error(`dpkg-deb: ${built.stderr.toString()}`)
  return true
}
