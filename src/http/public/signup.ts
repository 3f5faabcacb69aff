import { Type } from '@sinclair/typebox'
import { PersonName } from '../../newsletter/contacts/contact.ts'
import { CustomValuesInput, type FieldDefinition, fieldDefinitions } from '../../newsletter/contacts/custom-values.ts'
import { requirePublicLists, signUp } from '../../newsletter/consent/sign-up.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import { Email, Id } from '../../schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { Handler } from '../core/exchange.ts'
import { ConsentWords } from './forms.ts'
import { asIds, type FormFields, publicForm } from './public-form.ts'

const PROPERTIES = {
  email: Email,
  list_ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  first_name: Type.Optional(PersonName),
  last_name: Type.Optional(PersonName),
  custom_fields: Type.Optional(CustomValuesInput),
  consent_text: ConsentWords,
}

/** `POST /general/newsletter/signup` (contract section 5): the same answer whether the address was known or not. */
export function newsletterSignup(runtime: Runtime, limiter: RateLimiter): Handler {
  return publicForm(runtime, limiter, {
    properties: PROPERTIES,
    bodyOf: signupOf,
    status: 202,
    thanks: 'signed_up',
    async act({ custom_fields: given, ...person }, project, { now, address, user_agent }, isForm) {
      const { confirms } = await runtime.store.write(async (tx) => {
        await requirePublicLists(tx, project.id, person.list_ids ?? [], '/list_ids')
        const custom_fields = isForm && given ? typed(given, await fieldDefinitions(tx, project.id)) : given
        return signUp(tx, project.id, { ...person, custom_fields }, 'signup', { now, address, user_agent })
      })
      if (confirms) runtime.wake('delivery')
    },
  })
}

/** The fields of a form; `custom_fields[KEY]` for values. A browser adds some that are nobody's, such as its button. */
function signupOf(fields: FormFields): Record<string, unknown> {
  const list_ids = fields.all('list_ids', 'list_ids[]').filter((text) => text !== '')
  const custom = fields.names().flatMap((name) => {
    const key = /^custom_fields(?:\[(.+)\]|\.(.+))$/s.exec(name)
    const value = fields.one(name)
    return key && value !== undefined ? [[key[1] ?? key[2]!, value] as const] : []
  })
  return {
    project_id: fields.one('project_id'),
    email: fields.one('email'),
    list_ids: list_ids.length === 0 ? undefined : asIds(list_ids),
    first_name: fields.one('first_name'),
    last_name: fields.one('last_name'),
    custom_fields: custom.length === 0 ? undefined : Object.fromEntries(custom),
    consent_text: fields.one('consent_text'),
    website: fields.one('website'),
    return_url: fields.one('return_url'),
  }
}

/** A form has only texts: those of numbers and of yes or no become what they stand for. */
function typed(values: CustomValuesInput, definitions: readonly FieldDefinition[]): CustomValuesInput {
  const types = new Map(definitions.map(({ key, type }) => [key, type]))
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const type = types.get(key)
      if (type === 'number' && typeof value === 'string' && /^[-+]?\d+(\.\d+)?$/.test(value.trim()))
        return [key, Number(value)]
      if (type === 'boolean')
        return [
          key,
          value === 'true' || value === 'on' || value === '1' || value === 'yes'
            ? true
            : value === 'false' || value === '0' || value === 'no'
              ? false
              : value,
        ]
      return [key, value]
    }),
  )
}
