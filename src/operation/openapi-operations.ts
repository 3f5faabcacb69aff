import { operationAnchor, operationGroup } from '../shared/chapters.ts'
import type { Operation } from './declare.ts'
import { authorizationCodeScheme, contentOf, type Named, openApi } from './openapi.ts'
import { NEWSLETTER_ERRORS } from './openapi-errors.ts'
import { headerRefs } from './openapi-headers.ts'
import { RATE_HEADERS, refusals } from './openapi-refusals.ts'
import { plain } from './openapi-schema.ts'
import type { Place, Wording } from './vocabulary.ts'

/** The OpenAPI document of operations below the given address. */
export function operationsOpenApi(operations: readonly Operation[], server: string, wording: Wording): unknown {
  return openApi({
    title: 'Masthead newsletter API',
    description:
      'Contacts, consent, audiences, campaigns and delivery of a project. Every operation is a POST ' +
      'with a JSON body; every mutation needs an idempotency key.',
    server,
    security: [{ oauth2: [] }, { apiKey: [] }],
    securitySchemes: securitySchemes(new URL(server).origin),
    errors: NEWSLETTER_ERRORS,
    wording,
    calls: operations,
    methodsOf: () => ['post'],
    schemasOf: ({ request, response }) => [request, response],
    describe,
  })
}

function describe(operation: Operation, named: Named) {
  const isMutation = operation.act.kind === 'mutation'
  return {
    operationId: operationAnchor(operation.path),
    description:
      `Scope \`newsletter:${operation.scope}\`, role ${operation.role} or ` +
      `higher.${isMutation ? ' A mutation: needs an idempotency key.' : ''}`,
    tags: [operationGroup(operation.path)] as [string],
    security: [{ oauth2: [`newsletter:${operation.scope}`] }, { apiKey: [] }],
    parameters: isMutation ? [keyHeader] : [],
    requestBody: { required: true, content: { 'application/json': requestContent(operation, named) } },
    responses: responses(operation, named),
  }
}

/** One strict object of the operation's properties, `project_id` and `idempotency_key`, with an example. */
function requestContent({ path, request, act }: Operation, named: Named): unknown {
  const given = named.wording.requests[path.slice(1)]
  const { schema, example } = contentOf(request, { named, place: placeOf(path) }, given)
  const { properties, ...strict } = schema as { properties?: Record<string, unknown> }
  const key = act.kind === 'mutation' ? idempotencyKey : { description: 'Ignored.' }
  return {
    schema: { ...strict, properties: { project_id: projectId, idempotency_key: key, ...properties } },
    example,
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
  const { schema, example } = contentOf(response, { named, place: { ...placeOf(path), parent: 'data' } })
  const envelope = {
    type: 'object',
    required: ['data', 'request_id'],
    properties: {
      data: { description: 'What the operation answers.', ...(schema as object) },
      request_id: { type: 'string', description: 'The id of the request, as in X-Request-ID.' },
    },
    additionalProperties: false,
  }
  return { 'application/json': { schema: envelope, example: { data: example, request_id: 'req_1f2e' } } }
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

function securitySchemes(origin: string): Record<string, unknown> {
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
