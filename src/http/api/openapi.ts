import type { TObject, TSchema } from '@sinclair/typebox'
import { version } from '../../build.ts'
import { cookieName, SESSION_COOKIE } from '../../access/session.ts'
import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import { SCOPES } from '../../oauth/scopes.ts'
import { authorizationCodeScheme, type NamedSchemas, plain, platformErrorSchema } from '../../operation/openapi.ts'
import type { Route } from '../core/route.ts'

/** The OpenAPI 3.1 document of the routes that answer JSON. The newsletter operations have a document of their own. */
export function routesOpenApi(routes: readonly Route[], base_url: string): unknown {
  const described = routes.filter(isDescribed)
  const named: NamedSchemas = {}
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of described) {
    const path = (paths[route.path.replace(/:(\w+)/g, '{$1}')] ??= {})
    // OPTIONS is the preflight request that browsers send by themselves (Fetch, CORS).
    for (const method of route.methods) if (method !== 'OPTIONS') path[method.toLowerCase()] = describe(route, named)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Masthead platform API',
      version,
      description:
        'Accounts, projects, sites, developer apps, embedded scripts and OAuth. ' +
        'The newsletter operations are described in newsletter/openapi.json.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base_url }],
    tags: [...new Set(described.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        oauth2: authorizationCodeScheme(
          base_url,
          Object.fromEntries(Object.entries(SCOPES).map(([name, { label }]) => [name, `${label}.`])),
        ),
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName(base_url, SESSION_COOKIE),
          description: 'A signed-in user.',
        },
        client: { type: 'http', scheme: 'basic', description: 'client_id and client_secret of an OAuth client.' },
      },
      schemas: { PlatformError: platformErrorSchema, OAuthError: oauthErrorSchema, ...named },
    },
  }
}

/** Whether the document lists a route: it answers JSON of a declared schema. */
export function isDescribed({ response, methods }: Route): boolean {
  return typeof response !== 'string' && !methods.includes('ALL')
}

function describe(route: Route, named: NamedSchemas): unknown {
  const { path, methods, summary, role, body, takes } = route
  return {
    operationId: [methods[0]!.toLowerCase(), ...path.split('/').filter(Boolean)].join('_').replace(/\W+/g, '_'),
    summary,
    ...(role === null ? {} : { description: `Needs the role ${role} or a higher one in the project.` }),
    tags: [tagOf(route)],
    security: securityOf(route),
    parameters: [...parameters('path', route.params, named), ...parameters('query', route.query, named)],
    ...(body ? { requestBody: requestBody(route, body, named) } : {}),
    ...(takes.length > 0 ? { requestBody: fileBody(takes) } : {}),
    responses: {
      [route.status]: { description: 'Done.', content: jsonContent(plain(route.response as TSchema, named)) },
      ...refusals(route),
    },
  }
}

function securityOf({ auth, scope }: Route): unknown[] {
  if (auth === 'session') return [{ session: [] }]
  if (auth === 'oauth') return [{ oauth2: scope === null ? [] : [scope] }]
  // A public client authenticates with its client_id in the body only.
  return auth === 'client' ? [{ client: [] }, {}] : []
}

function parameters(place: 'path' | 'query', schema: TObject, named: NamedSchemas): unknown[] {
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: (schema.required ?? []).includes(name),
    schema: plain(property, named),
  }))
}

function requestBody({ auth }: Route, body: TObject, named: NamedSchemas): unknown {
  const schema = plain(body, named)
  const content = jsonContent(schema)
  return {
    required: (body.required ?? []).length > 0,
    content: auth === 'client' ? { 'application/x-www-form-urlencoded': { schema }, ...content } : content,
  }
}

/** A file as the whole body, or as the part `file` of a form. */
function fileBody(types: readonly string[]): unknown {
  const file = { type: 'string', format: 'binary' }
  const form = { type: 'object', required: ['file'], properties: { file }, additionalProperties: false }
  const schemaOf = (type: string) => (type === 'multipart/form-data' ? form : file)
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }])) }
}

/** The declared errors by status, each with its codes. */
function refusals({ errors, auth }: Route): Record<string, unknown> {
  const schema = { $ref: `#/components/schemas/${auth === 'client' ? 'OAuthError' : 'PlatformError'}` }
  const byStatus = Map.groupBy([...errors], (code) => ERROR_CODES[code].status)
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, codes]) => [
        status,
        {
          description: [...new Set(codes.map((code) => SENTENCES[code] ?? `${code}.`))].join(' '),
          headers: headersOf(status),
          content: jsonContent(schema),
        },
      ]),
  )
}

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'The request is not valid.',
  INVALID_JSON: 'The body is not JSON.',
  INVALID_CURSOR: 'The cursor does not belong to this list.',
  UNAUTHORIZED: 'Credentials are missing.',
  INVALID_TOKEN: 'The access token is unknown, expired or revoked.',
  FORBIDDEN: 'The caller may not do this, or the request comes from a page of another site.',
  INSUFFICIENT_SCOPE: 'The scope does not allow it.',
  INSUFFICIENT_ROLE: 'The role does not allow it.',
  PROJECT_NOT_AUTHORIZED: 'The caller has no access to the project.',
  NOT_FOUND: 'Something the request names does not exist.',
  CONFLICT: 'A name is in use, or a limit is reached.',
  INVALID_STATE: 'The present state does not allow it.',
  REQUEST_TIMEOUT: 'The body arrived too slowly.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  TOO_MANY_UPLOADS: 'Too many bodies are being received.',
  TOO_MANY_UNREAD: 'Too many answers to the address wait to be read.',
  UNSUPPORTED_MEDIA_TYPE: 'The media type of the body is not supported.',
  RATE_LIMITED: 'Too many requests.',
  INSUFFICIENT_STORAGE: 'The disk is nearly full.',
  RATE_LIMIT_UNAVAILABLE: 'The rate limit could not be checked.',
  DATABASE_UNAVAILABLE: 'The database does not answer.',
  INTERNAL: 'Something went wrong. It was logged with the request id.',
}

function headersOf(status: number): Record<string, unknown> {
  const text = { type: 'string' }
  if (status === 401) return { 'WWW-Authenticate': { schema: text } }
  return status === 429 ? { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } : {}
}

function jsonContent(schema: unknown): Record<string, unknown> {
  return { 'application/json': { schema } }
}

const oauthErrorSchema = {
  type: 'object',
  required: ['error', 'error_description'],
  additionalProperties: false,
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
}

/** The family of a route: the first words of its path that say what it is about. */
function tagOf({ path }: Route): string {
  const [first = '', second = '', third = '', fourth = ''] = path.slice(1).split('/')
  if (first === 'user' && second === 'operator') return 'operator'
  if (first === 'user') return second === 'developer' || second === 'review-requests' ? 'developer' : 'account'
  if (first === 'healthz') return 'service'
  if (first === '.well-known') return 'oauth'
  if (first === 'general' && second === 'apps') return 'gallery'
  if (first === 'general') return second === 'api' ? fourth : second === 'oauth' ? 'oauth' : third
  return first === 'project' && third !== '' ? second : first
}
