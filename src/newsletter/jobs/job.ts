import { type Static, Type } from '@sinclair/typebox'
import { iso } from '../../clock.ts'
import { Id, nullable, obj, Timestamp, enumOf } from '../../schema.ts'
import { JOB_KINDS, JOB_STATUSES } from '../../store/tables/jobs.ts'
import type { Job } from './queue.ts'

/** A job in the responses of all operations. */
export const JobResource = obj(
  {
    id: Id,
    kind: enumOf(JOB_KINDS),
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

export function jobResource({
  id,
  kind,
  status,
  processed,
  total,
  error,
  attempts,
  created_at,
  updated_at,
}: Job): Static<typeof JobResource> {
  return {
    id,
    kind,
    status,
    processed,
    total,
    error,
    attempts,
    created_at: iso(created_at),
    updated_at: iso(updated_at),
  }
}
