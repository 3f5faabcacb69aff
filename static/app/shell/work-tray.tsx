import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useRead } from '../api/query.ts'
import { Empty } from '../ui/callout.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { Progress } from '../ui/progress.tsx'
import { toast } from '../ui/toast.tsx'
import { link } from './place.ts'
import { jobHref, jobName, type Job } from './job.ts'
import { read } from '../api/calls.ts'

const BUSY_MS = 5_000
const QUIET_MS = 60_000

/** Work that goes on when its page is left: jobs, imports and campaigns. What ends elsewhere is told in a toast. */
export function WorkTray() {
  const every = useSignal(QUIET_MS)
  const { data } = useRead('jobs/list', { statuses: ['queued', 'running'], limit: 20 }, { every_ms: every.value })
  const jobs: readonly Job[] = data?.items ?? NONE
  useEffect(() => {
    every.value = jobs.length > 0 ? BUSY_MS : QUIET_MS
  }, [jobs.length])
  useEnded(jobs)
  return (
    <Popover
      label={jobs.length === 0 ? 'Running work: none' : `Running work: ${jobs.length}`}
      trigger={
        <span class="tray" data-busy={jobs.length > 0 ? '' : undefined}>
          <Icon name="activity" />
          {jobs.length > 0 && <span>{jobs.length}</span>}
        </span>
      }
    >
      <div class="tray-list">
        <h2>Running work</h2>
        {jobs.length === 0 && (
          <Empty sentence="Nothing runs now. Imports, bulk changes and campaigns are shown here." />
        )}
        <ul>
          {jobs.map((job) => (
            <li key={job.id}>
              <a href={jobHref(job)}>{jobName(job)}</a>
              <Progress
                label={jobName(job)}
                value={job.total === null ? undefined : job.processed}
                max={job.total ?? undefined}
              />
            </li>
          ))}
        </ul>
        <p>
          <a href={link('/activity')}>All jobs</a>
        </p>
      </div>
    </Popover>
  )
}

const NONE: readonly Job[] = []

/** Tells what has ended since the last look. */
function useEnded(jobs: readonly Job[]): void {
  const known = useRef(new Map<number, Job>())
  useEffect(() => {
    const running = new Map(jobs.map((job) => [job.id, job]))
    for (const [id, job] of known.current) if (!running.has(id)) void tell(job)
    known.current = running
  }, [jobs])
}

/** Says how a job ended. One whose end cannot be read is still on the page of all jobs. */
async function tell(job: Job): Promise<void> {
  const answer = await read('jobs/get', { job_id: job.id }).catch(() => null)
  if (answer === null) return
  const { job: ended } = answer
  const isGood = ended.status === 'completed'
  toast({
    text: `${jobName(job)}: ${isGood ? 'done' : ended.status}`,
    tone: isGood ? 'good' : 'bad',
    action: { label: 'Show it', run: () => location.assign(jobHref(job)) },
  })
}
