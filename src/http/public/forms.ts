import { type Static, Type } from '@sinclair/typebox'
import { requirePublicLists, signUp } from '../../newsletter/consent/sign-up.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import { Email, Id, obj, prose } from '../../schema.ts'
import { addEntry, EntryFields, FormName } from '../../sites/entries.ts'
import type { Runtime } from '../../runtime.ts'
import type { Handler } from '../core/exchange.ts'
import { asIds, type FormFields, publicForm } from './public-form.ts'

export const FORM_ENTRY_PATH = '/general/project/form/entry'

export const ConsentWords = prose(4000, { min: 1 })

const OptIn = obj({
  email: Email,
  list_ids: Type.Array(Id, { minItems: 1, maxItems: 100 }),
  consent_text: ConsentWords,
})

const PROPERTIES = { form: FormName, fields: EntryFields, newsletter: Type.Optional(OptIn) }

/** `POST /general/project/form/entry` (contract section 5): keeps what a form sends in, and signs up whoever asks for it. */
export function formEntry(runtime: Runtime, limiter: RateLimiter): Handler {
  return publicForm(runtime, limiter, {
    properties: PROPERTIES,
    bodyOf: entryOf,
    status: 200,
    thanks: 'sent',
    async act({ form, fields, newsletter }, project, { now, address, user_agent }) {
      const confirms = await runtime.store.write(async (tx) => {
        if (newsletter) await requirePublicLists(tx, project.id, newsletter.list_ids, '/newsletter/list_ids')
        await addEntry(tx, project.id, { form, fields }, now)
        return (
          newsletter !== undefined &&
          (await signUp(tx, project.id, newsletter, 'form', { now, address, user_agent })).confirms
        )
      })
      if (confirms) runtime.wake('delivery')
    },
  })
}

const OWN_FIELDS: ReadonlySet<string> = new Set(['project_id', 'form', 'website', 'return_url'])

/**
 * The fields of a form: those of the product by name, `newsletter[email]`, `newsletter[list_ids]` and
 * `newsletter[consent_text]`, and all others, with or without `fields[…]` around their name, as the form's own.
 * The newsletter counts when a list is ticked; its address is the field `email` where it has none of its own.
 */
function entryOf(fields: FormFields): Record<string, unknown> {
  const own = fields.names().filter((name) => !OWN_FIELDS.has(name) && !/^newsletter[[.]/.test(name))
  const list_ids = fields
    .all('newsletter[list_ids]', 'newsletter[list_ids][]', 'newsletter.list_ids')
    .filter((text) => text !== '')
  return {
    project_id: fields.one('project_id'),
    form: fields.one('form'),
    website: fields.one('website'),
    return_url: fields.one('return_url'),
    fields: Object.fromEntries(
      own.map((name) => [/^fields\[(.+)\]$/s.exec(name)?.[1] ?? name, single(fields.all(name))]),
    ),
    newsletter:
      list_ids.length === 0
        ? undefined
        : ({
            email: fields.one('newsletter[email]', 'newsletter.email', 'fields[email]', 'email'),
            list_ids: asIds(list_ids),
            consent_text: fields.one('newsletter[consent_text]', 'newsletter.consent_text'),
          } satisfies Record<keyof Static<typeof OptIn>, unknown>),
  }
}

function single(values: string[]): string | string[] {
  return values.length === 1 ? values[0]! : values
}
