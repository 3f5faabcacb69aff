import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { serverMetadata } from '../../oauth/metadata.ts'
import { root } from '../../root.ts'
import { cacheable, contentOf, publicDocument } from '../core/document.ts'
import { type Route, route } from '../core/route.ts'

/** Authorization server metadata (RFC 8414), and the consent page's style. */
export function metadataRoutes(): Route[] {
  const style = contentOf(readFileSync(join(root, 'static/oauth/consent.css'), 'utf8'))
  const headers = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }
  return [
    route({
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      summary: 'The metadata of the authorization server.',
      auth: 'public',
      response: Type.Object({}, { description: 'RFC 8414, section 2' }),
      respond: publicDocument(serverMetadata),
    }),
    route({
      method: 'GET',
      path: '/general/oauth/consent.css',
      summary: 'The style sheet of the consent page.',
      auth: 'public',
      response: 'file',
      respond: ({ request }) => cacheable(request, style, headers),
    }),
  ]
}
