import { type TOptional, type TSchema, Type, type TUnsafe } from '@sinclair/typebox'
import { byContactField, type ContactField } from '../../shared/contact-fields.ts'
import { checker, line } from '../../schema.ts'

/** The standard fields of a contact in schemas, and what is wrong with a value. */

interface TypeOfField {
  schema(field: ContactField): TUnsafe<string>
  /** What is expected of a value, as the rest of a sentence. */
  expected(field: ContactField): string
}

const TYPES: Readonly<Record<ContactField['type'], TypeOfField>> = {
  line: {
    schema: ({ max_length }) => line(max_length),
    expected: ({ max_length }) => `one line of at most ${max_length} characters`,
  },
}

const SCHEMAS = byContactField((field) => TYPES[field.type].schema(field))

/** Properties of a request that may name each field. */
export const contactFieldInputs: Record<keyof typeof SCHEMAS, TOptional<TUnsafe<string>>> = byContactField(({ name }) =>
  Type.Optional(SCHEMAS[name]),
)

/** Properties of an answer that has each field. */
export const contactFieldAnswers = byContactField(() => Type.String())

/** What is wrong with a value, as a sentence; null when it is valid. */
export function contactFieldFlaw(field: ContactField<keyof typeof SCHEMAS>, value: string): string | null {
  return isValid(SCHEMAS[field.name], value) ? null : `Expected ${TYPES[field.type].expected(field)}.`
}

function isValid(schema: TSchema, value: string): boolean {
  return checker(schema).Check(value)
}
