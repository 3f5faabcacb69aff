import { listeningUrl } from '../base-url.ts'
import { readConfig } from '../config.ts'
import { command, Failure, UsageError } from './command.ts'

const ANSWER_MS = 5_000
const PAUSE_MS = 100
const LONGEST_WAIT_S = 3_600

export const ready = command({
  name: 'ready',
  summary: 'Ask the service on this machine whether it is ready: it answers, or this ends with 1. For health checks.',
  flags: { wait: { takes: 'SECONDS', help: 'Ask again for so long, until the service is ready.' } },
  async run({ flags, settings }) {
    const config = readConfig(settings)
    if (config.port === 0) throw new UsageError('A service on a free port cannot be found. Set --port.')
    const address = `${listeningUrl(config.host, config.port)}/readyz`
    const until = performance.now() + waitOf(flags.wait) * 1000
    let problem = await whyNotReady(address)
    while (problem !== null && performance.now() < until) {
      await Bun.sleep(PAUSE_MS)
      problem = await whyNotReady(address)
    }
    if (problem !== null) throw new Failure(problem)
    return { text: 'The service is ready.', data: { ready: true } }
  },
})

function waitOf(seconds: string | undefined): number {
  if (seconds === undefined) return 0
  const wait = /^\d{1,4}$/.test(seconds) ? Number(seconds) : Infinity
  if (wait > LONGEST_WAIT_S)
    throw new UsageError(`--wait expects a whole number from 0 to ${LONGEST_WAIT_S}, not "${seconds}".`)
  return wait
}

/** The reason of `/readyz` (docs/operations.md#health), or null when the service is ready. */
async function whyNotReady(address: string): Promise<string | null> {
  try {
    // The address on which it listens need not be one of its names (docs/operations.md#hosts); localhost always is.
    const headers = { Host: 'localhost' }
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' })
    if (answer.ok) return null
    const { reason } = (await answer.json()) as { reason?: string }
    return `The service is not ready: ${reason ?? `it answered ${answer.status}.`}`
  } catch (error) {
    return `No service answers at ${address}: ${(error as Error).message}`
  }
}
