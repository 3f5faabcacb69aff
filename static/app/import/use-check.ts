import { useEffect, useState } from 'preact/hooks'
import { useAction, useMutation } from '../api/action.ts'
import { read, type ResponseOf, sendOnce } from '../api/calls.ts'
import { projectId } from '../api/data.ts'
import { ApiError } from '../api/errors.ts'
import type { Import } from '../api/operations.d.ts'
import { useRead } from '../api/query.ts'
import { type ImportDraft, optionsOf } from './draft.ts'
import { SMALL_BYTES } from './upload.ts'

export interface Checked {
  import: Pick<Import, 'findings'>
  summary: NonNullable<Import['summary']>
  row_errors: Import['row_errors']
}

interface Check {
  result: Checked | null
  error: ApiError | null
  /** Rows read so far; null when one call reads them all. */
  rows_read: number | null
}

const LIVE_MS = 1_000

/** Checks the whole file without importing anything: in one call, or by a job for a large file. */
export function useCheck(record: Import, draft: ImportDraft): Check {
  const isLarge = record.size_bytes > SMALL_BYTES
  const dryRun = useMutation('imports/dry-run', { invalidates: ['imports/get', 'imports/list'] })
  const examine = useAction(
    async () => {
      const asked = { import_id: record.id, mapping: draft.mapping, options: optionsOf(draft) }
      return (await sendOnce('POST /project/imports/examine', { project_id: projectId(), ...asked })).job.id
    },
    { invalidates: ['imports/get', 'jobs/'] },
  )
  const [result, setResult] = useState<Checked | null>(null)
  const [unread, setUnread] = useState<ApiError | null>(null)
  const [job_id, setJob] = useState<number | null>(null)
  useEffect(() => {
    if (isLarge) void examine.run(undefined).then(setJob)
    else
      void dryRun
        .run({ import_id: record.id, mapping: draft.mapping, options: optionsOf(draft) })
        .then((answer) => setResult(answer))
  }, [])
  const job = useRead(
    'jobs/get',
    { job_id: job_id ?? 0 },
    { enabled: job_id !== null, every_ms: result === null && unread === null ? LIVE_MS : null },
  ).data?.job
  useEffect(() => {
    if (job?.status !== 'completed') return
    const show = ({ import: examined }: ResponseOf<'imports/get'>) => {
      if (examined.summary) setResult({ import: examined, summary: examined.summary, row_errors: examined.row_errors })
      else setUnread(new ApiError('FAILED', 'The file was changed meanwhile. Check it again.', { status: 200 }))
    }
    read('imports/get', { import_id: record.id }).then(show, (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      setUnread(error)
    })
  }, [job?.status])
  const failure = job?.status === 'failed' || job?.status === 'cancelled' ? (job.error ?? 'The job has ended.') : null
  return {
    result,
    error:
      dryRun.error ??
      examine.error ??
      unread ??
      (failure === null ? null : new ApiError('FAILED', failure, { status: 200 })),
    rows_read: isLarge ? (job?.processed ?? 0) : null,
  }
}
