import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { mutation } from '../../operation/declare.ts'
import { exactlyOneOf, Id, name, obj } from '../../schema.ts'
import type { Tx } from '../../store/open.ts'
import { one, hasRows } from '../../store/rows.ts'
import type { Runtime } from '../../runtime.ts'
import { JobResource, jobResource } from '../jobs/job.ts'
import { enqueueJob, type Job, type JobKindHandler, type Progress, requireRoomForJob } from '../jobs/queue.ts'
import { getSegment } from './segments.operations.ts'
import { segmentConditions } from './segment-rules.ts'
import { putTags } from '../contacts/contact-tags.ts'
import { findTags, getTag, tagNamed } from '../lists/tags.operations.ts'

/** Contacts per step. More would keep other writers waiting; fewer would cost more commits. */
const CHUNK = 2000

const TAG = exactlyOneOf('tag_id', 'tag_name')

export const materializeSegment = mutation({
  path: '/segments/materialize',
  scope: 'write',
  audit: { target: { answer: 'job' }, ids: { segment_id: 'segment_id', tag_id: 'tag_id' } },
  errors: ['INVALID_STATE'],
  status: 202,
  summary: 'Tags the contacts that are in a segment now. A tag given by name is created if needed.',
  request: obj({ segment_id: Id, tag_id: Type.Optional(Id), tag_name: Type.Optional(name(100)) }, TAG.keywords),
  response: obj({ job: JobResource }),
  async run({ segment_id, ...named }, { tx, project_id, now, afterCommit, wake }) {
    const tag = TAG.of(named)
    await getSegment(tx, project_id, segment_id)
    const { id: tag_id } =
      'tag_id' in tag ? await getTag(tx, project_id, tag.tag_id) : await tagNamed(tx, project_id, tag.tag_name, now)
    const payload = { segment_id, tag_id }
    await requireRoomForJob(tx, project_id)
    const job = await enqueueJob(tx, { project_id, kind: 'segment_materialize', payload, now })
    afterCommit(() => wake('jobs'))
    return { job: await jobResource(tx, job) }
  },
})

/** Goes through the project's contacts by id. `position` is the last id of the previous step. */
export const segmentMaterialize: JobKindHandler<'segment_materialize'> = { kind: 'segment_materialize', step: tagChunk }

async function tagChunk(tx: Tx, job: Job<'segment_materialize'>, _runtime: Runtime, now: number): Promise<Progress> {
  const { segment_id, tag_id } = job.payload
  const condition = (await segmentConditions(tx, job.project_id, [segment_id], job.created_at)).get(segment_id)
  if (!condition || !hasRows(await findTags(tx, job.project_id, [tag_id]))) return { state: 'cancelled' }
  const rows = await tx.all<{ last: number | null; members: string }>(sql`
    WITH chunk AS MATERIALIZED (
      SELECT id FROM contacts INDEXED BY contacts_for_rules
      WHERE project_id = ${job.project_id} AND id > ${job.position} ORDER BY id LIMIT ${CHUNK})
    SELECT max(id) AS last, (
      SELECT json_group_array(contact.id) FROM contacts contact INDEXED BY contacts_for_rules
      WHERE contact.project_id = ${job.project_id} AND contact.id > ${job.position}
        AND contact.id <= (SELECT max(id) FROM chunk) AND ${condition}) AS members
    FROM chunk`)
  const { last, members } = one(rows)
  if (last === null) return { state: 'completed' }
  const contact_ids = JSON.parse(members) as number[]
  await putTags(tx, contact_ids, [tag_id], now)
  return { state: 'more', position: last, processed: contact_ids.length }
}
