import type { Operations } from '../../api/operations.d.ts'

type JobsRequest = Operations['jobs/list']['request']

export const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

/** The body of `jobs/list` for the address; the document's first answers use it, too. */
export function jobsRequest({ status, after }: Record<string, string>): {
  [Key in keyof JobsRequest]: JobsRequest[Key]
} {
  const known = STATUSES.find((one) => one === status)
  return { order: 'newest', limit: 50, ...(known ? { statuses: [known] } : {}), ...(after ? { cursor: after } : {}) }
}
