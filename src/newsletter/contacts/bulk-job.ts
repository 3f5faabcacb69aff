import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Runtime } from '../../runtime.ts'
import type { Keys } from '../../secrets.ts'
import type { Tx } from '../../store/open.ts'
import type { GlobalStatus } from '../../store/tables/audience.ts'
import type { JobPayloads } from '../../store/tables/jobs.ts'
import type { Job, JobKindHandler, Progress } from '../jobs/queue.ts'
import { CONSENT_SOURCES, type ListKind } from '../consent/consent-rule.ts'
import { deleteContacts } from './edit-contacts.ts'
import { putTags, removeTags } from './contact-tags.ts'
import { findForSaving } from './found.ts'
import { filterCondition, settledFilters } from './contact-filter.ts'
import { saveContacts } from './save.ts'
import { unsubscribeFromLists, unsubscribeAll } from '../consent/unsubscribe.ts'
import { findLists } from '../consent/memberships.operations.ts'
import { savedCondition } from '../segments/segment-rules.ts'
import { findTags } from '../lists/tags.operations.ts'
import { one } from '../../store/rows.ts'

/** Contacts handled in one transaction: enough to be fast, few enough not to delay other writers. */
const CHUNK = 1000

/**
 * Goes through the contacts by id, so that no contact is skipped because of what the action changes; `position` is the
 * last id handled (docs/api/contacts.md#bulk-actions).
 */
export const bulkJob: JobKindHandler<'bulk'> = {
  kind: 'bulk',
  step: bulkStep,
  afterStep: (_, runtime) => runtime.wake('delivery'),
}

async function bulkStep(tx: Tx, job: Job<'bulk'>, { keys }: Pick<Runtime, 'keys'>, now: number): Promise<Progress> {
  const { payload } = job
  const targets = await findTargets(tx, job.project_id, payload)
  if (!targets) return { state: 'cancelled' }
  const chunk = payload.contact_ids
    ? await namedChunk(tx, job, payload.contact_ids)
    : await filteredChunk(tx, job, payload)
  if (!chunk) return { state: 'completed' }
  await ACTIONS[payload.action](tx, {
    ...targets,
    payload,
    keys,
    project_id: job.project_id,
    people: chunk.people,
    now,
  })
  return { state: 'more', position: chunk.last, processed: chunk.processed }
}

interface Person {
  id: number
  project_id: ProjectId
  email: string
  global_status: GlobalStatus
}

interface Chunk {
  /** The last id handled. */
  last: number
  processed: number
  people: Person[]
}

async function namedChunk(
  tx: Tx,
  { project_id, position }: Job,
  contact_ids: readonly number[],
): Promise<Chunk | null> {
  const ids = contact_ids.filter((id) => id > position).slice(0, CHUNK)
  const last = ids.at(-1)
  return last === undefined
    ? null
    : { last, processed: ids.length, people: await peopleOf(tx, project_id, jsonText(ids)) }
}

async function filteredChunk(
  tx: Tx,
  { project_id, position, created_at }: Job,
  { filter, search }: JobPayloads['bulk'],
): Promise<Chunk | null> {
  const rules = await savedCondition(tx, project_id, filter!, created_at)
  const condition = sql`${filterCondition(project_id, settledFilters({ search }))} AND ${rules}`
  const found = await tx.all<{ last: number | null; ids: string }>(sql`
    WITH chunk AS MATERIALIZED (
      SELECT id FROM contacts INDEXED BY contacts_for_rules WHERE project_id = ${project_id} AND id > ${position}
      ORDER BY id LIMIT ${CHUNK})
    SELECT max(id) AS last, (
      SELECT json_group_array(contact.id) FROM contacts contact INDEXED BY contacts_for_rules
      WHERE contact.id > ${position} AND contact.id <= (SELECT max(id) FROM chunk) AND ${condition}) AS ids
    FROM chunk`)
  const { last, ids } = one(found)
  if (last === null) return null
  const people = await peopleOf(tx, project_id, ids)
  return { last, processed: people.length, people }
}

async function peopleOf(tx: Tx, project_id: ProjectId, ids: string): Promise<Person[]> {
  const rows = await tx.all<{ packed: string }>(sql`
    SELECT json_group_array(json_object(
      'id', id, 'project_id', project_id, 'email', email, 'global_status', global_status)) AS packed
    FROM contacts WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${ids}))`)
  return JSON.parse(one(rows).packed) as Person[]
}

interface Targets {
  list: ListKind | null
  tag_ids: number[]
}

/** The list and the tags that still exist; null when there is nothing left to do. */
async function findTargets(
  tx: Tx,
  project_id: ProjectId,
  { list_id, tag_ids }: JobPayloads['bulk'],
): Promise<Targets | null> {
  const [list = null] = list_id === undefined ? [] : await findLists(tx, project_id, [list_id])
  const tags = await findTags(tx, project_id, tag_ids ?? [])
  if ((list_id !== undefined && !list) || (tag_ids !== undefined && tags.length === 0)) return null
  return { list, tag_ids: tags.map(({ id }) => id) }
}

interface Work extends Targets {
  payload: JobPayloads['bulk']
  keys: Keys
  project_id: ProjectId
  people: readonly Person[]
  now: number
}

const ACTIONS: Readonly<Record<JobPayloads['bulk']['action'], (tx: Tx, work: Work) => Promise<unknown>>> = {
  add_to_list: addToList,
  remove_from_list: (tx, { people, list, now }) =>
    unsubscribeFromLists(tx, people, [list!.id], { now, source: 'bulk' }),
  add_tags: (tx, { people, tag_ids, now }) => putTags(tx, idsOf(people), tag_ids, now),
  remove_tags: (tx, { people, tag_ids, now }) => removeTags(tx, idsOf(people), tag_ids, now),
  unsubscribe: (tx, { people, now }) => unsubscribeAll(tx, people, { now, source: 'bulk' }),
  delete: (tx, { project_id, people, now }) => deleteContacts(tx, project_id, people, now),
}

const idsOf = (people: readonly Person[]) => people.map(({ id }) => id)

/** Subscribes contacts to a list, as far as the consent rule allows. */
async function addToList(tx: Tx, { payload, keys, project_id, people, now }: Work): Promise<void> {
  const { list_id, consent_text, address, user_agent } = payload
  const emails = people.map(({ email }) => email)
  const text = consent_text!.toWellFormed()
  // All of them exist, so nothing new needs room.
  const wanted = { emails, list_ids: [list_id!], with_fields: false, consent_text: text, contacts_per_project: 0 }
  await saveContacts(
    tx,
    emails.map((email) => ({ email })),
    {
      found: await findForSaving(tx, project_id, wanted),
      known: 'update',
      known_consents_without_list: false,
      consent: { keys, project_id, text, source: CONSENT_SOURCES.bulk, now, address, user_agent },
    },
  )
}
