import { listeningUrl } from '../base-url.ts'
import { createRateLimiter } from '../operation/rate-limit.ts'
import { IN_FLIGHT_MS, type Runtime } from '../runtime.ts'
import type { ThreadShare } from '../share.ts'
import { startHttp } from './app.ts'
import { createBudgets } from './core/exchange.ts'
import type { Readiness } from './core/health.ts'
import type { RequestMetrics } from './core/metrics.ts'
import { createUnread, UNREAD_LIMITS } from './core/unread.ts'
import { createUploads, UPLOAD_LIMITS } from './core/uploads.ts'

interface Listening {
  url: string
  port: number
  /** Waits for the running requests, at most for seconds, and returns what the limits have reserved. */
  close(): Promise<void>
}

interface ListenOptions {
  /** 0: any free one. */
  port: number
  /** What this thread shares with others that answer on the same port; null for the only one. */
  share: ThreadShare | null
  readiness: Readiness
  metrics: RequestMetrics
}

/** Answers requests on a port. Throws EADDRINUSE and EACCES. */
export function listen(runtime: Runtime, { share, ...options }: ListenOptions): Listening {
  const { config, store, clock, counts } = runtime
  const hostname = config.host
  const quota = share ? { memory: share.quota_memory, thread: share.thread } : undefined
  const limiter = createRateLimiter(store, () => clock.now(), quota)
  const budgets = createBudgets({
    uploads: createUploads(UPLOAD_LIMITS, undefined, counts),
    unread: createUnread(UNREAD_LIMITS, undefined, counts),
  })
  const server = startHttp(runtime, { hostname, is_shared: share !== null, limiter, budgets, ...options })
  return {
    url: listeningUrl(hostname, server.port!),
    port: server.port!,
    async close() {
      const impatient = setTimeout(() => void server.stop(true), IN_FLIGHT_MS)
      await server.stop()
      clearTimeout(impatient)
      await limiter.close()
    },
  }
}

/**
 * Throws when the port is in use. A port that is shared can be bound by anybody who shares it, and a second service
 * there would take a part of the connections of the first.
 */
export function requireFreePort(hostname: string, port: number): void {
  void Bun.serve({ hostname, port, fetch: () => new Response(), reusePort: false }).stop(true)
}
