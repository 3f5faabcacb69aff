import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { invalid, invalidState, notFound } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { emailKey, tidyAddress } from '../../address.ts'
import {
  atLeastOneOf,
  Cursor,
  Email,
  enumOf,
  exactlyOneOf,
  Id,
  Limit,
  nullable,
  obj,
  Order,
  Timestamp,
} from '../../schema.ts'
import { orConflict } from '../../store/constraint.ts'
import { page } from '../../store/page.ts'
import { SUPPRESSION_REASONS } from '../../store/tables/audience.ts'
import { unsubscribeFromAll } from '../consent/unsubscribe.ts'
import { respellRecipient } from '../outbox/enqueue.ts'
import { requireTags } from '../lists/tags.operations.ts'
import { countContacts, Stats } from './contact-counts.ts'
import { contactFilters, mayScan, requireFilters, settledFilters } from './contact-filter.ts'
import { Activity, ConsentEntry, findWithHistory, MAX_ACTIVITY, MAX_CONSENTS } from './contact-history.ts'
import { commonOf, contactsOf, contactsPage, fastestSource, type PageRow } from './contact-page.ts'
import { putTags, removeTags } from './contact-tags.ts'
import { Contact, getContact, toContact } from './contact.ts'
import { CustomValuesInput, fieldDefinitions, requireCustomValues } from './custom-values.ts'
import { changeAddress, deleteContacts, resetBounce } from './edit-contacts.ts'
import { contactFieldInputs } from './field-schemas.ts'
import { updateProfile } from './save.ts'

export const listContacts = read({
  path: '/contacts/list',
  scope: 'read',
  summary: 'Lists contacts, oldest first unless asked otherwise.',
  request: obj({
    ...contactFilters,
    order: Type.Optional(Order),
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Cursor),
  }),
  response: obj({ items: Type.Array(Contact), next_cursor: nullable(Type.String()) }),
  async run({ order, limit, cursor, ...given }, { db, store, keys, project_id, now }) {
    const filters = settledFilters(given)
    const { condition, indexed } = await requireFilters(db, project_id, filters, now)
    const common = commonOf(project_id, filters, indexed)
    const source = await fastestSource(db, common)
    return page(
      { keys, operation: '/contacts/list', project_id, filters, order, cursor, limit },
      async (after, most) => {
        const query = contactsPage(condition, common, source, { after, most, order })
        return contactsOf(mayScan(filters, indexed) ? await store.heavy<PageRow>(query) : await db.all<PageRow>(query))
      },
      toContact,
    )
  },
})

export const contactStats = read({
  path: '/contacts/stats',
  scope: 'read',
  cost: 5,
  summary: 'Counts the contacts that match the filters: in total, by status and by list.',
  request: obj(contactFilters),
  response: Stats,
  async run(given, { db, store, project_id, now }) {
    const filters = settledFilters(given)
    const { condition } = await requireFilters(db, project_id, filters, now)
    const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
    const lists = await db.all<{ id: number }>(
      sql`SELECT id FROM lists WHERE project_id = ${project_id} AND archived_at IS NULL ORDER BY created_at, id`,
    )
    const list_ids = lists.map(({ id }) => id)
    return countContacts(store, project_id, isFiltered ? condition : null, list_ids)
  },
})

const WHICH = exactlyOneOf('contact_id', 'email')

const PageAfter = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The last id of the previous page; an empty page is the end.',
})

export const readContact = read({
  path: '/contacts/get',
  scope: 'read',
  summary:
    'A contact by its id or address, with the suppression of its address, its activity and the evidence of its ' +
    'consents, each newest first.',
  request: obj(
    {
      contact_id: Type.Optional(Id),
      email: Type.Optional(Email),
      activity_after_id: Type.Optional(PageAfter),
      consents_after_id: Type.Optional(PageAfter),
    },
    WHICH.keywords,
  ),
  response: obj({
    contact: Contact,
    suppression: nullable(obj({ reason: enumOf(SUPPRESSION_REASONS), note: Type.String(), created_at: Timestamp })),
    activity: Type.Array(Activity, { maxItems: MAX_ACTIVITY }),
    consents: Type.Array(ConsentEntry, { maxItems: MAX_CONSENTS }),
  }),
  async run({ activity_after_id, consents_after_id, ...input }, { store, project_id }) {
    const which = WHICH.of(input)
    const found = await findWithHistory(store, project_id, which, { activity_after_id, consents_after_id })
    if (!found) throw notFound('contact', 'email' in which ? '/email' : '/contact_id')
    return {
      contact: toContact(found.contact),
      suppression: found.suppression && {
        reason: found.suppression[0],
        note: found.suppression[1],
        created_at: iso(found.suppression[2]),
      },
      activity: found.activity,
      consents: found.consents,
    }
  },
})

