import { type Static, Type } from '@sinclair/typebox'
import { CONSENT_SOURCES } from '../../newsletter/consent/consent-rule.ts'
import { requirePublicLists, signUp } from '../../newsletter/consent/sign-up.ts'
import { Email, Id, obj } from '../../schema.ts'
import { addEntry, EntryFields, FormName } from '../../sites/entries.ts'
import type { FormFields } from './form-fields.ts'
import { formRoute } from './public-form.ts'
import { ConsentText } from './signup.routes.ts'

const OptIn = obj({
  email: Email,
  list_ids: Type.Array(Id, { minItems: 1, maxItems: 100 }),
  consent_text: ConsentText,
})

/** Stores what a form sends and optionally signs the sender up (docs/api/sites.md#form-entries). */
export const formEntryRoute = formRoute({
  path: '/general/project/form/entry',
  summary: 'Stores the fields of a form, and signs the sender up when the form asks for it.',
  properties: { form: FormName, fields: EntryFields, newsletter: Type.Optional(OptIn) },
  fromFields,
  status: 200,
  confirmation: 'sent',
  wakes: 'forms',
  errors: ['INVALID_STATE'],
  async act(tx, { form, fields, newsletter }, { project, context: { keys, config, now, address, user_agent } }) {
    if (newsletter) await requirePublicLists(tx, project.id, newsletter.list_ids, '/newsletter/list_ids')
    const { form_entries_per_project: most, contacts_per_project } = config
    await addEntry(tx, { project_id: project.id, most, now }, { form, fields })
    if (!newsletter) return { confirms: false }
    return signUp(tx, project.id, newsletter, {
      by: CONSENT_SOURCES.form,
      contacts_per_project,
      keys,
      now,
      address,
      user_agent,
    })
  },
})

const OWN_FIELDS: ReadonlySet<string> = new Set(['project_id', 'form', 'website', 'return_url', 'altcha'])

/**
 * The service's own fields have fixed names: `project_id`, `form`, `website`, `return_url`, `altcha`, and
 * `newsletter[email]`, `newsletter[list_ids]`, `newsletter[consent_text]`. All others, with or without `fields[…]`
 * around their name, are fields of the form. Ticking a list asks for the newsletter; without an address of its own it
 * uses the field `email`.
 */
function fromFields(fields: FormFields): Record<string, unknown> {
  const names = fields.names().filter((name) => !OWN_FIELDS.has(name) && !/^newsletter[[.]/.test(name))
  const list_ids = fields.ids('newsletter[list_ids]', 'newsletter[list_ids][]', 'newsletter.list_ids')
  const newsletter = {
    email: fields.one('newsletter[email]', 'newsletter.email', 'fields[email]', 'email'),
    list_ids,
    consent_text: fields.one('newsletter[consent_text]', 'newsletter.consent_text'),
  } satisfies Record<keyof Static<typeof OptIn>, unknown>
  return {
    project_id: fields.one('project_id'),
    form: fields.one('form'),
    website: fields.one('website'),
    return_url: fields.one('return_url'),
    altcha: fields.one('altcha'),
    fields: Object.fromEntries(
      names.map((name) => {
        const values = fields.all(name)
        return [/^fields\[(.+)\]$/s.exec(name)?.[1] ?? name, values.length === 1 ? values[0] : values]
      }),
    ),
    newsletter: list_ids === undefined ? undefined : newsletter,
  }
}
