import { Type } from '@sinclair/typebox'
import { mutation } from '../../operation/declare.ts'
import { Email, Id, nullable, obj, requiredProse, enumOf } from '../../schema.ts'
import { CONSENT_SOURCES, SKIP_REASONS } from '../consent/consent-rule.ts'
import { toldConsent, ToldConsentInput } from '../consent/told-consent.ts'
import { requireTags } from '../lists/tags.operations.ts'
import { requireAll } from '../names.ts'
import { BLOCK_REASONS, confirmationOutcome } from '../outbox/confirmation-block.ts'
import { Contact, type ContactRow, toContact } from './contact.ts'
import { CustomValuesInput, requireCustomValues } from './custom-values.ts'
import { contactFieldInputs } from './field-schemas.ts'
import { planFull } from './plan-limit.ts'
import { findForSaving } from './found.ts'
import { saveContacts } from './save.ts'
import { one } from '../../store/rows.ts'

const MAX_NAMED = 100

export const ConsentText = requiredProse(4000, 'What the person agreed to, word for word; stored as evidence')

export const ConfirmationsBlocked = Type.Array(obj({ list_id: Id, reason: enumOf(BLOCK_REASONS) }), {
  description: 'Lists whose confirmation cannot leave now. It leaves by itself when the reason ends.',
})

/** Those of the lists that wait for the contact's confirmation. */
export function pendingAmong({ memberships }: ContactRow, list_ids: readonly number[]): number[] {
  const isPending = (id: number) => memberships.some(({ list_id, status }) => list_id === id && status === 'pending')
  return [...new Set(list_ids)].filter(isPending)
}

export const upsertContact = mutation({
  path: '/contacts/upsert',
  scope: 'write',
  audit: { target: { answer: 'contact' } },
  errors: ['PLAN_LIMIT_EXCEEDED', 'INVALID_STATE'],
  summary:
    'Creates a contact, or updates the one with the address, and subscribes it as far as consent, ' +
    'suppressions and double opt-in allow. An opted-out contact is only subscribed with resubscribe. ' +
    'skipped lists what was not subscribed, and why.',
  request: obj({
    email: Email,
    consent_text: ConsentText,
    ...contactFieldInputs,
    list_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_NAMED })),
    tag_ids: Type.Optional(
      Type.Array(Id, { maxItems: MAX_NAMED, description: 'Added to the tags that the contact has.' }),
    ),
    custom_fields: Type.Optional(CustomValuesInput),
    consent: Type.Optional(ToldConsentInput),
    resubscribe: Type.Optional(
      Type.Boolean({
        description: 'Reverses an opt-out, but never a complaint, a hard bounce or a manual suppression.',
      }),
    ),
  }),
  response: obj({
    contact: Contact,
    created: Type.Boolean(),
    confirmations_queued: Type.Integer({
      minimum: 0,
      description: 'Messages; one message covers all lists that need a confirmation.',
    }),
    confirmations_blocked: Type.Optional(ConfirmationsBlocked),
    skipped: Type.Array(obj({ list_id: nullable(Id), reason: enumOf(SKIP_REASONS) }), {
      description: 'list_id is null where no list was named.',
    }),
  }),
  async run(
    { email, consent_text, consent, list_ids = [], tag_ids = [], resubscribe, ...profile },
    { tx, keys, project_id, config: { contacts_per_project }, now, address, user_agent, afterCommit, wake },
  ) {
    const told = consent && toldConsent(consent, now)
    const with_fields = profile.custom_fields !== undefined
    const text = consent_text.toWellFormed()
    const wanted = { emails: [email], list_ids, with_fields, consent_text: text, contacts_per_project }
    const found = await findForSaving(tx, project_id, wanted)
    requireCustomValues(found.fields, profile.custom_fields)
    requireAll('list', '/list_ids', list_ids, found.lists)
    await requireTags(tx, project_id, tag_ids)
    const source = resubscribe ? CONSENT_SOURCES.resubscribe : CONSENT_SOURCES.upsert
    const saved = one(
      await saveContacts(tx, [{ email, consent: told, ...profile }], {
        found,
        tag_ids,
        known: 'update',
        known_consents_without_list: true,
        consent: { keys, project_id, text, source, now, address, user_agent },
      }),
    )
    if (saved.outcome === 'no_room') throw planFull(found.contact_limit)
    if (saved.confirms) afterCommit(() => wake('delivery'))
    const waiting = pendingAmong(saved.contact, list_ids)
    return {
      contact: toContact(saved.contact),
      created: saved.outcome === 'created',
      ...(await confirmationOutcome(tx, { project_id, waiting, confirms: saved.confirms, now })),
      skipped: saved.skipped,
    }
  },
})
