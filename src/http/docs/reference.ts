import { newsletterOpenApi } from '../../newsletter/openapi.ts'
import { NEWSLETTER_ROOT } from '../api/operations.ts'
import { routesOpenApi } from '../api/openapi.ts'
import type { Route } from '../core/route.ts'
import { type ApiDocument, type CallGroup, groupsOf } from '../../shared/calls.ts'

/** The whole reference: operations by resource, the other JSON routes by what they are about. */
export interface Reference {
  api: ReadonlyMap<string, CallGroup>
  platform: ReadonlyMap<string, CallGroup>
}

/** Made from the two OpenAPI documents, so the reference and they cannot differ. */
export function makeReference(routes: readonly Route[]): Reference {
  return {
    api: groupsOf(newsletterOpenApi(NEWSLETTER_SERVER) as ApiDocument, NEWSLETTER_ROOT, '/docs/api'),
    platform: groupsOf(routesOpenApi(routes, 'http://localhost') as ApiDocument, '', '/docs/platform'),
  }
}

const NEWSLETTER_SERVER = `http://localhost${NEWSLETTER_ROOT}`
