import { useMemo, useState } from 'preact/hooks'
import { mutate, type ResponseOf } from '../../api/calls.ts'
import { invalidate } from '../../api/query.ts'
import { can } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Callout, Empty } from '../../ui/callout.tsx'
import { Card, Tile, Tiles } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { count, number, percent, share } from '../../ui/format.ts'
import { Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { leftOutWords, useAudienceCount } from '../campaigns/audience-count.ts'
import type { CampaignOfPage } from '../campaigns/use-campaign.ts'
import { toneOf, useDeliverability } from '../sending/deliverability.ts'
import { isYoung, READ, SENT } from './moments.ts'
import { letterName } from '../../api/letter-name.ts'
import { all, segmentHref } from './segment-of.ts'
import { StepsChart } from './steps-chart.tsx'

type Stats = ResponseOf<'campaigns/stats'>

/** The results of a campaign in numbers. */
export function Numbers({ campaign, stats }: { campaign: CampaignOfPage; stats: Stats }) {
  const { sent, reached, in_sandbox, bounces, unique_opens, unique_clicks, unsubscribes, complaints, machine_opens } =
    stats
  const bounced = bounces.hard + bounces.soft
  const limits = useDeliverability(30).data?.deliverability.thresholds
  if (stats.recipients === 0) return <Nobody campaign={campaign} />
  return (
    <>
      <Tiles>
        <Tile
          label="Reached"
          value={number(reached)}
          note={
            in_sandbox > 0
              ? `of ${number(stats.recipients)}. The sandbox kept ${number(in_sandbox)}: nobody got them.`
              : `of ${number(stats.recipients)}`
          }
        />
        <Tile
          label="Opened by people"
          value={share(unique_opens, reached)}
          note={
            machine_opens > 0
              ? `${count(unique_opens, 'person', 'people')}. Mail programs that open by themselves are counted apart: ${number(machine_opens)}.`
              : count(unique_opens, 'person', 'people')
          }
        />
        <Tile label="Clicked" value={share(unique_clicks, reached)} note={count(unique_clicks, 'person', 'people')} />
        <Tile label="Left" value={number(unsubscribes)} note={share(unsubscribes, reached)} />
        <Tile
          label="Bounced"
          value={number(bounced)}
          note={`${number(bounces.hard)} hard, ${number(bounces.soft)} soft`}
          tone={limits && toneOf(bounced / Math.max(1, sent), limits.bounced)}
        />
        <Tile
          label="Complained"
          value={number(complaints)}
          note={`${share(complaints, reached, 2)}${limits ? `. Watch from ${percent(limits.complained.watch)}.` : ''}`}
          tone={limits && toneOf(complaints / Math.max(1, sent), limits.complained)}
        />
      </Tiles>
      {stats.uncertain > 0 && <NotCertain id={campaign.id} people={stats.uncertain} />}
      {stats.failed > 0 && <Failed id={campaign.id} people={stats.failed} />}
      {reached > 0 && unique_opens + unique_clicks + machine_opens === 0 && (
        <p class="quiet">Nobody has opened it or followed a link yet.</p>
      )}
      {isYoung(stats.minutes) ? (
        <Card title="By minute">
          <StepsChart label="Messages that left" moments={stats.minutes} counted={SENT} step={60} />
          <StepsChart label="Opens and clicks" moments={stats.minutes} counted={READ} step={60} />
        </Card>
      ) : (
        stats.timeline.length > 1 && <Timeline timeline={stats.timeline} />
      )}
      {stats.links.length > 0 && (
        <Card title="Links" flush>
          <Table
            caption="Links"
            rows={stats.links}
            row_key={({ url }) => url}
            columns={[
              { id: 'url', head: 'Address', card: 'title', cell: ({ url }) => <span class="address">{url}</span> },
              {
                id: 'people',
                head: 'People',
                align: 'end',
                card: 'line',
                cell: ({ unique_clicks }) => number(unique_clicks),
              },
              { id: 'clicks', head: 'Clicks', align: 'end', card: 'line', cell: ({ clicks }) => number(clicks) },
              {
                id: 'share',
                head: 'Of those reached',
                align: 'end',
                card: 'line',
                cell: ({ unique_clicks }) => share(unique_clicks, reached),
              },
              ...(can('editor')
                ? [
                    {
                      id: 'segment',
                      head: <span class="visually-hidden">Actions</span>,
                      tight: true,
                      cell: ({ url }: Stats['links'][number]) => (
                        <a
                          href={segmentHref(
                            all(['clicked'], { campaign_id: campaign.id, url }),
                            `Clicked in ${letterName(campaign)}`,
                          )}
                        >
                          Make a segment<span class="visually-hidden"> of who clicked {url}</span>
                        </a>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </Card>
      )}
    </>
  )
}

/** Why nobody received a campaign. */
function Nobody({ campaign }: { campaign: CampaignOfPage }) {
  const { data } = useAudienceCount(campaign.audience_spec)
  const reasons = data ? leftOutWords(data.excluded) : []
  return (
    <Empty sentence={`Nobody got this campaign.${reasons.length > 0 ? ` Left out now: ${reasons.join(', ')}.` : ''}`} />
  )
}

function Timeline({ timeline }: Pick<Stats, 'timeline'>) {
  const { x, series } = useMemo(
    () => ({
      x: timeline.map(({ at }) => Date.parse(at) / 1000),
      series: [
        {
          label: 'Sent (by its own scale)',
          values: timeline.map(({ sent }) => sent),
          kind: 'area' as const,
          tone: 'quiet' as const,
        },
        { label: 'Opens', values: timeline.map(({ opens }) => opens), tone: 'accent' as const },
        { label: 'Clicks', values: timeline.map(({ clicks }) => clicks), tone: 'good' as const },
      ],
    }),
    [timeline],
  )
  return (
    <Card title="By hour">
      <Chart label="Messages, opens and clicks by hour" x={x} series={series} />
    </Card>
  )
}

function NotCertain({ id, people }: { id: number; people: number }) {
  const [isAsking, setAsking] = useState(false)
  const words = count(people, 'person', 'people')
  return (
    <Callout
      tone="wait"
      title={`${words} may or may not have it.`}
      actions={
        <>
          <Button href={link(`/campaigns/${id}`, { tab: 'people', status: 'uncertain' })}>See them</Button>
          {can('editor') && <Button onClick={() => setAsking(true)}>Send again to these {number(people)}…</Button>}
        </>
      }
    >
      <p>The connection to the relay broke after the text was handed over, before the relay had answered.</p>
      {isAsking && (
        <ConfirmDialog
          title={`Send again to ${words}?`}
          verb={`Send again to ${words}`}
          onClose={() => setAsking(false)}
          onConfirm={() => requeue(id, true)}
        >
          <p>They might get it twice.</p>
        </ConfirmDialog>
      )}
    </Callout>
  )
}

function Failed({ id, people }: { id: number; people: number }) {
  const [isAsking, setAsking] = useState(false)
  const words = count(people, 'person', 'people')
  return (
    <Callout
      tone="bad"
      title={`${count(people, 'message', 'messages')} could not be sent.`}
      actions={
        <>
          <Button href={link(`/campaigns/${id}`, { tab: 'people', status: 'failed' })}>See them</Button>
          {can('editor') && <Button onClick={() => setAsking(true)}>Try again for {words}…</Button>}
        </>
      }
    >
      {isAsking && (
        <ConfirmDialog
          title={`Try again for ${words}?`}
          verb={`Send to ${words}`}
          onClose={() => setAsking(false)}
          onConfirm={() => requeue(id, false)}
        >
          <p>Who has left since, or is suppressed, gets nothing.</p>
        </ConfirmDialog>
      )}
    </Callout>
  )
}

async function requeue(campaign_id: number, include_uncertain: boolean): Promise<void> {
  const { requeued } = await mutate('campaigns/requeue-failed', { campaign_id, include_uncertain })
  invalidate('campaigns/', 'overview')
  toast({ text: `${count(requeued, 'message is', 'messages are')} queued again.` })
}
