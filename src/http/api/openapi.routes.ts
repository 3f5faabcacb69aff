import { newsletterOpenApi } from '../../newsletter/openapi.ts'
import { publicDocument } from '../core/document.ts'
import { API_ROOT } from '../core/paths.ts'
import { type Route, route } from '../core/route.ts'
import { routesOpenApi } from './openapi.ts'
import { NEWSLETTER_ROOT } from './operations.ts'

/** The OpenAPI documents: one of the newsletter operations, one of the given routes. */
export function documentRoutes(routes: readonly Route[]): Route[] {
  const documents: Route[] = [
    document(NEWSLETTER_ROOT, 'The OpenAPI 3.1 document of the newsletter operations.', (base_url) =>
      newsletterOpenApi(base_url + NEWSLETTER_ROOT),
    ),
    document(API_ROOT, 'The OpenAPI 3.1 document of every other JSON route.', (base_url) =>
      routesOpenApi([...routes, ...documents], base_url),
    ),
  ]
  return documents
}

function document(root: string, summary: string, make: (base_url: string) => unknown): Route {
  const respond = publicDocument(make)
  return route({
    method: 'GET',
    path: `${root}/openapi.json`,
    summary,
    auth: 'public',
    response: 'text',
    media_type: 'application/json',
    respond,
  })
}
