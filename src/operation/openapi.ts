import type { TSchema } from '@sinclair/typebox'
import { version } from '../build.ts'
import type { Operation } from './declare.ts'

/** The OpenAPI 3.1 document of a list of operations, made from their declarations (docs/api/conventions.md#openapi). */
export function openApi(operations: readonly Operation[], server: string): unknown {
  const named: NamedSchemas = {}
  const paths = Object.fromEntries(
    operations.map((operation) => [operation.path, { post: describe(operation, named) }]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Masthead newsletter API',
      version,
      description:
        'Contacts, consent, audiences, campaigns and delivery of a project. Every operation is a POST ' +
        'with a JSON body; every mutation needs an idempotency key.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    security: [{ oauth2: [] }, { apiKey: [] }],
    tags: [...new Set(operations.map(tagOf))].map((tag) => ({ name: tag })),
    paths,
    components: {
      securitySchemes: securitySchemes(new URL(server).origin),
      schemas: { ...sharedSchemas, ...named },
      headers: sharedHeaders,
    },
  }
}

/** Schemas with a name (`$id`), described once and referenced. */
export type NamedSchemas = Record<string, unknown>

function describe(operation: Operation, named: NamedSchemas): unknown {
  const isMutation = operation.act.kind === 'mutation'
  return {
    operationId: operation.path.slice(1).replaceAll('/', '_').replaceAll('-', '_'),
    summary: operation.summary,
    description:
      `Scope \`newsletter:${operation.scope}\`, role ${operation.role} or ` +
      `higher.${isMutation ? ' A mutation: needs an idempotency key.' : ''}`,
    tags: [tagOf(operation)],
    security: [{ oauth2: [`newsletter:${operation.scope}`] }, { apiKey: [] }],
    parameters: isMutation ? [keyHeader] : [],
    requestBody: { required: true, content: { 'application/json': { schema: requestSchema(operation, named) } } },
    responses: responses(operation, named),
  }
}

/** One strict object of the operation's properties, `project_id` and `idempotency_key`. */
function requestSchema(operation: Operation, named: NamedSchemas): unknown {
  const own = plain(operation.request, named) as { properties?: Record<string, unknown> }
  const key = operation.act.kind === 'mutation' ? idempotencyKey : { description: 'Ignored.' }
  return { ...own, properties: { project_id: projectId, idempotency_key: key, ...own.properties } }
}

function responses(operation: Operation, named: NamedSchemas): Record<string, unknown> {
  const { act, status } = operation
  const statuses = act.kind === 'mutation' && act.statusOf ? [200, 202] : [status]
  return {
    ...Object.fromEntries(
      statuses.map((success) => [
        success,
        {
          description: success === 202 ? 'Accepted: the work is queued.' : 'Done.',
          headers: rateHeaderRefs,
          content: content(operation, named),
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(refusals).map(([status, { description, schema, headers }]) => [
        status,
        {
          description,
          headers: { ...headers },
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
        },
      ]),
    ),
  }
}

function content({ act, response }: Operation, named: NamedSchemas): unknown {
  if (act.kind === 'stream') return { [act.media_type]: { schema: plain(response, named) } }
  const envelope = {
    type: 'object',
    required: ['data', 'request_id'],
    properties: { data: plain(response, named), request_id: { type: 'string' } },
    additionalProperties: false,
  }
  return { 'application/json': { schema: envelope } }
}

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
const rateHeaderRefs = Object.fromEntries(
  ['Limit', 'Remaining', 'Reset'].map((word) => [
    `RateLimit-${word}`,
    { $ref: `#/components/headers/RateLimit${word}` },
  ]),
)

const refusals: Record<string, { description: string; schema: string; headers?: Record<string, unknown> }> = {
  400: { description: 'The request is not valid.', schema: 'Error', headers: rateHeaderRefs },
  401: { description: 'Credentials are missing, unknown, expired or revoked.', schema: 'PlatformError' },
  403: {
    description: 'The scope, the role or the project does not allow it, or a plan limit is reached.',
    schema: 'Refusal',
  },
  404: {
    description: 'Something the request names does not exist in this project.',
    schema: 'Error',
    headers: rateHeaderRefs,
  },
  408: { description: 'The body arrived too slowly.', schema: 'Error' },
  409: {
    description: 'A name is in use, the state does not allow it, or the idempotency key is in use.',
    schema: 'Error',
    headers: rateHeaderRefs,
  },
  413: { description: 'The body is too large.', schema: 'Error' },
  415: { description: 'The body is not JSON.', schema: 'Error' },
  429: { description: 'Too many requests.', schema: 'Error', headers: { ...rateHeaderRefs, ...retryAfter } },
  500: { description: 'Something went wrong; the same call may be tried again.', schema: 'Error' },
  503: {
    description: 'The rate limit could not be checked, or too many bodies are being received; try again.',
    schema: 'Error',
  },
}

const errorSchema = {
  type: 'object',
  required: ['error', 'request_id'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'retryable'],
      additionalProperties: false,
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        retryable: { type: 'boolean' },
        details: {},
      },
    },
    request_id: { type: 'string' },
  },
}

/** The error shape of every route outside the newsletter operations. */
export const platformErrorSchema = {
  type: 'object',
  required: ['error', 'message'],
  additionalProperties: false,
  properties: {
    error: { type: 'string' },
    message: { type: 'string' },
    details: {
      type: 'array',
      description: 'Every flaw of the request. On routes that a session calls only.',
      items: {
        type: 'object',
        required: ['path'],
        properties: { path: { type: 'string', description: 'A JSON pointer.' }, message: { type: 'string' } },
      },
    },
  },
}

const sharedSchemas = {
  Error: errorSchema,
  PlatformError: platformErrorSchema,
  Refusal: { oneOf: [{ $ref: '#/components/schemas/Error' }, { $ref: '#/components/schemas/PlatformError' }] },
}

const sharedHeaders = {
  RateLimitLimit: { description: 'Requests a window.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in the window.', schema: { type: 'integer' } },
  RateLimitReset: {
    description: 'Seconds until the window ends.',
    schema: { type: 'integer', minimum: 1, maximum: 60 },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
}

const projectId = {
  type: 'string',
  description: 'The project. OAuth callers name it; a project API key belongs to one.',
}
const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x20-\\x7E]+$',
  description: 'Required, unless the header Idempotency-Key is sent.',
}
const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Required here or as idempotency_key in the body.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function securitySchemes(origin: string): unknown {
  const scopes = {
    'newsletter:read': 'Read contacts, audiences, campaigns and reports.',
    'newsletter:write': 'Manage contacts, audiences, drafts, templates and imports.',
    'newsletter:send': 'Send, schedule, resume, test and retry.',
    'newsletter:admin': 'Sender settings, connections, deleting lists.',
  }
  return {
    oauth2: authorizationCodeScheme(origin, scopes),
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'A project API key, without "Bearer".',
    },
  }
}

/** The authorization code flow of this server (docs/api/oauth.md#authorization-request). */
export function authorizationCodeScheme(base_url: string, scopes: Record<string, string>): unknown {
  return {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `${base_url}/general/oauth/authorize`,
        tokenUrl: `${base_url}/general/oauth/token`,
        refreshUrl: `${base_url}/general/oauth/token`,
        scopes,
      },
    },
  }
}

function tagOf(operation: Operation): string {
  const [, first = ''] = operation.path.split('/')
  return ['schema', 'overview', 'render'].includes(first) ? 'project' : first
}

/** A TypeBox schema as plain JSON, without symbols and undefined values; named parts become references. */
export function plain(schema: TSchema, named: NamedSchemas): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (value === null || typeof value !== 'object' || !('$id' in value) || typeof value.$id !== 'string') return value
    const { $id, ...rest } = value
    named[$id] = rest
    return { $ref: `#/components/schemas/${$id}` }
  })
}
