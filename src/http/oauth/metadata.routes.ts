import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { serverMetadata } from '../../oauth/metadata.ts'
import { root } from '../../root.ts'
import { type Route, route } from '../core/route.ts'

/** Authorization server metadata (RFC 8414), also at the path that OpenID clients use, and the consent page's style. */
export function metadataRoutes(): Route[] {
  const style = readFileSync(join(root, 'static/oauth/consent.css'), 'utf8')
  return [
    ...(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const).map((path) =>
      route({
        method: 'GET',
        path,
        summary: 'The metadata of the authorization server.',
        auth: 'public',
        response: Type.Object({}, { description: 'RFC 8414, section 2' }),
        respond: ({ request, base_url }) =>
          cacheable(request, JSON.stringify(serverMetadata(base_url)), 'application/json', {
            'Cache-Control': 'public, max-age=300',
            'Access-Control-Allow-Origin': '*',
          }),
      }),
    ),
    route({
      method: 'GET',
      path: '/general/oauth/consent.css',
      summary: 'The style sheet of the consent page.',
      auth: 'public',
      response: 'file',
      respond: ({ request }) => cacheable(request, style, 'text/css; charset=utf-8', { 'Cache-Control': 'no-cache' }),
    }),
  ]
}

/** The text with an ETag, or 304 when the request names that ETag. */
function cacheable(request: Request, text: string, type: string, caching: Record<string, string>): Response {
  const headers = { ETag: `"${Bun.hash(text).toString(36)}"`, ...caching }
  return request.headers.get('if-none-match') === headers.ETag
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers: { 'Content-Type': type, ...headers } })
}
