import { useEffect } from 'preact/hooks'
import { invalidate, useRead } from '../../api/query.ts'
import { IconButton } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { number } from '../../ui/format.ts'
import { shownJobs } from '../../job.ts'
import { Progress } from '../../ui/progress.tsx'

const LOOK_MS = 1_000

export interface RunningJob {
  id: number
  /** The label of the job: "Tagging 312 people". */
  label: string
}

/** The progress of a job that was started on this page. */
export function JobLine({ job: { id, label }, onClose }: { job: RunningJob; onClose: () => void }) {
  const known = useRead('jobs/get', { job_id: id })
  const status = known.data?.job.status ?? 'queued'
  const isOver = status !== 'queued' && status !== 'running'
  useRead('jobs/get', { job_id: id }, { every_ms: isOver ? null : LOOK_MS })
  useEffect(() => {
    shownJobs.add(id)
    return () => void shownJobs.delete(id)
  }, [id])
  useEffect(() => {
    if (isOver) invalidate('contacts/', 'segments/preview', 'jobs/list', 'overview', 'suppressions/')
  }, [isOver])
  const processed = known.data?.job.processed ?? 0
  const total = known.data?.job.total ?? null
  if (!isOver) {
    return (
      <div class="job-line">
        <Progress
          label={label}
          value={total === null ? null : processed}
          max={total ?? undefined}
          note={`${number(processed)} done. You can leave this page.`}
        />
      </div>
    )
  }
  const isGood = status === 'completed'
  return (
    <Callout
      tone={isGood ? 'good' : 'bad'}
      title={isGood ? `${label}: done` : `${label}: ${status}`}
      actions={<IconButton small icon="x" label="Dismiss" onClick={onClose} />}
    >
      <p role="status">{isGood ? `${number(processed)} people were looked at.` : known.data?.job.error}</p>
    </Callout>
  )
}
