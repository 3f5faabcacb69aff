import { letterName } from '../../api/letter-name.ts'
import { useMemo } from 'preact/hooks'
import type { ResponseOf } from '../../api/calls.ts'
import { useRead } from '../../api/query.ts'
import { can } from '../../api/role.ts'
import { packRules } from '../../rules/address.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/callout.tsx'
import { Card, Tile, Tiles } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { number, share } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { StateMark } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { campaignHref } from '../campaigns/campaign-links.ts'
import { RESULT_COLUMNS } from '../campaigns/result-columns.ts'
import { judged, useDeliverability } from '../sending/deliverability.ts'
import { HOME_CAMPAIGNS } from './home-requests.ts'
import { NeedsYou } from './needs-you.tsx'
import { StartHere } from './start-here.tsx'

type Overview = ResponseOf<'overview'>
type Campaign = ResponseOf<'campaigns/list'>['items'][number]

/** The state of a project at a glance, and the next step. */
export default function Home() {
  const { data, error, reload } = useRead('overview', {})
  const campaigns = useRead('campaigns/list', HOME_CAMPAIGNS)
  const isFirst = campaigns.data?.items.length === 0
  return (
    <>
      <PageHead
        title="Home"
        primary={
          can('editor') && (
            <Button kind={isFirst ? 'secondary' : 'primary'} icon="plus" main href={link('/campaigns/new')}>
              New campaign
            </Button>
          )
        }
      />
      {can('editor') && <StartHere overview={data} />}
      <NeedsYou campaigns={campaigns.data?.items ?? []} overview={data} />
      {error && <ErrorNote title="The overview could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && <Numbers overview={data} last={campaigns.data?.items.find(({ status }) => status === 'sent')} />}
      {data && data.contacts.total > 0 && <Growth growth={data.growth} />}
      <Card title="Recent campaigns" flush actions={<a href={link('/campaigns')}>All campaigns</a>}>
        {campaigns.error ? (
          <ErrorNote title="Campaigns could not be loaded." error={campaigns.error} retry={campaigns.reload} />
        ) : (
          <Table
            caption="Recent campaigns"
            columns={COLUMNS}
            rows={campaigns.data?.items.slice(0, 5) ?? null}
            row_key={({ id }) => String(id)}
            row_href={campaignHref}
            empty={<Empty sentence="No letter yet." />}
          />
        )}
      </Card>
    </>
  )
}

const SUBSCRIBED = packRules({
  op: 'and',
  rules: [{ field: 'global_status', operator: 'eq', value: 'subscribed' }],
})

function Numbers({ overview, last }: { overview: Overview; last: Campaign | undefined }) {
  const { contacts, sending, growth } = overview
  const { this_month, monthly_limit } = sending
  return (
    <Tiles>
      <Tile
        label="Subscribed people"
        value={number(contacts.by_status.subscribed)}
        note={monthWords(changeOf(growth))}
        href={link('/contacts', { filter: SUBSCRIBED })}
      />
      <Tile
        label="Sent this month"
        value={number(this_month)}
        note={
          monthly_limit === null ? (
            'Without a limit'
          ) : (
            <Progress
              label="Of the limit of the month"
              label_hidden
              value={this_month}
              max={monthly_limit}
              note={`of ${number(monthly_limit)}`}
            />
          )
        }
        href={link('/campaigns', { status: 'sent' })}
      />
      <Tile
        label="Clicks of the last campaign"
        value={last?.stats && last.stats.reached > 0 ? share(last.stats.unique_clicks, last.stats.reached) : '–'}
        note={last ? letterName(last) : 'Nothing was sent yet'}
        href={last && campaignHref(last)}
      />
      <BouncesAndComplaints />
    </Tiles>
  )
}

/** The deliverability of 30 days, in one word. */
function BouncesAndComplaints() {
  const { data, error } = useDeliverability(30)
  const report = data?.deliverability
  const { tone, word } = report ? judged(report) : { tone: undefined, word: null }
  return (
    <Tile
      label="Bounces and complaints"
      value={word ?? '–'}
      tone={tone}
      note={
        report && report.total.sent === 0
          ? 'No letter was sent in 30 days'
          : report
            ? `${share(report.total.bounced, report.total.sent)} bounced, ${share(report.total.complained, report.total.sent, 2)} complained in 30 days`
            : error
              ? 'Could not be loaded'
              : 'In 30 days'
      }
      href={link('/sending/health')}
    />
  )
}

/** How many people joined and left in these days, and the difference. */
function changeOf(growth: Overview['growth']): { joined: number; left: number; net: number } {
  const joined = growth.reduce((sum, { subscribed }) => sum + subscribed, 0)
  const left = growth.reduce((sum, { unsubscribed }) => sum + unsubscribed, 0)
  return { joined, left, net: joined - left }
}

function netWords(net: number): string {
  if (net === 0) return 'As many as before'
  return net > 0 ? `${number(net)} more` : `${number(-net)} fewer`
}

function monthWords({ joined, left, net }: ReturnType<typeof changeOf>): string {
  if (joined === 0 && left === 0) return 'Nobody joined or left in 30 days'
  return net === 0 ? 'As many as 30 days ago' : `${netWords(net)} in 30 days`
}

/** People who left are drawn below the axis. */
const people = (value: number) => number(Math.abs(value))

function Growth({ growth }: { growth: Overview['growth'] }) {
  const { x, series } = useMemo(
    () => ({
      x: growth.map(({ date }) => Date.parse(date) / 1000),
      series: [
        { label: 'Joined', values: growth.map(({ subscribed }) => subscribed), tone: 'accent' as const },
        { label: 'Left', values: growth.map(({ unsubscribed }) => -unsubscribed || null), tone: 'bad' as const },
      ],
    }),
    [growth],
  )
  const { joined, left, net } = changeOf(growth)
  return (
    <Card
      title="The last 30 days"
      actions={
        <span class="quiet">{`${number(joined)} joined, ${number(left)} left: ${netWords(net).toLowerCase()}`}</span>
      }
    >
      <Chart
        label="People who joined and left, by day"
        kind="bars"
        x={x}
        series={series}
        format={people}
        x_head="Day"
        height={180}
      />
    </Card>
  )
}

const COLUMNS: readonly Column<Campaign>[] = [
  { id: 'name', head: 'Campaign', card: 'title', cell: letterName },
  { id: 'state', head: 'State', card: 'line', tight: true, cell: ({ status }) => <StateMark state={status} /> },
  ...RESULT_COLUMNS,
]
