import { letterName, lineWords } from '../../api/letter-name.ts'
import { useLocation } from 'preact-iso'
import { useMutation } from '../../api/action.ts'
import { useRead } from '../../api/query.ts'
import { can } from '../../api/role.ts'
import type { RuleGroup } from '../../api/operations.d.ts'
import { later } from '../../later.tsx'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { dateTime } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { PageWaiting } from '../../ui/page-waiting.tsx'
import { StateMark } from '../../ui/state.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { campaignHref, isEditable } from '../campaigns/campaign-links.ts'
import type { CampaignOfPage } from '../campaigns/use-campaign.ts'
import { useOneTab } from './one-tab.ts'
import { Numbers } from './numbers.tsx'
import { Running } from './running.tsx'
import { all, segmentHref } from './segment-of.ts'

const Events = later(() => import('./events.tsx').then(({ Events }) => Events))
const Letter = later(() => import('./letter.tsx').then(({ Letter }) => Letter))
const People = later(() => import('./people.tsx').then(({ People }) => People))

const TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'letter', label: 'Letter' },
  { id: 'people', label: 'People' },
  { id: 'events', label: 'Events' },
] as const

type Tab = (typeof TABS)[number]['id']

const LIVE_MS = 2_000
const SLOW_MS = 10_000
/** A campaign that has run for longer is polled less often. */
const LIVE_FOR_MS = 60_000

/** The progress of a campaign while it is sent, and its results. */
export default function Report({ params, query }: PageProps) {
  const id = Number(params.id)
  const isFirstTab = useOneTab(`campaign ${id}`)
  const known = useRead('campaigns/get', { campaign_id: id }).data?.campaign
  const every = known && isUnderWay(known.status) ? pace(known, isFirstTab) : null
  const { data, error, reload } = useRead('campaigns/get', { campaign_id: id }, { every_ms: every })
  const stats = useRead('campaigns/stats', { campaign_id: id }, { every_ms: every })
  const campaign = data?.campaign
  if (!campaign)
    return <PageWaiting title="Campaign" error={error} failure="The campaign could not be loaded." retry={reload} />
  return (
    <>
      <Head campaign={campaign} />
      {isUnderWay(campaign.status) && (
        <Running campaign={campaign} stats={stats.data} justSent={query.sent === 'now'} />
      )}
      <ReportTabs id={id} tab={(query.tab ?? 'overview') as Tab} query={query}>
        {stats.error && <ErrorNote title="The numbers could not be loaded." error={stats.error} retry={stats.reload} />}
        {!query.tab && stats.data && <Numbers campaign={campaign} stats={stats.data} />}
        {query.tab === 'letter' && <Letter id={id} links={stats.data?.links ?? []} />}
        {query.tab === 'people' && <People id={id} query={query} />}
        {query.tab === 'events' && <Events id={id} query={query} />}
      </ReportTabs>
    </>
  )
}

export function isUnderWay(status: CampaignOfPage['status']): boolean {
  return status === 'preparing' || status === 'sending' || status === 'paused'
}

function pace({ started_at }: CampaignOfPage, isFirstTab: boolean): number {
  const isYoung = started_at === null || Date.now() - Date.parse(started_at) < LIVE_FOR_MS
  return isYoung && isFirstTab ? LIVE_MS : SLOW_MS
}

function ReportTabs({
  id,
  tab,
  query,
  children,
}: {
  id: number
  tab: Tab
  query: PageProps['query']
  children: preact.ComponentChildren
}) {
  const { route } = useLocation()
  const go = (chosen: Tab) =>
    route(link(`/campaigns/${id}`, { sent: query.sent, tab: chosen === 'overview' ? null : chosen }), true)
  return (
    <Tabs label="Parts of the report" tabs={TABS} value={tab} onChange={go}>
      <div class="report">{children}</div>
    </Tabs>
  )
}

const SEGMENTS: readonly { label: string; name: string; rules(campaign_id: number): RuleGroup }[] = [
  { label: 'who opened', name: 'Opened', rules: (campaign_id) => all(['opened'], { campaign_id }) },
  {
    label: 'who did not open',
    name: 'Did not open',
    rules: (campaign_id) => all(['received', 'not_opened'], { campaign_id }),
  },
  { label: 'who clicked', name: 'Clicked in', rules: (campaign_id) => all(['clicked'], { campaign_id }) },
]

function Head({ campaign }: { campaign: CampaignOfPage }) {
  const { route } = useLocation()
  const duplicate = useMutation('campaigns/duplicate', {
    invalidates: ['campaigns/', 'overview'],
    done: ({ campaign }) => route(link(`/campaigns/${campaign.id}/edit`)),
  })
  const { id, name, subject, status, started_at, finished_at } = campaign
  const at = finished_at ?? started_at
  return (
    <>
      <PageHead
        title={letterName({ name, subject })}
        lead={
          <>
            <StateMark state={status} />
            {at !== null && <> · {dateTime(at)}</>}
            {name !== '' && subject !== name && <> · {lineWords(subject)}</>}
          </>
        }
        back={{ href: link('/campaigns'), label: 'Campaigns' }}
        secondary={
          <Menu
            icon="more"
            kind="quiet"
            label="More"
            items={[
              ...(can('editor') && started_at !== null
                ? SEGMENTS.map(({ label, name: start, rules }) => ({
                    label: `Make a segment: ${label}`,
                    onSelect: () => route(segmentHref(rules(id), `${start} ${letterName({ name, subject })}`)),
                  }))
                : []),
              { label: 'Print', icon: 'print' as const, onSelect: () => print() },
            ]}
          />
        }
        primary={
          isEditable(status) || status === 'scheduled' ? (
            <Button href={campaignHref(campaign)}>Open it</Button>
          ) : (
            can('editor') && (
              <Button main icon="copy" busy={duplicate.busy} onClick={() => void duplicate.run({ campaign_id: id })}>
                Duplicate
              </Button>
            )
          )
        }
      />
      <FlawSummary title="The campaign could not be duplicated." error={duplicate.error} />
    </>
  )
}
