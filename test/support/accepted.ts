import type { TSchema } from '@sinclair/typebox'
import type { Call } from './tab.ts'
import { declaredRoutes } from '../../src/http/routes.ts'
import { operations } from '../../src/newsletter/operations.ts'

interface Made {
  /** For fields of the same names. */
  given: Record<string, unknown>
  /** For times, in ISO 8601. */
  at: string
  /** For what is counted and listed. */
  count: number
}

/**
 * The answer to a call, made from the declaration of its route or operation, with the values that the call has.
 *
 * @param at in ISO 8601, for times
 * @param count for what is counted and listed: 0 says that nothing is left
 */
export function acceptedAnswer({ name, body }: Pick<Call, 'name' | 'body'>, at: string, count: number): unknown {
  const given = Object(body) as Record<string, unknown>
  const own = Object.entries(given).find(([key]) => key.endsWith('_id') && key !== 'project_id')?.[1]
  return valueOf(responseOf(name), { given: { ...given, ...(own !== undefined && { id: own }) }, at, count })
}

let responses: Map<string, TSchema> | null = null

/** @param name such as `lists/create` or `DELETE /user/sessions/12` */
function responseOf(name: string): TSchema {
  responses ??= new Map([
    ...operations.map(({ path, response }) => [path.slice(1), response] as const),
    ...declaredRoutes().flatMap(({ methods, path, response }) =>
      typeof response === 'object' ? methods.map((method) => [`${method} ${path}`, response as TSchema] as const) : [],
    ),
  ])
  const exact = responses.get(name)
  if (exact) return exact
  for (const [pattern, response] of responses)
    if (new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(name)) return response
  throw new Error(`Nothing that answers JSON is declared as ${name}.`)
}

/** Of several forms the first, of a list one entry, and of an object every field. */
function valueOf(schema: TSchema, made: Made): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [variant] = (schema.anyOf ?? schema.oneOf ?? []) as TSchema[]
  if (variant) return valueOf(variant, made)
  if (schema.type === 'object') {
    const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    return Object.fromEntries(
      fields.map(([key, field]) => [key, isPlain(made.given[key]) ? made.given[key] : valueOf(field, made)]),
    )
  }
  if (schema.type === 'array') return Array.from({ length: made.count }, () => valueOf(schema.items as TSchema, made))
  if (schema.type === 'string') return schema.format === 'date-time' ? made.at : 'Answered words'
  if (schema.type === 'boolean') return true
  return schema.type === 'null' ? null : schema.minimum === 1 ? 2 : made.count
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
