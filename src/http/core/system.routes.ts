import { Type } from '@sinclair/typebox'
import { findAppFile } from '../../app-files.ts'
import { ASSETS_PATH, findAsset } from '../../assets.ts'
import { AppError } from '../../errors.ts'
import { nullable, obj, Timestamp } from '../../schema.ts'
import { isoOrNull } from '../../clock.ts'
import { cacheable } from './document.ts'
import { json } from './exchange.ts'
import type { LastProven, Readiness } from './health.ts'
import { type Route, route } from './route.ts'

/** Health and metrics routes for operators and load balancers (docs/operations.md#health). */
export function systemRoutes(readiness: Readiness, metrics: () => Promise<string>, lastProven: LastProven): Route[] {
  return [
    route({
      method: 'GET',
      path: '/healthz',
      summary: 'Whether the process is up.',
      auth: 'public',
      response: obj({ status: Type.Literal('ok') }),
      every_process: true,
      read: () => ({ status: 'ok' as const }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      summary: 'Whether the service can answer: 200, or 503 with the reason.',
      auth: 'public',
      response: obj({
        status: Type.Literal('ready'),
        backup_proven_on: nullable(Timestamp),
      }),
      also: {
        503: obj({ status: Type.Literal('not_ready'), reason: Type.String() }, { description: 'It cannot answer.' }),
      },
      every_process: true,
      async respond() {
        const reason = await readiness()
        if (reason !== null) return json(503, { status: 'not_ready', reason })
        const proven_at = await lastProven().catch(() => null)
        return json(200, { status: 'ready', backup_proven_on: isoOrNull(proven_at) })
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      summary: 'Metrics in the text format of Prometheus.',
      auth: 'metrics',
      response: 'text',
      every_process: true,
      respond: async () =>
        new Response(await metrics(), { headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' } }),
    }),
  ]
}

const YEAR_S = 31_536_000

/** The files of the web application. Their names carry a hash of their content, so they are cached permanently. */
export const appFileRoute = route({
  method: 'GET',
  path: `${ASSETS_PATH}/app/*`,
  summary: 'A file of the web application.',
  auth: 'public',
  response: 'file',
  respond({ request, params }) {
    const file = findAppFile(params['*'] ?? '')
    if (!file) throw new AppError('NOT_FOUND', 'There is nothing here.')
    return cacheable(request, file, {
      'Content-Type': file.type,
      'Cache-Control': `public, max-age=${YEAR_S}, immutable`,
    })
  },
})

export const assetRoute = route({
  method: 'GET',
  path: `${ASSETS_PATH}/*`,
  summary: 'Static files. A path with the version of the bytes is cached permanently, any other is revalidated.',
  auth: 'public',
  response: 'file',
  respond({ request, url }) {
    const asset = findAsset(url.pathname.slice(ASSETS_PATH.length + 1))
    if (!asset) throw new AppError('NOT_FOUND', 'There is nothing here.')
    const isVersioned = url.searchParams.get('v') === asset.version
    return cacheable(request, asset, {
      'Content-Type': asset.type,
      'Cache-Control': isVersioned ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
      // Mail programs and pages of other sites show the images.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
  },
})
