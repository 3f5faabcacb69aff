import { letterName } from '../api/letter-name.ts'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { read, type ResponseOf } from '../api/calls.ts'
import { useRead } from '../api/query.ts'
import { Empty } from '../ui/callout.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { Progress } from '../ui/progress.tsx'
import { toast } from '../ui/toast.tsx'
import { link } from '../api/link.ts'
import { jobHref, jobName, type Job, shownJobs } from '../job.ts'
import { TRAY_CAMPAIGNS, TRAY_JOBS } from '../../../src/shared/tray-requests.ts'

type Campaign = ResponseOf<'campaigns/list'>['items'][number]

const BUSY_MS = 5_000
const QUIET_MS = 60_000

/**
 * Work that continues when its page is closed: jobs, imports and campaigns. A toast announces what ends on another
 * page.
 */
export function WorkTray() {
  const every = useSignal(QUIET_MS)
  const jobs = useRead('jobs/list', TRAY_JOBS, { every_ms: every.value }).data?.items ?? NONE
  const campaigns = useRead('campaigns/list', TRAY_CAMPAIGNS, { every_ms: every.value }).data?.items ?? NONE
  const running = jobs.length + campaigns.length
  useEffect(() => {
    every.value = running > 0 ? BUSY_MS : QUIET_MS
  }, [running > 0])
  useEnded(jobs, tellOfJob)
  useEnded(campaigns, tellOfCampaign)
  return (
    <Popover
      label={running === 0 ? 'Running work: none' : `Running work: ${running}`}
      trigger={
        <span class="tray" data-busy={running > 0 ? '' : undefined}>
          <Icon name="activity" />
          {running > 0 && <span>{running}</span>}
        </span>
      }
    >
      <div class="tray-list">
        <h2>Running work</h2>
        {running === 0 && <Empty sentence="Nothing runs now. Imports, bulk changes and campaigns are shown here." />}
        <ul>
          {campaigns.map((campaign) => (
            <Sending key={campaign.id} campaign={campaign} />
          ))}
          {jobs.map((job) => (
            <li key={job.id}>
              <a href={jobHref(job)}>{jobName(job)}</a>
              <Progress
                label={jobName(job)}
                label_hidden
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

/** The progress of a campaign. Its messages are counted only while the tray is open. */
function Sending({ campaign: { id, name, subject } }: { campaign: Campaign }) {
  const stats = useRead('campaigns/stats', { campaign_id: id }, { every_ms: BUSY_MS }).data
  const words = `Sending: ${letterName({ name, subject })}`
  return (
    <li>
      <a href={link(`/campaigns/${id}`)}>{words}</a>
      <Progress label={words} label_hidden value={stats && stats.recipients - stats.queued} max={stats?.recipients} />
    </li>
  )
}

const NONE: readonly never[] = []

/** Announces what has ended since the last look. */
function useEnded<T extends { id: number }>(running: readonly T[], tell: (ended: T) => Promise<void>): void {
  const known = useRef(new Map<number, T>())
  useEffect(() => {
    const now = new Map(running.map((one) => [one.id, one]))
    for (const [id, one] of known.current) if (!now.has(id)) void tell(one)
    known.current = now
  }, [running])
}

/**
 * Announces the outcome of a job, unless the open page shows it. A job that cannot be loaded is still on the page of
 * all jobs.
 */
async function tellOfJob(job: Job): Promise<void> {
  const { id, kind, about } = job
  if (shownJobs.has(id) || (about?.type === 'import' && location.pathname === jobHref(job))) return
  const answer = await read('jobs/get', { job_id: job.id }).catch(() => null)
  if (answer === null) return
  const { status } = answer.job
  if (status === 'queued' || status === 'running') return
  const isGood = status === 'completed'
  // The end of the campaign itself is announced.
  if (isGood && kind === 'campaign_prepare') return
  tellEnd(`${jobName(job)}: ${isGood ? 'done' : status}`, isGood, jobHref(job))
}

/** Announces the outcome of a campaign. Its own page shows it without a toast. */
async function tellOfCampaign({ id, name, subject }: Campaign): Promise<void> {
  const href = link(`/campaigns/${id}`)
  if (location.pathname === href) return
  const answer = await read('campaigns/get', { campaign_id: id }).catch(() => null)
  if (answer === null) return
  const { status } = answer.campaign
  if (status === 'sending') return
  tellEnd(`“${letterName({ name, subject })}”: ${status}`, status === 'sent', href)
}

function tellEnd(text: string, isGood: boolean, href: string): void {
  toast({
    text,
    tone: isGood ? 'good' : 'bad',
    action: { label: 'Show it', run: () => location.assign(href) },
  })
}
