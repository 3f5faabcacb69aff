import { createServer } from 'node:net'
import type { Subprocess } from 'bun'
import { program, SHORT_LIVED } from './program.ts'

/** The service as people run it: a process of its own, that can be killed at any moment. */
export interface ServiceProcess {
  url: string
  child: Subprocess
  /** SIGKILL, and wait until it is gone. */
  kill(): Promise<void>
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number>
}

const START_TIMEOUT_MS = 60_000

/** Starts `masthead serve` on a data folder and waits until it is ready. */
export async function startServiceProcess(
  data_dir: string,
  settings: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<ServiceProcess> {
  const port = Number(settings.MASTHEAD_PORT ?? (await freePort()))
  const child = Bun.spawn([...program, 'serve', ...flags], {
    stdout: 'ignore',
    stderr: 'inherit',
    env: {
      ...SHORT_LIVED,
      PATH: process.env.PATH,
      MASTHEAD_DATA_DIR: data_dir,
      MASTHEAD_PORT: String(port),
      MASTHEAD_LOG_LEVEL: 'error',
      MASTHEAD_DISK_RESERVE_MEGABYTES: '0',
      MASTHEAD_HTTP_THREADS: '1',
      ...settings,
    },
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) break
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`The service did not start (exit code ${child.exitCode}).`)
    await Bun.sleep(10)
  }
  return {
    url,
    child,
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    stop() {
      child.kill('SIGTERM')
      return child.exited
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
