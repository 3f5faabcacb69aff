import type { ResponseOf } from '../../api/calls.ts'
import { duration, number } from '../../ui/format.ts'

type Connection = ResponseOf<'connections/list'>['items'][number]

/** A schedule with more days is not listed day by day. */
const MAX_DAYS = 7

/** How many messages are sent on each day, by the connection's daily limits. */
function spread(people: number, { sent_in_24_hours, limit, limits_ahead }: NonNullable<Connection['usage']>): number[] {
  const days: number[] = []
  for (let left = people; left > 0;) {
    const of = days.length === 0 ? limit : (limits_ahead[days.length - 1] ?? limits_ahead.at(-1) ?? limit)
    const room =
      of === null ? left : Math.max(days.length === 0 ? 0 : 1, of - (days.length === 0 ? sent_in_24_hours : 0))
    days.push(Math.min(left, room))
    left -= room
  }
  return days
}

/** "It takes about 2 minutes at 10 a second." */
export function howLong(
  people: number,
  { provider, max_per_second, usage }: Pick<Connection, 'provider' | 'max_per_second' | 'usage'>,
): string {
  if (provider === 'sandbox') return 'The sandbox keeps the messages in the mailbox: nobody gets one.'
  const days = usage ? spread(people, usage) : [people]
  if (days.length > MAX_DAYS)
    return `It is spread over ${number(days.length)} days: at most ${number(Math.max(...days))} leave in a day.`
  if (days.length > 1) return `It is spread over ${number(days.length)} days: ${days.map((n) => number(n)).join(', ')}.`
  if (max_per_second === null) return 'It leaves as fast as the relay takes it.'
  return `It takes about ${duration((people / max_per_second) * 1000)} at ${number(max_per_second)} a second.`
}
