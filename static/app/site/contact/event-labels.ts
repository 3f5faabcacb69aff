import type { IconName } from '../../ui/icon.tsx'
import type { Tone } from '../../ui/state.tsx'
import type { Activity } from './history.ts'

/** The label of an event, and its icon and tone. */
interface EventWords {
  icon: IconName
  tone: Tone
  /** `campaign` is its name, or empty for messages without one. */
  title(names: { campaign: string; list: string }): string
}

/** "Opened “May letter”"; `without` replaces the name of an unnamed one. */
const of = (text: string, name: string, without = '') =>
  name === '' ? `${text} ${without}`.trim() : `${text} “${name}”`

export const EVENTS: Readonly<Record<Activity['type'], EventWords>> = {
  sent: { icon: 'send', tone: 'quiet', title: ({ campaign }) => of('Was sent', campaign, 'a message') },
  failed: { icon: 'circle-x', tone: 'bad', title: ({ campaign }) => of('Could not be sent', campaign) },
  uncertain: { icon: 'help', tone: 'wait', title: ({ campaign }) => of('Not certain whether it was sent:', campaign) },
  skipped: { icon: 'ban', tone: 'quiet', title: ({ campaign }) => of('Was left out of', campaign, 'a message') },
  bounce: { icon: 'circle-x', tone: 'bad', title: ({ campaign }) => of('Bounced:', campaign, 'a message') },
  complaint: { icon: 'alert', tone: 'bad', title: ({ campaign }) => of('Reported as spam:', campaign, 'a message') },
  confirmation_sent: {
    icon: 'mail',
    tone: 'accent',
    title: ({ list }) => of('A message to confirm was queued for', list),
  },
  open: { icon: 'eye', tone: 'accent', title: ({ campaign }) => of('Opened', campaign, 'a message') },
  click: { icon: 'pointer', tone: 'accent', title: ({ campaign }) => of('Clicked in', campaign, 'a message') },
  subscribed: { icon: 'plus', tone: 'good', title: ({ list }) => of('Joined', list, 'messages in general') },
  resubscribed: { icon: 'plus', tone: 'good', title: ({ list }) => of('Came back to', list, 'messages in general') },
  confirmed: { icon: 'check', tone: 'good', title: ({ list }) => of('Confirmed', list, 'the address') },
  left_list: { icon: 'minus', tone: 'quiet', title: ({ list }) => of('Left', list, 'a list') },
  unsubscribe: {
    icon: 'minus',
    tone: 'wait',
    title: ({ list }) => (list ? of('Left', list) : 'Opted out of everything'),
  },
  suppressed: { icon: 'ban', tone: 'bad', title: () => 'The address was suppressed' },
  unsuppressed: { icon: 'undo', tone: 'quiet', title: () => 'The suppression was lifted' },
  address_changed: { icon: 'pencil', tone: 'quiet', title: () => 'The address was changed' },
}
