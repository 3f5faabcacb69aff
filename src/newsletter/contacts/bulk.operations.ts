import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { invalid } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { enumOf, exactlyOneOf, Id, obj } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { BULK_ACTIONS, type JobPayloads } from '../../store/tables/jobs.ts'
import { JobResource, jobResource } from '../jobs/job.ts'
import { enqueueJob, requireRoomForJob } from '../jobs/queue.ts'
import { getListKind } from '../consent/memberships.operations.ts'
import { RuleGroup } from '../segments/rules.ts'
import { requireRules } from '../segments/segment-rules.ts'
import { requireTags } from '../lists/tags.operations.ts'
import { contactFilters } from './contact-filter.ts'
import { ConsentText } from './upsert.operations.ts'

type Action = (typeof BULK_ACTIONS)[number]

/** The properties that an action requires; it accepts no others. */
const NEEDS: Readonly<Record<Action, readonly ('list_id' | 'tag_ids' | 'consent_text')[]>> = {
  add_to_list: ['list_id', 'consent_text'],
  remove_from_list: ['list_id'],
  add_tags: ['tag_ids'],
  remove_tags: ['tag_ids'],
  unsubscribe: [],
  delete: [],
}

export const MAX_CONTACT_IDS = 1000

const WHICH = exactlyOneOf('contact_ids', 'filter')

const Request = obj(
  {
    action: enumOf(BULK_ACTIONS),
    contact_ids: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: MAX_CONTACT_IDS,
        description: 'Ids that the project does not have are skipped.',
      }),
    ),
    filter: Type.Optional(RuleGroup),
    search: Type.Optional({
      ...contactFilters.search,
      description: 'Narrows the filter: part of the address or the name',
    }),
    list_id: Type.Optional(Id),
    tag_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100 })),
    consent_text: Type.Optional(ConsentText),
  },
  {
    allOf: [
      WHICH.keywords,
      { dependentRequired: { search: ['filter'] } },
      {
        oneOf: BULK_ACTIONS.map((action) => ({
          properties: { action: { const: action } },
          required: NEEDS[action],
          not: { anyOf: others(action).map((property) => ({ required: [property] })) },
        })),
      },
    ],
  },
)

export const bulkContacts = mutation({
  path: '/contacts/bulk',
  audit: { target: { answer: 'job' }, ids: { list_id: 'list_id' }, details: ['action'] },
  scope: 'write',
  errors: ['INVALID_STATE'],
  status: 202,
  summary:
    'Applies one action to many contacts: those named, or all that match a filter. A filter without rules ' +
    'matches every contact, also for deletion. The filter is evaluated again for each page of contacts. ' +
    'Adding to a list follows the rules of consent and confirmation.',
  request: Request,
  response: obj({ job: JobResource }),
  async run(
    { contact_ids, filter, search, ...asked },
    { tx, project_id, now, address, user_agent, afterCommit, wake },
  ) {
    WHICH.of({ contact_ids, filter })
    if (search !== undefined && !filter) throw invalid('/search', 'Only with a filter.')
    requireProperties(asked)
    await requireTargets(tx, project_id, asked)
    if (filter) await requireRules(tx, { project_id, rules: filter, path: '/filter', now })
    const ids = contact_ids && [...new Set(contact_ids)].sort((a, b) => a - b)
    await requireRoomForJob(tx, project_id)
    const job = await enqueueJob(tx, {
      project_id,
      kind: 'bulk',
      payload: { ...asked, ...(ids ? { contact_ids: ids } : { filter, search }), address, user_agent },
      ...(ids ? { total: ids.length } : {}),
      now,
    })
    afterCommit(() => wake('jobs'))
    return { job: await jobResource(tx, job) }
  },
})

type Asked = Pick<JobPayloads['bulk'], 'action' | 'list_id' | 'tag_ids' | 'consent_text'>

function requireProperties(asked: Asked): void {
  const missing = NEEDS[asked.action].find((property) => asked[property] === undefined)
  if (missing) throw invalid(`/${missing}`, `Required for ${asked.action}.`)
  const needless = others(asked.action).find((property) => asked[property] !== undefined)
  if (needless) throw invalid(`/${needless}`, `Not for ${asked.action}.`)
}

function others(action: Action) {
  return (['list_id', 'tag_ids', 'consent_text'] as const).filter((property) => !NEEDS[action].includes(property))
}

async function requireTargets(db: Reader, project_id: ProjectId, { list_id, tag_ids = [] }: Asked): Promise<void> {
  if (list_id !== undefined) await getListKind(db, project_id, list_id)
  await requireTags(db, project_id, tag_ids)
}