export const updateContact = mutation({
  path: '/contacts/update',
  scope: 'write',
  audit: { target: { kind: 'contact', input: 'contact_id' }, changes: true },
  errors: ['CONFLICT'],
  summary:
    "Changes a contact's profile, never its subscriptions. When the new address is suppressed, the contact " +
    'gets the status of that suppression.',
  request: obj({
    contact_id: Id,
    ...contactFieldInputs,
    email: Type.Optional(Email),
    custom_fields: Type.Optional(CustomValuesInput),
  }),
  response: obj({ contact: Contact }),
  async run({ contact_id, email, ...profile }, { tx, keys, project_id, now, afterCommit, wake }) {
    const fields = profile.custom_fields ? await fieldDefinitions(tx, project_id) : []
    requireCustomValues(fields, profile.custom_fields)
    const known = await getContact(tx, project_id, contact_id)
    await orConflict(
      updateProfile(tx, known, { ...profile, email: email ?? known.email }, { fields, now }),
      { email_key: '/email' },
      'Another contact has this address.',
    )
    if (email !== undefined && emailKey(email) !== emailKey(known.email)) {
      const confirms = await changeAddress(tx, known, { keys, project_id, email: tidyAddress(email), now })
      if (confirms) afterCommit(() => wake('delivery'))
    } else if (email !== undefined) {
      await respellRecipient(tx, contact_id, { before: known.email, after: tidyAddress(email) })
    }
    return { contact: toContact(await getContact(tx, project_id, contact_id)) }
  },
})

export const deleteContact = mutation({
  path: '/contacts/delete',
  scope: 'write',
  audit: { target: { kind: 'contact', input: 'contact_id' } },
  summary:
    'Deletes a contact. If it unsubscribed, bounced or complained, its address stays suppressed for that reason.',
  request: obj({ contact_id: Id }),
  response: obj({ contact: Contact }),
  async run({ contact_id }, { tx, project_id, now }) {
    const contact = await getContact(tx, project_id, contact_id)
    await deleteContacts(tx, project_id, [contact], now)
    return { contact: toContact(contact) }
  },
})

export const unsubscribeContact = mutation({
  path: '/contacts/unsubscribe',
  scope: 'write',
  audit: { target: { kind: 'contact', input: 'contact_id' } },
  summary: 'Unsubscribes a contact from everything.',
  request: obj({ contact_id: Id }),
  response: obj({ contact: Contact }),
  async run({ contact_id }, { tx, project_id, now }) {
    const contact = await getContact(tx, project_id, contact_id)
    const changed = await unsubscribeFromAll(tx, { ...contact, project_id }, { now, source: 'api' })
    return { contact: toContact(changed ? await getContact(tx, project_id, contact_id) : contact) }
  },
})

export const resetStatus = mutation({
  path: '/contacts/reset-status',
  scope: 'write',
  audit: { target: { kind: 'contact', input: 'contact_id' } },
  errors: ['INVALID_STATE'],
  summary:
    'Sets a bounced contact back to subscribed, to pending if it had confirmed nothing, or to unsubscribed ' +
    'if it had opted out, and ends the suppression that the bounce left.',
  request: obj({ contact_id: Id }),
  response: obj({ contact: Contact }),
  async run({ contact_id }, { tx, project_id, now }) {
    const contact = await getContact(tx, project_id, contact_id)
    if (contact.global_status !== 'bounced')
      throw invalidState('Only a bounced contact can be reset.', contact.global_status)
    await resetBounce(tx, project_id, contact, now)
    return { contact: toContact(await getContact(tx, project_id, contact_id)) }
  },
})

const TagIds = Type.Array(Id, { maxItems: 100 })

const CHANGES = atLeastOneOf('add', 'remove')

export const changeTags = mutation({
  path: '/contacts/tags',
  audit: { target: { kind: 'contact', input: 'contact_id' }, details: ['add', 'remove'] },
  scope: 'write',
  summary: 'Adds tags to a contact and removes tags from it.',
  request: obj({ contact_id: Id, add: Type.Optional(TagIds), remove: Type.Optional(TagIds) }, CHANGES.keywords),
  response: obj({ contact: Contact }),
  async run({ contact_id, add, remove }, { tx, project_id, now }) {
    CHANGES.check({ add, remove })
    const both = remove?.findIndex((tag_id) => add?.includes(tag_id)) ?? -1
    if (both !== -1) throw invalid(`/remove/${both}`, 'Listed in both add and remove.')
    await getContact(tx, project_id, contact_id)
    await requireTags(tx, project_id, add ?? [], '/add')
    await requireTags(tx, project_id, remove ?? [], '/remove')
    await putTags(tx, [contact_id], add ?? [], now)
    await removeTags(tx, [contact_id], remove ?? [], now)
    return { contact: toContact(await getContact(tx, project_id, contact_id)) }
  },
})
