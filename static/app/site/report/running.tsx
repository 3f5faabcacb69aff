import { useEffect, useState } from 'preact/hooks'
import { HOME_CONNECTIONS } from '../home/home-requests.ts'
import { useMutation } from '../../api/action.ts'
import { mutate, type ResponseOf } from '../../api/calls.ts'
import { invalidate, useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { clock, count, dateTime, number } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { MendConnection } from '../campaigns/mend-connection.tsx'
import type { CampaignOfPage } from '../campaigns/use-campaign.ts'
import { SENT } from './moments.ts'
import { useRate } from './rate.ts'
import { mayDouble, ResumeDialog } from './resume-dialog.tsx'
import { StepsChart } from './steps-chart.tsx'

type Stats = ResponseOf<'campaigns/stats'>

interface Props {
  campaign: CampaignOfPage
  stats: Stats | undefined
  /** Whether the user has just started it. */
  justSent: boolean
}

/** How long the page offers to undo the start. */
const JUST_MS = 10_000

const AGAIN = ['campaigns/', 'overview', 'jobs/'] as const

/** The progress of a campaign, what it waits for, and buttons to pause and cancel it. */
export function Running({ campaign, stats, justSent: wasJustSent }: Props) {
  const { id, status, failure } = campaign
  const [justSent, setJustSent] = useState(wasJustSent)
  useEffect(() => {
    const timer = setTimeout(() => setJustSent(false), JUST_MS)
    return () => clearTimeout(timer)
  }, [])
  const settings = useRead('settings/get', {}).data?.settings
  const connections = useRead('connections/list', HOME_CONNECTIONS).data?.items
  const connection_id = campaign.connection_id ?? settings?.default_connection_id
  const connection = connections?.find((known) => known.id === connection_id) ?? null
  const pause = useMutation('campaigns/pause', { invalidates: AGAIN })
  const resume = useMutation('campaigns/resume', { invalidates: AGAIN })
  const [isEnding, setEnding] = useState(false)
  const isAsked = mayDouble(resume.error)
  const error = pause.error ?? (isAsked ? null : resume.error)
  return (
    <section class="running" aria-label="Progress">
      <FlawSummary error={error} />
      {justSent && status !== 'paused' && (
        <Callout tone="accent" title="Sending has begun." actions={pauseButton('Pause now')} alert>
          <p>What has left cannot be called back; the rest can be stopped.</p>
        </Callout>
      )}
      {status === 'paused' && (
        <Callout tone="wait" title={failure?.reason ?? 'This campaign is paused.'}>
          <p>Nothing leaves until it is resumed.</p>
          {failure && <MendConnection connection={connection} />}
        </Callout>
      )}
      {stats?.waiting && <Waiting waiting={stats.waiting} />}
      {stats && stats.recipients > 0 ? (
        <Progress
          label={`${count(stats.sent, 'message has', 'messages have')} left`}
          max={stats.recipients}
          segments={[
            { label: 'Sent', value: stats.sent, tone: 'good' },
            { label: status === 'sending' ? 'On the way' : 'Waiting', value: stats.queued, tone: 'quiet' },
            { label: 'Failed', value: stats.failed, tone: 'bad' },
            { label: 'Skipped', value: stats.skipped + stats.cancelled, tone: 'accent' },
            { label: 'Not certain', value: stats.uncertain, tone: 'wait' },
          ]}
        />
      ) : (
        <Progress label="Counting people and preparing their messages" />
      )}
      {status === 'sending' && stats && <Speed stats={stats} limit={connection?.max_per_second ?? null} />}
      {stats && (
        <StepsChart
          label="Messages that left"
          moments={stats.minutes.length > 0 ? stats.minutes : stats.timeline}
          counted={SENT}
          step={stats.minutes.length > 0 ? 60 : 3600}
        />
      )}
      {can('editor') ? (
        <div class="row">
          {status === 'paused' ? (
            <Button
              kind="primary"
              main
              busy={resume.busy}
              icon="play"
              onClick={() => void resume.run({ campaign_id: id })}
            >
              {`Resume for ${count(stats?.queued ?? 0, 'person', 'people')}`}
            </Button>
          ) : (
            !justSent && pauseButton('Pause')
          )}
          <Button kind="quiet" onClick={() => setEnding(true)}>
            Stop for good…
          </Button>
        </div>
      ) : (
        <p class="quiet">{whoMay('Pausing', 'editor')}</p>
      )}
      {isAsked && (
        <ResumeDialog
          campaign={campaign}
          queued={campaign.started_at === null ? null : (stats?.queued ?? null)}
          invalidates={AGAIN}
          onClose={resume.clear}
        />
      )}
      {isEnding && (
        <ConfirmDialog
          title="Stop for good?"
          verb={`Cancel ${count(stats?.queued ?? 0, 'message', 'messages')}`}
          danger
          onClose={() => setEnding(false)}
          onConfirm={async () => {
            await mutate('campaigns/cancel', { campaign_id: id })
            invalidate(...AGAIN)
          }}
        >
          <p>
            {number(stats?.sent ?? 0)} have it, {number(stats?.queued ?? 0)} will not get it.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )

  function pauseButton(label: string) {
    return (
      can('editor') && (
        <Button icon="pause" busy={pause.busy} onClick={() => void pause.run({ campaign_id: id })}>
          {label}
        </Button>
      )
    )
  }
}

/** The rate, and the estimated end. */
function Speed({ stats, limit }: { stats: Stats; limit: number | null }) {
  const per_second = useRate(stats.sent, limit)
  if (per_second === null || per_second <= 0) return null
  const end = new Date(Date.now() + (stats.queued / per_second) * 1000).toISOString()
  return (
    <p class="quiet">
      {number(Math.round(per_second * 10) / 10)} a second now
      {limit !== null && `, of at most ${number(limit)}`}. It ends at about {clock(end)}.
    </p>
  )
}

const REASONS: Record<NonNullable<Stats['waiting']>['reason'], string> = {
  plan_limit: "This month's limit of the project is reached.",
  daily_limit: "The connection's limit of a day is reached.",
  warm_up: "The connection is warming up, and today's number is reached.",
  relay: 'The relay cannot be reached now.',
  mailbox_limit: 'Mailbox providers get only so many at once.',
  retry: 'Some messages are tried again later.',
  disk: 'The disk of the service is full.',
}

function Waiting({ waiting: { reason, until, error, held_back } }: { waiting: NonNullable<Stats['waiting']> }) {
  const held = Object.entries(held_back)
  const at =
    until === null
      ? null
      : new Date(until).toDateString() === new Date().toDateString()
        ? clock(until)
        : dateTime(until)
  return (
    <Callout tone="wait" title={REASONS[reason]}>
      <p>
        {at === null ? 'It goes on by itself.' : `It goes on by itself at ${at}.`}
        {error !== null && ` It said: ${error}`}
        {held.length > 0 && ` Held back: ${held.map(([name, n]) => `${name} ${number(n)}`).join(', ')}.`}
      </p>
    </Callout>
  )
}
