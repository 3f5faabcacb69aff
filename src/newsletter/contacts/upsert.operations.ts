import { type Static, Type } from '@sinclair/typebox'
import { mailboxOf } from '../../address.ts'
import { mutation, type MutationContext } from '../../operation/declare.ts'
import { Email, Id, nullable, obj, requiredProse, enumOf } from '../../schema.ts'
import { CONSENT_SOURCES, SKIP_REASONS } from '../consent/consent-rule.ts'
import { toldConsent, ToldConsentInput } from '../consent/told-consent.ts'
import { findTags } from '../lists/tags.operations.ts'
import { requireAll } from '../names.ts'
import { BLOCK_REASONS, confirmationOutcomes } from '../outbox/confirmation-block.ts'
import { Contact, type ContactRow, toContact } from './contact.ts'
import { CustomValuesInput, requireCustomValues } from './custom-values.ts'
import { contactFieldInputs } from './field-schemas.ts'
import { planFull } from './plan-limit.ts'
import { findForSaving, type Found } from './found.ts'
import { type Arrival, saveContacts } from './save.ts'
import type { Tx } from '../../store/open.ts'
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

const Request = obj({
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
})

const Response = obj({
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
})

export const upsertContact = mutation({
  path: '/contacts/upsert',
  scope: 'write',
  audit: { target: { answer: 'contact' } },
  errors: ['PLAN_LIMIT_EXCEEDED', 'INVALID_STATE'],
  summary:
    'Creates a contact, or updates the one with the address, and subscribes it as far as consent, ' +
    'suppressions and double opt-in allow. An opted-out contact is only subscribed with resubscribe. ' +
    'skipped lists what was not subscribed, and why.',
  request: Request,
  response: Response,
  async run(input, context) {
    const upserted = one(await upsertAll(context.tx, [{ input, context }]))
    if ('refusal' in upserted) throw upserted.refusal
    return upserted.answer
  },
  set: {
    keyOf: ({ consent_text, resubscribe }, { project_id, address, user_agent }) =>
      resubscribe ? null : JSON.stringify([project_id, consent_text, address, user_agent]),
    async run(tx, calls) {
      // The later ones of a mailbox depend on the first: on its contact, and on its confirmation message.
      const ofMailboxes = Map.groupBy(calls, ({ input }) => mailboxOf(input.email))
      const some = [...ofMailboxes.values()].map(([first]) => first!)
      const upserted = await upsertAll(tx, some)
      const answers = new Map(some.map((call, index) => [call, upserted[index]!]))
      return calls.map((call) => {
        const outcome = answers.get(call)
        return outcome && 'answer' in outcome ? outcome.answer : null
      })
    },
  },
})

interface UpsertCall {
  input: Static<typeof Request>
  context: MutationContext
}

type Upserted = { answer: Static<typeof Response> } | { refusal: unknown }

/**
 * Upserts contacts for calls that have project, text of consent and origin in common, and different mailboxes. Answers
 * in their order. The number of statements does not depend on the number of calls.
 */
async function upsertAll(tx: Tx, calls: readonly UpsertCall[]): Promise<Upserted[]> {
  if (calls.length === 0) return []
  const { input, context } = calls[0]!
  const { keys, project_id, config, address, user_agent } = context
  const inputs = calls.map((call) => call.input)
  const now = Math.max(...calls.map((call) => call.context.now))
  const text = input.consent_text.toWellFormed()
  const found = await findForSaving(tx, project_id, {
    emails: inputs.map(({ email }) => email),
    list_ids: [...new Set(inputs.flatMap(({ list_ids = [] }) => list_ids))],
    with_fields: inputs.some(({ custom_fields }) => custom_fields !== undefined),
    consent_text: text,
    contacts_per_project: config.contacts_per_project,
  })
  const tags = await findTags(tx, project_id, [...new Set(inputs.flatMap(({ tag_ids = [] }) => tag_ids))])
  const arrivals = calls.map((call) => arrivalOf(call, found, tags))
  const accepted = arrivals.filter((arrival) => 'person' in arrival)
  const source = input.resubscribe ? CONSENT_SOURCES.resubscribe : CONSENT_SOURCES.upsert
  const saved = await saveContacts(
    tx,
    accepted.map(({ person }) => person),
    {
      found,
      known: 'update',
      known_consents_without_list: true,
      consent: { keys, project_id, text, source, now, address, user_agent },
    },
  )
  const outcomes = await confirmationOutcomes(
    tx,
    { project_id, now },
    saved.map((one, index) =>
      one.outcome === 'no_room'
        ? { waiting: [], confirms: false }
        : { waiting: pendingAmong(one.contact, accepted[index]!.person.list_ids), confirms: one.confirms },
    ),
  )
  const upserted = new Map(
    accepted.map((arrival, index): [Arriving, Upserted] => {
      const one = saved[index]!
      if (one.outcome === 'no_room') return [arrival, { refusal: planFull(found.contact_limit) }]
      const { contact, outcome, skipped, confirms } = one
      if (confirms) arrival.context.afterCommit(() => arrival.context.wake('delivery'))
      const created = outcome === 'created'
      return [arrival, { answer: { contact: toContact(contact), created, ...outcomes[index]!, skipped } }]
    }),
  )
  return arrivals.map((arrival) => ('refusal' in arrival ? arrival : upserted.get(arrival)!))
}

interface Arriving {
  context: MutationContext
  person: Arrival & { list_ids: readonly number[] }
}

/** The person that a call names, or why the call is refused. */
function arrivalOf(
  { input, context }: UpsertCall,
  { fields, lists }: Found,
  tags: readonly { id: number }[],
): Arriving | { refusal: unknown } {
  const { consent, list_ids = [], tag_ids = [], ...person } = input
  try {
    const told = consent && toldConsent(consent, context.now)
    requireCustomValues(fields, person.custom_fields)
    requireAll('list', '/list_ids', list_ids, lists)
    requireAll('tag', '/tag_ids', tag_ids, tags)
    return { context, person: { ...person, list_ids, tag_ids, consent: told } }
  } catch (refusal) {
    return { refusal }
  }
}
