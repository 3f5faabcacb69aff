/**
 * What an executable for another machine is made of beside our own code: Bun and the native database module of that
 * machine. Both come from npm, locked by `bin/packaging/runtimes/bun.lock`, and are kept in `build/runtimes`.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dir, '..')
const locked = join(import.meta.dir, 'packaging/runtimes')
const folder = join(root, 'build/runtimes')

/** A machine that releases are made for, and what Bun and libsql call it. */
export interface Platform {
  /** With the name of the processor that Debian and container images use. */
  name: string
  target: Bun.Build.CompileTarget
  /** npm packages. */
  bun: string
  native_module: string
  /** Debian's name of the machine, for those that get a package. */
  debian?: string
}

export const PLATFORMS: readonly Platform[] = [
  { name: 'linux-amd64', ...made('linux-x64', 'linux-x64', 'linux-x64-gnu'), debian: 'amd64' },
  { name: 'linux-arm64', ...made('linux-arm64', 'linux-aarch64', 'linux-arm64-gnu'), debian: 'arm64' },
  { name: 'linux-amd64-musl', ...made('linux-x64-musl', 'linux-x64-musl', 'linux-x64-musl') },
  { name: 'linux-arm64-musl', ...made('linux-arm64-musl', 'linux-aarch64-musl', 'linux-arm64-musl') },
  { name: 'darwin-amd64', ...made('darwin-x64', 'darwin-x64', 'darwin-x64') },
  { name: 'darwin-arm64', ...made('darwin-arm64', 'darwin-aarch64', 'darwin-arm64') },
]

function made(target: string, bun: string, libsql: string) {
  return {
    target: `bun-${target}` as Bun.Build.CompileTarget,
    bun: `@oven/bun-${bun}`,
    native_module: `@libsql/${libsql}`,
  }
}

/** The platform of one of Bun's targets, such as bun-linux-aarch64-musl. Throws for a target that has none. */
export function platformOf(target: string): Platform {
  // Bun's packages for old and for new processors are one file.
  const wanted = target.replace('aarch64', 'arm64').replace(/-(?:baseline|modern)/, '')
  const found = PLATFORMS.find((one) => one.target === wanted)
  if (!found) throw new Error(`No such target: ${target}. There are ${PLATFORMS.map((one) => one.target).join(', ')}.`)
  return found
}

/** Installs what is missing. Without network it works from Bun's cache. */
export async function fetchRuntimes(): Promise<void> {
  const files = ['package.json', 'bun.lock']
  const isCurrent = files.every(
    (name) =>
      existsSync(join(folder, name)) && readFileSync(join(folder, name)).equals(readFileSync(join(locked, name))),
  )
  if (isCurrent && PLATFORMS.every((one) => existsSync(bunOf(one)) && existsSync(nativeModuleOf(one)))) return
  mkdirSync(folder, { recursive: true })
  for (const name of files) copyFileSync(join(locked, name), join(folder, name))
  const everywhere = ['--os=*', '--cpu=*', '--libc=*']
  const install = Bun.spawn(
    [process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts', '--no-progress', ...everywhere],
    { cwd: folder, stdout: 'ignore', stderr: 'inherit' },
  )
  if ((await install.exited) !== 0) throw new Error('Could not get Bun and the database module for other machines.')
}

/** The path of Bun's executable for a platform. */
export function bunOf({ bun }: Platform): string {
  return join(folder, 'node_modules', bun, 'bin/bun')
}

/** The path of the native database module for a platform. */
export function nativeModuleOf({ native_module }: Platform): string {
  return join(folder, 'node_modules', native_module, 'index.node')
}
