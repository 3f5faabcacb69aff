import { type Static, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import type { ProjectId } from '../../ids.ts'
import { enumOf, Id, nullable, obj, Timestamp } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import { BULK_ACTIONS, JOB_KINDS, JOB_STATUSES } from '../../store/tables/jobs.ts'
import type { Job } from './queue.ts'

/** The kinds of things that a job can work on, each with the query for their names. */
const SUBJECTS = {
  campaign: sql`SELECT id, coalesce(nullif(name, ''), subject) AS name FROM campaigns`,
  import: sql`SELECT id, filename AS name FROM imports`,
  segment: sql`SELECT id, name FROM segments`,
  list: sql`SELECT id, name FROM lists`,
  tag: sql`SELECT id, name FROM tags`,
} satisfies Record<string, SQL>
type SubjectType = keyof typeof SUBJECTS
const SUBJECT_TYPES = Object.keys(SUBJECTS) as SubjectType[]

interface Subject {
  type: SubjectType
  id: number
}

/** A job in the responses of all operations. */
export const JobResource = obj(
  {
    id: Id,
    kind: enumOf(JOB_KINDS),
    action: nullable(enumOf(BULK_ACTIONS, { description: 'What a bulk job does; null for other kinds.' })),
    about: nullable(
      obj(
        {
          type: enumOf(SUBJECT_TYPES),
          id: Id,
          name: nullable(Type.String({ description: 'Null where it was deleted.' })),
        },
        { description: 'Null for a bulk job without a list, and with several tags.' },
      ),
    ),
    status: enumOf(JOB_STATUSES),
    processed: Type.Integer({ minimum: 0 }),
    total: nullable(Type.Integer({ minimum: 0, description: 'Null while unknown.' })),
    error: nullable(Type.String()),
    attempts: Type.Integer({ minimum: 0 }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Job' },
)

/** Jobs of one project with the names of what they are about, read in one statement. */
export async function jobResources(
  db: Reader,
  project_id: ProjectId,
  jobs: readonly Job[],
): Promise<Static<typeof JobResource>[]> {
  const subjects = jobs.map((job) => subjectOf(job))
  const names = await namesOf(
    db,
    project_id,
    subjects.filter((subject) => subject !== null),
  )
  return jobs.map(({ id, kind, payload, status, processed, total, error, attempts, created_at, updated_at }, at) => {
    const subject = subjects[at]!
    return {
      id,
      kind,
      action: 'action' in payload ? payload.action : null,
      about: subject && { ...subject, name: names.get(`${subject.type} ${subject.id}`) ?? null },
      status,
      processed,
      total,
      error,
      attempts,
      created_at: iso(created_at),
      updated_at: iso(updated_at),
    }
  })
}

/** As `jobResources`, for one job. */
export async function jobResource(db: Reader, job: Job): Promise<Static<typeof JobResource>> {
  return (await jobResources(db, job.project_id, [job]))[0]!
}

function subjectOf({ payload }: Job): Subject | null {
  if ('campaign_id' in payload) return { type: 'campaign', id: payload.campaign_id }
  if ('import_id' in payload) return { type: 'import', id: payload.import_id }
  if ('segment_id' in payload) return { type: 'segment', id: payload.segment_id }
  if (payload.list_id !== undefined) return { type: 'list', id: payload.list_id }
  return payload.tag_ids?.length === 1 ? { type: 'tag', id: payload.tag_ids[0]! } : null
}

/** Names by type and id. */
async function namesOf(db: Reader, project_id: ProjectId, subjects: Subject[]): Promise<Map<string, string>> {
  const parts = [...Map.groupBy(subjects, ({ type }) => type)].map(([type, named]) => {
    const ids = jsonText([...new Set(named.map(({ id }) => id))])
    return sql`SELECT ${type} AS type, id, name FROM (${SUBJECTS[type]}
      WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${ids})))`
  })
  if (parts.length === 0) return new Map()
  const rows = await db.all<Subject & { name: string }>(sql.join(parts, sql` UNION ALL `))
  return new Map(rows.map(({ type, id, name }) => [`${type} ${id}`, name]))
}
