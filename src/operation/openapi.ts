import { Type } from '@sinclair/typebox'
import { version } from '../build.ts'
import { operationAnchor, operationGroup } from '../shared/chapters.ts'
import type { Operation } from './declare.ts'
import { exampleOf, type Sources } from './example.ts'
import { NEWSLETTER_ERRORS } from './openapi-errors.ts'
import { headerRefs, HEADERS } from './openapi-headers.ts'
import { type NamedResponses, RATE_HEADERS, refusals } from './openapi-refusals.ts'
import { describedNames, describedSchema, plain } from './openapi-schema.ts'
import type { Place, Wording } from './vocabulary.ts'

/** The OpenAPI 3.1 document of a list of operations, made from their declarations (docs/api/conventions.md#openapi). */
export function openApi(operations: readonly Operation[], server: string, wording: Wording): unknown {
  const named: Named = { schemas: {}, responses: {}, wording }
  // Collects all named schemas first, because examples refer to them.
  for (const { request, response } of operations) plain(Type.Tuple([request, response]), named.schemas)
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
    tags: [...new Set(operations.map(({ path }) => operationGroup(path)))].map((tag) => ({ name: tag })),
    paths,
    components: {
      securitySchemes: securitySchemes(new URL(server).origin),
      schemas: { ...NEWSLETTER_ERRORS, ...describedNames(named.schemas, wording) },
      responses: named.responses,
      headers: HEADERS,
    },
  }
}

/** The named components of the document, and the texts that describe them. */
interface Named extends Sources {
  responses: NamedResponses
}

function describe(operation: Operation, named: Named): unknown {
  const isMutation = operation.act.kind === 'mutation'
  return {
    operationId: operationAnchor(operation.path),
    summary: operation.summary,
    description:
      `Scope \`newsletter:${operation.scope}\`, role ${operation.role} or ` +
      `higher.${isMutation ? ' A mutation: needs an idempotency key.' : ''}`,
    tags: [operationGroup(operation.path)],
    security: [{ oauth2: [`newsletter:${operation.scope}`] }, { apiKey: [] }],
    'x-repeatable': operation.repeatable,
    parameters: isMutation ? [keyHeader] : [],
    requestBody: { required: true, content: { 'application/json': requestContent(operation, named) } },
    responses: responses(operation, named),
  }
}

/** One strict object of the operation's properties, `project_id` and `idempotency_key`, with an example. */
function requestContent({ path, request, act }: Operation, named: Named): unknown {
  const place = placeOf(path)
  const own = describedSchema(request, named.schemas, named.wording, place) as { properties?: Record<string, unknown> }
  const key = act.kind === 'mutation' ? idempotencyKey : { description: 'Ignored.' }
  return {
    schema: { ...own, properties: { project_id: projectId, idempotency_key: key, ...own.properties } },
    example: named.wording.requests[path.slice(1)] ?? exampleOf(own, named, place),
  }
}

function placeOf(path: string): Place {
  const [, group = '', name = group] = path.split('/')
  return { parent: name, group }
}

function responses(operation: Operation, named: Named): Record<string, unknown> {
  const { act, status, errors } = operation
  const statuses = act.kind === 'mutation' && act.statusOf ? [200, 202] : [status]
  const headers = [...ALWAYS, ...RATE_HEADERS, ...(act.kind === 'mutation' ? ['Idempotent-Replayed'] : [])]
  return {
    ...Object.fromEntries(
      statuses.map((success) => [
        success,
        {
          description: success === 202 ? 'Accepted: the work is queued.' : 'Done.',
          headers: headerRefs(headers),
          content: content(operation, named),
        },
      ]),
    ),
    ...refusals(errors, 'newsletter', named.responses),
  }
}

const ALWAYS = ['X-Request-ID']

function content({ act, response, path }: Operation, named: Named): unknown {
  if (act.kind === 'stream')
    return {
      [act.media_type]: {
        schema: plain(response, named.schemas),
        example: 'email,first_name\r\nada@example.com,Ada\r\n',
      },
    }
  const place = placeOf(path)
  const data = describedSchema(response, named.schemas, named.wording, { ...place, parent: 'data' })
  const envelope = {
    type: 'object',
    required: ['data', 'request_id'],
    properties: {
      data: described(data, 'What the operation answers.'),
      request_id: { type: 'string', description: 'The id of the request, as in X-Request-ID.' },
    },
    additionalProperties: false,
  }
  const example = { data: exampleOf(data, named, { ...place, parent: 'data' }), request_id: 'req_1f2e' }
  return { 'application/json': { schema: envelope, example } }
}

const described = (schema: unknown, description: string) => ({ description, ...(schema as object) })

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
