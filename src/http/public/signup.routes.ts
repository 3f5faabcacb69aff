import { Type } from '@sinclair/typebox'
import { byContactField } from '../../shared/contact-fields.ts'
import { invalid } from '../../errors.ts'
import { CONSENT_SOURCES } from '../../newsletter/consent/consent-rule.ts'
import { throughForm } from '../../newsletter/consent/sign-up-by-form.ts'
import { requirePublicLists, signUp } from '../../newsletter/consent/sign-up.ts'
import { CustomValuesInput, type FieldDefinition, fieldDefinitions } from '../../newsletter/contacts/custom-values.ts'
import { contactFieldInputs } from '../../newsletter/contacts/field-schemas.ts'
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
    ...contactFieldInputs,
    custom_fields: Type.Optional(CustomValuesInput),
    consent_text: Type.Optional(ConsentText),
    form_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'A sign-up form of the project: it has the lists and the wording.' }),
    ),
    form_version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Which of its wordings was shown; else the newest.' }),
    ),
  },
  // A form has the wording and the lists.
  rule: {
    oneOf: [
      { required: ['form_id'], not: { anyOf: [{ required: ['consent_text'] }, { required: ['list_ids'] }] } },
      { required: ['consent_text'], not: { required: ['form_id'] } },
    ],
  },
  fromFields,
  status: 202,
  confirmation: 'signed_up',
  errors: ['INVALID_STATE'],
  async act(tx, { form_id, form_version, ...given }, { project, context, is_form }) {
    const { keys, config, now, address, user_agent } = context
    const from = { contacts_per_project: config.contacts_per_project, keys, now, address, user_agent }
    const custom_fields =
      is_form && given.custom_fields
        ? typed(given.custom_fields, await fieldDefinitions(tx, project.id))
        : given.custom_fields
    if (form_id !== undefined) {
      const { by, after, ...person } = await throughForm(tx, project.id, {
        form_id,
        form_version,
        ...given,
        custom_fields,
      })
      return { ...(await signUp(tx, project.id, person, { by, ...from })), after }
    }
    const { consent_text } = given
    if (consent_text === undefined) throw invalid('/consent_text', 'Required.')
    await requirePublicLists(tx, project.id, given.list_ids ?? [], '/list_ids')
    const person = { ...given, consent_text, custom_fields }
    return signUp(tx, project.id, person, { by: CONSENT_SOURCES.signup, ...from })
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
    ...byContactField(({ name }) => fields.one(name)),
    custom_fields: custom.length === 0 ? undefined : Object.fromEntries(custom),
    consent_text: fields.one('consent_text'),
    form_id: fields.one('form_id'),
    form_version: fields.ids('form_version')?.[0],
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
