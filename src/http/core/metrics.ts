import { sql } from 'drizzle-orm'
import { AppError } from '../../errors.ts'
import { createMetrics, type Sample } from '../../metrics.ts'
import { sameSecret } from '../../secrets.ts'
import type { Runtime } from '../../runtime.ts'
import type { Exchange, Handler } from './exchange.ts'

/** What an operator watches: requests and their times, the outbox and the jobs, the process. */
export interface RequestMetrics {
  /** Counts one answered request; `route` is the registered path, never the asked one. */
  answered(route: string, status: number, seconds: number): void
  /** `GET /metrics`: for this machine, or with the configured bearer token. */
  handler: Handler
}

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function requestMetrics(runtime: Runtime, version: string): RequestMetrics {
  const metrics = createMetrics()
  const requests = metrics.counter('masthead_http_requests_total', 'Answered requests.')
  const durations = metrics.histogram('masthead_http_request_seconds', 'Time from request to answer.', BOUNDS_SECONDS)
  const handler: Handler = async () => {
    const text = metrics.text([
      { name: 'masthead_build_info', help: 'The running release.', samples: [{ labels: { version }, value: 1 }] },
      { name: 'masthead_outbox_messages', help: 'Messages not yet settled, by state.', samples: await outbox(runtime) },
      { name: 'masthead_jobs', help: 'Jobs not yet ended, by state.', samples: await jobs(runtime) },
      {
        name: 'process_resident_memory_bytes',
        help: 'Memory of the process.',
        samples: [{ value: process.memoryUsage.rss() }],
      },
      {
        name: 'process_uptime_seconds',
        help: 'Seconds since the process began.',
        samples: [{ value: Math.round(process.uptime()) }],
      },
    ])
    return new Response(text, { headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' } })
  }
  return {
    handler,
    answered(route, status, seconds) {
      requests.add({ route, status })
      durations.observe({ route }, seconds)
    },
  }
}

/** FORBIDDEN unless the request carries the configured token or comes from this machine. */
export function requireMetricsReader({ config, base_url }: Runtime, { request, url, address }: Exchange): void {
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (config.metrics_token !== '' && bearer !== undefined && sameSecret(bearer, config.metrics_token)) return
  // A proxy on this machine hands on requests of others: what it forwards is not from here.
  const forwarded = request.headers.has('x-forwarded-for') || request.headers.has('forwarded')
  // A page elsewhere that has its own name point here (DNS rebinding) comes with that name.
  const named =
    url.hostname === 'localhost' ||
    url.hostname === new URL(base_url).hostname ||
    /^(127\.[\d.]+|\[::1\])$/.test(url.hostname)
  if (!forwarded && named && (address === '::1' || address.startsWith('127.'))) return
  throw new AppError('FORBIDDEN', 'Metrics are for this machine, or with the configured token.')
}

/** Counts read from the partial indexes of what is on its way: they do not grow with what was sent. */
function outbox({ store }: Runtime): Promise<Sample[]> {
  return samples(
    store.heavy(sql`
    SELECT 'queued' AS state, (SELECT count(*) FROM deliveries WHERE status = 'queued' AND kind = 'campaign') + (SELECT count(*) FROM deliveries WHERE status = 'queued' AND kind <> 'campaign') AS n
    UNION ALL SELECT status, count(*) FROM deliveries WHERE status IN ('leased', 'sending') GROUP BY status`),
  )
}

function jobs({ store }: Runtime): Promise<Sample[]> {
  return samples(
    store.heavy(sql`
    SELECT 'queued' AS state, count(*) AS n FROM jobs WHERE status = 'queued'
    UNION ALL SELECT 'running', count(*) FROM jobs WHERE status = 'running'`),
  )
}

async function samples(rows: Promise<{ state: string; n: number }[]>): Promise<Sample[]> {
  return (await rows).map(({ state, n }) => ({ labels: { state }, value: Number(n) }))
}
