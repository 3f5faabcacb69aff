import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Deliverability } from '../../api/operations.d.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Callout, Empty, Skeleton } from '../../ui/callout.tsx'
import { Card, Tile, Tiles } from '../../ui/card.tsx'
import { Chart, type Series } from '../../ui/chart.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Select } from '../../ui/field.tsx'
import { count, dateTime, number, percent, share } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { toneOf, useDeliverability } from './deliverability.ts'
import { SendingHead } from './sending.tsx'

type Provider = Deliverability['providers'][number]

const NAMES: Record<Provider['provider'], string> = {
  gmail: 'Gmail',
  outlook: 'Outlook',
  yahoo: 'Yahoo',
  icloud: 'iCloud',
  gmx: 'GMX',
  proton: 'Proton',
  other: 'All others',
}
const REASONS: Record<Deliverability['suppressions'][number]['reason'], string> = {
  hard_bounce: 'do not exist',
  complaint: 'complained',
  unsubscribe: 'have left',
  manual: 'were added by hand',
}
const DAYS = ['7', '30', '90']

/** The deliverability of the project: bounces, complaints and waiting messages. */
export default function Health({ query }: PageProps) {
  const { route } = useLocation()
  const days = DAYS.includes(query.days ?? '') ? query.days! : '30'
  const { data, error, reload } = useDeliverability(Number(days))
  return (
    <>
      <SendingHead tab="health" />
      <div class="filters">
        <Select
          label="Time"
          label_hidden
          value={days}
          onInput={(chosen) => route(link('/sending/health', { days: chosen === '30' ? null : chosen }), true)}
          options={DAYS.map((value) => ({ value, label: `The last ${value} days` }))}
        />
      </div>
      {error && <ErrorNote title="The numbers could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={8} />}
      {data &&
        (data.deliverability.total.sent === 0 ? (
          <Empty
            sentence={`Nothing was sent in ${days} days. What mailbox providers say of your letters stands here.`}
          />
        ) : (
          <Numbers report={data.deliverability} />
        ))}
    </>
  )
}

function Numbers({ report }: { report: Deliverability }) {
  const { total, thresholds, providers, held_back, suppressions, campaigns } = report
  return (
    <>
      <Tiles>
        <Tile label="Sent" value={number(total.sent)} />
        <Tile
          label="Bounced"
          value={share(total.bounced, total.sent)}
          note={`${count(total.bounced, 'address', 'addresses')}. Act from ${percent(thresholds.bounced.act)}.`}
          tone={toneOf(total.bounced / total.sent, thresholds.bounced)}
        />
        <Tile
          label="Complained"
          value={share(total.complained, total.sent, 2)}
          note={`${count(total.complained, 'person', 'people')}. Act from ${percent(thresholds.complained.act)}.`}
          tone={toneOf(total.complained / total.sent, thresholds.complained)}
        />
        <Tile label="Left" value={share(total.unsubscribed, total.sent)} note={number(total.unsubscribed)} />
        <Tile label="Opened" value={share(total.opened, total.sent)} note={number(total.opened)} />
      </Tiles>
      {held_back.map(({ provider, messages, reason, until, error }) => (
        <Callout
          key={provider}
          tone="wait"
          title={`${NAMES[provider]} holds back ${count(messages, 'message', 'messages')}.`}
        >
          <p>
            {reason === 'limit' ? 'The limit of the connection is reached.' : (error ?? 'It refuses for now.')} They are
            tried again at {dateTime(until)}.
          </p>
        </Callout>
      ))}
      <Card title="By mailbox provider" flush>
        <Table
          caption="By mailbox provider"
          rows={providers}
          row_key={({ provider }) => provider}
          columns={columns(report)}
        />
      </Card>
      <ByDay report={report} />
      {campaigns.length > 0 && (
        <Card title="Campaigns above a threshold" flush>
          <Table
            caption="Campaigns above a threshold"
            rows={campaigns}
            row_key={({ id }) => String(id)}
            row_href={({ id }) => link(`/campaigns/${id}`)}
            columns={[
              { id: 'name', head: 'Campaign', card: 'title', cell: ({ name }) => name },
              { id: 'sent', head: 'Sent', align: 'end', card: 'line', cell: ({ sent }) => number(sent) },
              {
                id: 'bounced',
                head: 'Bounced',
                align: 'end',
                card: 'line',
                cell: ({ sent, bounced }) => share(bounced, sent),
              },
              {
                id: 'complained',
                head: 'Complained',
                align: 'end',
                card: 'line',
                cell: ({ sent, complained }) => share(complained, sent, 2),
              },
              {
                id: 'level',
                head: 'What to do',
                card: 'line',
                cell: ({ level }) => (
                  <StatusBadge tone={level === 'act' ? 'bad' : 'wait'}>{level === 'act' ? 'Act' : 'Watch'}</StatusBadge>
                ),
              },
            ]}
          />
        </Card>
      )}
      {suppressions.length > 0 && (
        <Card title="Who is never written to" actions={<a href={link('/suppressions')}>All suppressions</a>}>
          <ul>
            {suppressions.map(({ reason, addresses }) => (
              <li key={reason}>
                {number(addresses)} {REASONS[reason]}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function columns({ thresholds }: Deliverability): Column<Provider>[] {
  return [
    { id: 'provider', head: 'Provider', card: 'title', cell: ({ provider }) => NAMES[provider] },
    { id: 'sent', head: 'Sent', align: 'end', card: 'line', cell: ({ sent }) => number(sent) },
    {
      id: 'bounced',
      head: 'Bounced',
      align: 'end',
      card: 'line',
      cell: ({ sent, bounced }) => toned(bounced, sent, thresholds.bounced),
    },
    {
      id: 'complained',
      head: 'Complained',
      align: 'end',
      card: 'line',
      cell: ({ sent, complained }) => toned(complained, sent, thresholds.complained),
    },
    {
      id: 'left',
      head: 'Left',
      align: 'end',
      card: 'line',
      cell: ({ sent, unsubscribed }) => share(unsubscribed, sent),
    },
    { id: 'opened', head: 'Opened', align: 'end', card: 'line', cell: ({ sent, opened }) => share(opened, sent) },
  ]
}

function toned(part: number, whole: number, limits: { watch: number; act: number }) {
  const tone = toneOf(part / Math.max(1, whole), limits)
  const text = share(part, whole, 2)
  return tone === undefined ? text : <StatusBadge tone={tone}>{text}</StatusBadge>
}

function ByDay({ report: { providers, thresholds } }: { report: Deliverability }) {
  const { x, counts, bounced, complained } = useMemo(() => {
    const days = new Map<string, { sent: number; bounced: number; complained: number }>()
    for (const { by_day } of providers)
      for (const { date, sent, bounced, complained } of by_day) {
        const day = days.get(date) ?? { sent: 0, bounced: 0, complained: 0 }
        const sum = { bounced: day.bounced + bounced, complained: day.complained + complained }
        days.set(date, { sent: day.sent + sent, ...sum })
      }
    const sorted = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([date, day]) => ({ date, ...day }))
    const sharesOf = (label: string, kind: 'bounced' | 'complained'): Series[] => [
      { label, values: sorted.map((day) => (100 * day[kind]) / Math.max(1, day.sent)), tone: 'bad' },
      { label: 'Watch from', values: sorted.map(() => 100 * thresholds[kind].watch), tone: 'quiet' },
      { label: 'Act from', values: sorted.map(() => 100 * thresholds[kind].act), tone: 'wait' },
    ]
    return {
      x: sorted.map(({ date }) => Date.parse(date) / 1000),
      counts: [
        { label: 'Sent', values: sorted.map(({ sent }) => sent), tone: 'accent' as const },
        {
          label: 'Bounced or complained',
          values: sorted.map(({ bounced, complained }) => bounced + complained || null),
          tone: 'bad' as const,
        },
      ],
      bounced: sharesOf('Bounced', 'bounced'),
      complained: sharesOf('Complained', 'complained'),
    }
  }, [providers])
  if (x.length < 2) return null
  return (
    <>
      <Card title="By day">
        <Chart label="Messages by day" kind="bars" x={x} series={counts} x_head="Day" />
      </Card>
      <Shares
        title="Bounces by day, and when to act"
        label="Messages that bounced, of a hundred"
        x={x}
        series={bounced}
      />
      <Shares
        title="Complaints by day, and when to act"
        label="Messages that people complained about, of a hundred"
        x={x}
        series={complained}
      />
    </>
  )
}

interface SharesProps {
  title: string
  label: string
  x: readonly number[]
  series: readonly Series[]
}

/** Shares by day, beside the two thresholds. */
function Shares({ title, ...chart }: SharesProps) {
  return (
    <Card title={title}>
      <Chart {...chart} x_head="Day" format={(value) => percent(value / 100)} height={160} />
    </Card>
  )
}
