import { letterName } from '../../api/letter-name.ts'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { read } from '../../api/calls.ts'
import { useAction } from '../../api/action.ts'
import { useRead } from '../../api/query.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Timeline, type TimelineItem } from '../../ui/timeline.tsx'
import { CONSENT_TITLES, ConsentPaper } from './consent-paper.tsx'
import { deviceName } from './device.ts'
import { EVENTS } from './event-labels.ts'
import { REASONS } from './standing.ts'
import { type Activity, type ContactAnswer, type Entry, historyOf, type Show } from './history.ts'

/** The number of events in one answer. */
const PAGE = 100

const TABS: readonly { id: Show; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'consent', label: 'Consent' },
  { id: 'messages', label: 'Messages' },
  { id: 'engagement', label: 'Opens and clicks' },
  { id: 'lists', label: 'Lists' },
]

interface HistoryCardProps {
  answer: ContactAnswer
  show: string | undefined
  listName: (id: number | null) => string
}

/** The history of a contact, newest first. */
export function HistoryCard({ answer: { contact, activity, consents }, show: asked, listName }: HistoryCardProps) {
  const { route } = useLocation()
  const show = TABS.find(({ id }) => id === asked)?.id ?? 'all'
  const older = useOlder(contact.id, activity)
  const entries = historyOf(consents, older.activity, show)
  const campaigns = useRead(
    'campaigns/list',
    { order: 'newest', limit: 200 },
    { enabled: older.activity.some(({ campaign_id }) => campaign_id !== null) },
  )
  const campaignName = (id: number | null) => {
    const known = campaigns.data?.items.find((campaign) => campaign.id === id)
    return id === null ? '' : known ? letterName(known) : `campaign ${id}`
  }
  const items = entries.map((entry) => itemOf(entry, { email: contact.email, listName, campaignName }))
  return (
    <Card title="What happened">
      <Tabs
        label="What to show"
        tabs={TABS}
        value={show}
        onChange={(next) => route(link(`/contacts/${contact.id}`, { show: next === 'all' ? null : next }), true)}
      >
        {items.length === 0 ? (
          <Empty sentence={show === 'all' ? 'Nothing happened yet.' : 'Nothing of this kind happened yet.'} />
        ) : (
          <Timeline label="What happened" items={items} />
        )}
        {older.error && <ErrorNote title="Older entries could not be loaded." error={older.error} retry={older.more} />}
        {show !== 'consent' && older.is_more && (
          <Button busy={older.busy} onClick={older.more}>
            Show older
          </Button>
        )}
        {show !== 'consent' && !older.is_more && older.activity.length > 0 && (
          <p class="quiet small">That is all that is kept.</p>
        )}
      </Tabs>
    </Card>
  )
}

/** The pages of events after the first one. */
function useOlder(contact_id: number, first: readonly Activity[]) {
  const [pages, setPages] = useState<readonly Activity[]>([])
  const [last, setLast] = useState(first.length)
  const activity = [...first, ...pages.filter(({ id }) => id < (first.at(-1)?.id ?? 0))]
  const load = useAction(
    () => read('contacts/get', { contact_id, activity_after_id: activity.at(-1)!.id, consents_after_id: 1 }),
    {
      done: (answer) => {
        setPages([...pages, ...answer.activity])
        setLast(answer.activity.length)
      },
    },
  )
  return {
    activity,
    is_more: last === PAGE,
    more: () => void load.run(undefined),
    busy: load.busy,
    error: load.error,
  }
}

interface Naming {
  email: string
  listName: (id: number | null) => string
  campaignName: (id: number | null) => string
}

function itemOf(entry: Entry, { email, listName, campaignName }: Naming): TimelineItem {
  if (entry.kind === 'consent') {
    const { id, at, given } = entry
    return {
      id,
      at,
      icon: 'file-text',
      tone: given.action === 'withdrawn' ? 'wait' : 'good',
      title: CONSENT_TITLES[given.action],
      document: true,
      children: <ConsentPaper document={entry} email={email} listName={listName} />,
    }
  }
  const { event } = entry
  const words = EVENTS[event.type]
  const title = words.title({
    campaign: campaignName(event.campaign_id),
    list: event.list_id === null ? '' : listName(event.list_id),
  })
  return {
    id: entry.id,
    at: entry.at,
    icon: words.icon,
    tone: event.machine ? 'quiet' : words.tone,
    title: event.machine ? (
      <span class="quiet">
        {title} <span class="history-machine">machine</span>
      </span>
    ) : event.campaign_id === null ? (
      title
    ) : (
      <a class="table-link" href={link(`/campaigns/${event.campaign_id}`)}>
        {title}
      </a>
    ),
    children: <EventNotes event={event} />,
  }
}

function EventNotes({ event: { url, user_agent, detail, machine, type } }: { event: Activity }) {
  const device = machine ? 'Opened by a program on the way, such as a privacy proxy.' : deviceName(user_agent)
  if (!url && !device && !detail) return null
  return (
    <div class="history-notes">
      {url && <p class="history-url">{url}</p>}
      {detail && <p>{detailWords(type, detail)}</p>}
      {device && <p>{device}</p>}
    </div>
  )
}

function detailWords(type: Activity['type'], detail: string): string {
  if (type === 'address_changed') return `It was ${detail}.`
  return Object.hasOwn(REASONS, detail) ? `Reason: ${REASONS[detail as keyof typeof REASONS]}.` : detail
}
