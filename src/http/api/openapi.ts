import type { TObject } from '@sinclair/typebox'
import { cookieName, SESSION_COOKIE } from '../../access/session.ts'
import { NEWSLETTER_VOCABULARY } from '../../newsletter/openapi.ts'
import { authorizationCodeScheme, contentOf, type Named, openApi, parametersOf } from '../../operation/openapi.ts'
import { PLATFORM_ERRORS } from '../../operation/openapi-errors.ts'
import type { Place, Wording } from '../../operation/vocabulary.ts'
import { routeAnchor, routeGroup } from '../../shared/chapters.ts'
import { SCOPES } from '../../shared/scopes.ts'
import type { Route } from '../core/route.ts'
import { OAuthError, responses } from './openapi-answers.ts'
import { ACCOUNT_VOCABULARY } from './wording/account-vocabulary.ts'
import { PLATFORM_REQUESTS } from './wording/requests.ts'
import { SITE_VOCABULARY } from './wording/site-vocabulary.ts'

const WORDING: Wording = {
  words: { ...NEWSLETTER_VOCABULARY, ...SITE_VOCABULARY, ...ACCOUNT_VOCABULARY },
  requests: PLATFORM_REQUESTS,
}

/** The OpenAPI 3.1 document of the routes. The newsletter operations have a document of their own. */
export function routesOpenApi(routes: readonly Route[], base_url: string): unknown {
  return openApi({
    title: 'Masthead platform API',
    description:
      'Accounts, projects, sites, developer apps, embedded scripts, OAuth and the public routes. ' +
      'The newsletter operations are described in newsletter/openapi.json.',
    server: base_url,
    securitySchemes: securitySchemes(base_url),
    errors: { ...PLATFORM_ERRORS, OAuthError },
    wording: WORDING,
    calls: routes.filter(isDescribed),
    // OPTIONS is the preflight request that browsers send by themselves (Fetch, CORS).
    methodsOf: ({ methods }) => methods.filter((method) => method !== 'OPTIONS').map((method) => method.toLowerCase()),
    schemasOf: ({ body, query, response }) =>
      [body, query, response].filter((schema) => schema !== null && typeof schema !== 'string'),
    describe,
  })
}

/** Pages and files of the service itself, which people open in a browser, and pages of sites. */
const PAGES = /^\/(?:$|portal|docs|apps|assets|sites|favicon|general\/oauth\/consent\.css)/

/** Whether the document lists a route. */
export function isDescribed({ response, methods, path }: Route): boolean {
  return !methods.includes('ALL') && (typeof response !== 'string' || !PAGES.test(path))
}

function describe(route: Route, named: Named) {
  const { path, methods, role, body, takes } = route
  const place = placeOf(route)
  return {
    operationId: routeAnchor(methods[0]!, path),
    ...(role === null ? {} : { description: `Needs the role ${role} or a higher one in the project.` }),
    tags: [routeGroup(path)] as [string],
    security: securityOf(route),
    parameters: [
      ...parametersOf('path', route.params, { named, place }),
      ...parametersOf('query', route.query, { named, place }),
    ],
    ...(body ? { requestBody: requestBody(route, body, named) } : {}),
    ...(takes.length > 0 ? { requestBody: fileBody(takes) } : {}),
    responses: responses(route, named, place),
  }
}

/** The words of a route are those of its family, and of the last fixed part of its path. */
function placeOf(route: Route): Place {
  const parts = route.path.split('/').filter((part) => part !== '' && !part.startsWith(':'))
  return { parent: parts.at(-1) ?? '', group: routeGroup(route.path) }
}

function securityOf({ auth, scope }: Route): unknown[] {
  if (auth === 'session') return [{ session: [] }]
  if (auth === 'oauth') return [{ oauth2: scope === null ? [] : [scope] }]
  // A public client authenticates with its client_id in the body only.
  return auth === 'client' ? [{ client: [] }, {}] : []
}

const FORM = 'application/x-www-form-urlencoded'

function requestBody(route: Route, body: TObject, named: Named): unknown {
  const place = placeOf(route)
  const json = contentOf(body, { named, place }, named.wording.requests[nameOf(route)])
  return {
    required: (body.required ?? []).length > 0,
    content: {
      ...(route.auth === 'client' ? { [FORM]: json } : {}),
      'application/json': json,
      ...(route.forms === null ? {} : { [FORM]: { schema: formOf(body), example: textsOf(json.example) } }),
    },
  }
}

/** As the description of the reference names a call. */
function nameOf({ methods, path }: Route): string {
  return `${methods.find((method) => method !== 'OPTIONS')} ${path.replace(/:(\w+)/g, '{$1}')}`
}

/** An HTML form has texts only, and fields besides those that count, such as a button. */
function formOf(body: TObject): unknown {
  const names = Object.keys(body.properties).join(', ')
  return {
    type: 'object',
    description: `The same as a form: ${names}. A field in an object is named like custom_fields[town].`,
    required: (body.required ?? []).filter((name) => body.properties[name]!.type === 'string'),
    additionalProperties: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
  }
}

function textsOf(example: unknown): Record<string, unknown> {
  const text = (value: unknown) => (typeof value === 'string' ? value : String(value))
  return Object.fromEntries(
    Object.entries(example as object).flatMap(([name, value]): [string, unknown][] => {
      if (Array.isArray(value)) return [[name, value.map(text)]]
      if (value === null || typeof value !== 'object') return [[name, text(value)]]
      return Object.entries(value as object).map(([inner, part]) => [`${name}[${inner}]`, text(part)])
    }),
  )
}

/** A file as the whole body, or as the part `file` of a form; JSON is the report of a mail provider. */
function fileBody(types: readonly string[]): unknown {
  const file = { type: 'string', format: 'binary', description: 'The bytes of the file.' }
  const form = { type: 'object', required: ['file'], properties: { file }, additionalProperties: false }
  const report = { type: ['object', 'array'], description: 'Reports of a provider, in its own format.' }
  const sentAs = (type: string) => {
    if (type === 'application/json') return { schema: report, example: { event: 'bounce' } }
    return type === 'multipart/form-data' ? { schema: form, example: { file: '…' } } : { schema: file, example: '…' }
  }
  return { required: true, content: Object.fromEntries(types.map((type) => [type, sentAs(type)])) }
}

function securitySchemes(base_url: string): Record<string, unknown> {
  return {
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
  }
}
