import { newsletterOpenApi } from '../newsletter/openapi.ts'
import { routesOpenApi } from './api/openapi.ts'
import { NEWSLETTER_ROOT } from './api/operations.ts'
import { declaredRoutes } from './routes.ts'

/** Both OpenAPI documents without a running service, for clients that are made from them. */
export function apiDocuments() {
  const base_url = 'http://localhost'
  return {
    newsletter: newsletterOpenApi(base_url + NEWSLETTER_ROOT),
    platform: routesOpenApi(declaredRoutes(), base_url),
  }
}
