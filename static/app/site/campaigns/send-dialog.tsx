import { letterName } from '../../api/letter-name.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { mutate, newKey, read, type RequestOf } from '../../api/calls.ts'
import { invalidate, useRead } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { Callout, Skeleton } from '../../ui/callout.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { count, dateTime, number } from '../../ui/format.ts'
import type { CampaignOfPage } from './use-campaign.ts'
import { useTypedNumber } from './typed-number.tsx'
import type { When } from './when-card.tsx'

interface Props {
  campaign: CampaignOfPage
  /** The number of people that the page showed. */
  seen: number
  when: When
  /** "Harbour News <news@harbour.example>, through Relay" */
  from: string
  how_long: string | null
  onClose(): void
  onSent(): void
}

/** From this number of people on, or this multiple of the last audience, the user has to type the number. */
const TYPED_FROM = 10_000
const TIMES_THE_LAST = 20
/** The request for the last campaign that was sent. */
const LAST_SENT: RequestOf<'campaigns/list'> = { status: 'sent', order: 'newest', limit: 1, include: ['stats'] }

/** Asks for confirmation. People are counted when it opens and again at the click. */
export function SendDialog({ campaign, seen, when, from, how_long, onClose, onSent }: Props) {
  const [people, setPeople] = useState<number | null>(null)
  const [before, setBefore] = useState(seen)
  const key = useRef(newKey())
  const { id, audience_spec } = campaign
  const countPeople = () => read('campaigns/audience-count', { audience_spec })
  const counting = useAction(countPeople, { done: ({ count }) => setPeople(count) })
  useEffect(() => void counting.run(undefined), [])
  const send = useAction(async () => {
    const { count } = await countPeople()
    if (count !== people) {
      setBefore(people ?? seen)
      setPeople(count)
      return
    }
    if (when.kind === 'now') await mutate('campaigns/send', { campaign_id: id }, key.current)
    else
      await mutate('campaigns/schedule', { campaign_id: id, scheduled_at: when.at!, timezone: when.zone }, key.current)
    invalidate('campaigns/', 'overview', 'jobs/')
    onSent()
  })
  const words = count(people ?? seen, 'person', 'people')
  const verb = when.kind === 'now' ? `Send to ${words}` : `Schedule for ${words}`
  const last = useRead('campaigns/list', LAST_SENT).data?.items[0]?.stats?.recipients ?? 0
  const isMany = (people ?? 0) >= TYPED_FROM || (last > 0 && (people ?? 0) >= last * TIMES_THE_LAST)
  const mustType = people !== null && isMany
  const { missing, field } = useTypedNumber(mustType ? people : null, 'the number of people')
  return (
    <Dialog
      alert
      title={
        when.kind === 'now'
          ? `Send “${letterName(campaign)}” to ${words}?`
          : `Schedule “${letterName(campaign)}” for ${words}?`
      }
      onClose={onClose}
      initial_focus={mustType ? 'input' : '.dialog-no button'}
      actions={
        <>
          <Button
            kind="primary"
            busy={send.busy || counting.busy}
            disabled_reason={missing}
            onClick={() => void (people === null ? counting : send).run(undefined)}
          >
            {verb}
          </Button>
          <span class="dialog-no">
            <Button onClick={onClose}>Not yet</Button>
          </span>
        </>
      }
    >
      <FlawSummary title={send.error?.code === 'NO_ANSWER' ? NO_ANSWER : undefined} error={send.error} />
      <FlawSummary title="People could not be counted. Press the button to count again." error={counting.error} />
      {people === null && !counting.error && <Skeleton lines={2} />}
      {people !== null && people !== before && (
        <Callout tone="wait" alert>
          It was {number(before)} when you looked; it is {number(people)} now.
        </Callout>
      )}
      <p>
        From {from}, {when.kind === 'now' ? 'starting now' : `at ${dateTime(when.at!, when.zone)} (${when.zone})`}.{' '}
        {how_long}
      </p>
      <p>
        {when.kind === 'now'
          ? 'You can pause it, but what has left cannot be called back.'
          : 'You can change or cancel it until then. People are counted again when it begins.'}
      </p>
      {field}
    </Dialog>
  )
}

const NO_ANSWER = 'No answer yet. Press the button again to ask: it cannot happen twice.'
