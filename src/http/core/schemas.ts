import { type TProperties, Type } from '@sinclair/typebox'
import { enumOf, nullable, obj, Timestamp } from '../../schema.ts'
import { PARAMETER_KEY, PARAMETER_MAX_BYTES, PARAMETER_MAX_KEYS } from '../../scripts/parameters.ts'
import { ROLES } from '../../shared/roles.ts'
import { PARAMETER_FORMATS } from '../../store/tables/scripts.ts'

/** Schemas that responses of several route families share. */

export const Success = obj({ success: Type.Literal(true) })
export const SUCCESS = { success: true } as const

/** ISO 8601 in UTC, or null. */
export const MaybeTime = nullable(Timestamp)
export const RoleName = enumOf(ROLES)

/** A project as the API shows it; `domain` is absent for a project without one. */
export const ProjectRecord = obj({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  domain: Type.Optional(Type.String()),
})

/** Parameters of a script, by name. */
export const ParameterValues = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
)

/** The parameters that a request gives; `checkParameters` checks them. */
export const ParameterInput = Type.Unknown({
  type: 'object',
  maxProperties: PARAMETER_MAX_KEYS,
  propertyNames: { pattern: PARAMETER_KEY.source },
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: PARAMETER_MAX_BYTES, pattern: '^[^\\u0000]*$' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
    ],
  },
})

/** A range of code, in UTF-16 units. */
export const PlaceRecord = obj(
  { from: Type.Integer({ minimum: 0 }), to: Type.Integer({ minimum: 0 }) },
  { description: 'A piece of the code, in UTF-16 units.' },
)

/** How the values of a script's parameters are inserted into markup, by name. */
export const ParameterFormats = Type.Record(Type.String({ pattern: PARAMETER_KEY.source }), enumOf(PARAMETER_FORMATS), {
  additionalProperties: false,
  maxProperties: PARAMETER_MAX_KEYS,
  description: '`text` (the default) escapes `&`, `<` and `>`; `html` stands as it is.',
})

/** The same properties, none of them required. */
export function optional<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties)).properties
}
