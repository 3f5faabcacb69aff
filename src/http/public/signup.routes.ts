import { Type } from '@sinclair/typebox'
import { requirePublicLists, signUp } from '../../newsletter/consent/sign-up.ts'
import { PersonName } from '../../newsletter/contacts/contact.ts'
import { CustomValuesInput, type FieldDefinition, fieldDefinitions } from '../../newsletter/contacts/custom-values.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import { Email, Id, prose } from '../../schema.ts'
import type { FormFields } from './form-fields.ts'
import { formRoute } from './public-form.ts'

/** The wording that a visitor agreed to. */
export const ConsentText = prose(4000, { min: 1 })

/** Newsletter signup (docs/api/consent.md#signup). The response does not reveal whether the address was known. */
export const signupRoute = formRoute({
  path: `${PUBLIC_ROOT}/signup`,
  summary: 'Signs a visitor up for public lists.',
  properties: {
    email: Email,
    list_ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
    first_name: Type.Optional(PersonName),
    last_name: Type.Optional(PersonName),
    custom_fields: Type.Optional(CustomValuesInput),
    consent_text: ConsentText,
  },
  fromFields,
  status: 202,
  confirmation: 'signed_up',
  errors: ['INVALID_STATE'],
  async act(tx, { custom_fields: given, ...person }, { project, context, is_form }) {
    await requirePublicLists(tx, project.id, person.list_ids ?? [], '/list_ids')
    const custom_fields = is_form && given ? typed(given, await fieldDefinitions(tx, project.id)) : given
    const { config, now, address, user_agent } = context
    const { contacts_per_project } = config
    const from = { by: 'signup' as const, contacts_per_project, now, address, user_agent }
    return signUp(tx, project.id, { ...person, custom_fields }, from)
  },
})

/** Custom fields are named `custom_fields[KEY]` or `custom_fields.KEY`. Other fields, such as a button, are ignored. */
function fromFields(fields: FormFields): Record<string, unknown> {
  const custom = fields.names().flatMap((name) => {
    const key = /^custom_fields(?:\[(.+)\]|\.(.+))$/s.exec(name)
    const value = fields.one(name)
    return key && value !== undefined ? [[key[1] ?? key[2]!, value] as const] : []
  })
  return {
    project_id: fields.one('project_id'),
    email: fields.one('email'),
    list_ids: fields.ids('list_ids', 'list_ids[]'),
    first_name: fields.one('first_name'),
    last_name: fields.one('last_name'),
    custom_fields: custom.length === 0 ? undefined : Object.fromEntries(custom),
    consent_text: fields.one('consent_text'),
    website: fields.one('website'),
    return_url: fields.one('return_url'),
    altcha: fields.one('altcha'),
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'on', '1', 'yes'].map((text) => [text, true] as const),
  ...['false', '0', 'no'].map((text) => [text, false] as const),
])

/** Converts the texts of an HTML form to the types of the project's custom fields. */
function typed(values: CustomValuesInput, definitions: readonly FieldDefinition[]): CustomValuesInput {
  const types = new Map(definitions.map(({ key, type }) => [key, type]))
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const type = types.get(key)
      if (typeof value !== 'string') return [key, value]
      if (type === 'number' && /^[-+]?\d+(\.\d+)?$/.test(value.trim())) return [key, Number(value)]
      return [key, type === 'boolean' ? (BOOLEANS.get(value) ?? value) : value]
    }),
  )
}
