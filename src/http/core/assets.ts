import { ASSETS_PATH, findAsset } from '../../assets.ts'
import { AppError } from '../../errors.ts'
import type { Handler } from './exchange.ts'

const YEAR_S = 31_536_000

/** `GET /assets/*`: static files. An address that names the version of the bytes may be kept for good, any other is asked about again. */
export const serveAsset: Handler = ({ request, url }) => {
  const asset = findAsset(url.pathname.slice(ASSETS_PATH.length + 1))
  if (!asset) throw new AppError('NOT_FOUND', 'There is nothing here.')
  const etag = `"${asset.version}"`
  const headers = {
    'Content-Type': asset.type,
    ETag: etag,
    'Cache-Control': url.searchParams.get('v') === asset.version ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
    // Pictures are shown in mail programs and other people's pages.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.includes(etag) ? new Response(null, { status: 304, headers }) : new Response(asset.bytes, { headers })
}
