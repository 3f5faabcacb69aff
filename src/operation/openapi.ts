import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { version } from '../build.ts'
import { exampleOf, type Sources } from './example.ts'
import { HEADERS } from './openapi-headers.ts'
import type { NamedResponses } from './openapi-refusals.ts'
import { describedNames, describedSchema, type NamedSchemas, plain } from './openapi-schema.ts'
import type { Callable } from './pipeline.ts'
import type { Place, Wording } from './vocabulary.ts'

/** The named components of a document to which its calls refer, and the texts that describe them. */
export interface Named extends Sources {
  responses: NamedResponses
}

/** What a document says of one call beside its summary and whether a client may repeat it. */
interface Description {
  operationId: string
  description?: string
  tags: [string]
  security: readonly unknown[]
  parameters: readonly unknown[]
  requestBody?: unknown
  responses: Readonly<Record<string, unknown>>
}

/** The calls of one document, and how they are described. */
export interface Selection<Call extends Callable> {
  title: string
  description: string
  /** The address before every path. */
  server: string
  /** The credentials of all calls, where they are the same. */
  security?: readonly unknown[]
  securitySchemes: Readonly<Record<string, unknown>>
  /** The schemas of error responses, by name. */
  errors: NamedSchemas
  wording: Wording
  calls: readonly Call[]
  methodsOf(call: Call): readonly string[]
  /** The schemas of its request and its answer, parts of which may have names. */
  schemasOf(call: Call): readonly TSchema[]
  describe(call: Call, named: Named): Description
}

/** The OpenAPI 3.1 document of a selection of calls, made from their declarations (docs/api/conventions.md#openapi). */
export function openApi<Call extends Callable>(selection: Selection<Call>): unknown {
  const { title, description, server, security, securitySchemes, errors, wording, calls } = selection
  const named: Named = { schemas: {}, responses: {}, wording }
  // Collects all named schemas first, because examples refer to them.
  for (const call of calls) for (const schema of selection.schemasOf(call)) plain(schema, named.schemas)
  const tags = new Set<string>()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of calls) {
    const { operationId, description: more, ...rest } = selection.describe(call, named)
    tags.add(rest.tags[0])
    const described = {
      operationId,
      summary: call.summary,
      ...(more === undefined ? {} : { description: more }),
      'x-repeatable': call.repeatable,
      ...rest,
    }
    const path = (paths[call.path.replace(/:(\w+)/g, '{$1}')] ??= {})
    for (const method of selection.methodsOf(call)) path[method] = described
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: server }],
    ...(security === undefined ? {} : { security }),
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes,
      schemas: { ...errors, ...describedNames(named.schemas, wording) },
      responses: named.responses,
      headers: HEADERS,
    },
  }
}

/** A schema with its descriptions, and an example of it: the given one, or one that is generated. */
export function contentOf(
  schema: TSchema,
  { named, place }: In,
  given?: unknown,
): { schema: unknown; example: unknown } {
  const described = describedSchema(schema, named.schemas, named.wording, place)
  return { schema: described, example: given ?? exampleOf(described, named, place) }
}

/** The components of a document, and where in it something is described. */
interface In {
  named: Named
  place: Place
}

/** The parameters of a path or a query, each with its description and an example. */
export function parametersOf(where: 'path' | 'query', schema: TObject, { named, place }: In): unknown[] {
  const { properties } = describedSchema(Type.Object(schema.properties), named.schemas, named.wording, place) as {
    properties: Record<string, { description?: string }>
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: where,
    required: (schema.required ?? []).includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
    example: exampleOf(property, named, place, name),
  }))
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
