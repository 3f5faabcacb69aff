import { useState } from 'preact/hooks'
import { Button } from '../button.tsx'
import { Callout, Skeleton } from '../callout.tsx'
import { Card } from '../card.tsx'
import { ErrorNote, FlawSummary } from '../error-note.tsx'
import { Progress } from '../progress.tsx'
import { toast } from '../toast.tsx'

export function Messages() {
  return (
    <>
      <Callout tone="bad" title="The relay refuses: 535 login." actions={<Button>Test the connection</Button>}>
        <p>The campaign was paused by itself. 803 people have it, 401 wait.</p>
      </Callout>
      <Callout tone="wait" title="No DMARC record">
        <p>Large mailbox providers turn away mail without one.</p>
      </Callout>
      <Callout tone="good" title="All records were found." />
      <Callout tone="accent" title="A new version of this page is ready." actions={<Button small>Reload</Button>} />
      <Callout>Only people who confirmed count.</Callout>
      <div class="row">
        <Button
          onClick={() => toast({ text: '312 contacts were deleted.', undo: () => toast({ text: 'They are back.' }) })}
        >
          Toast with undo
        </Button>
        <Button
          onClick={() =>
            toast({ text: 'The import is done.', tone: 'good', action: { label: 'See it', href: '#imports' } })
          }
        >
          Toast with a link
        </Button>
        <Button onClick={() => toast({ text: 'The message could not be sent.', tone: 'bad' })}>
          Toast about a failure
        </Button>
      </div>
    </>
  )
}

export function Waiting() {
  return (
    <div class="halves">
      <Card>
        <div class="stack">
          <Progress label="Importing contacts.csv" value={0.42} />
          <Progress label="Tagging" note="3,400 done" />
          <Progress
            label="May letter"
            note="ends at about 14:09"
            max={1204}
            segments={[
              { label: 'Sent', value: 803, tone: 'good' },
              { label: 'On the way', value: 320, tone: 'accent' },
              { label: 'Failed', value: 12, tone: 'bad' },
              { label: 'Skipped', value: 6, tone: 'quiet' },
              { label: 'Not certain', value: 63, tone: 'wait' },
            ]}
          />
        </div>
      </Card>
      <Card>
        <Skeleton lines={5} />
      </Card>
    </div>
  )
}

const ERROR = {
  message: 'Three fields need a look.',
  request_id: 'req_01JX2M8Q4T7N',
  flaws: [
    { name: 'Address of the sender', message: 'The address of the sender is not complete.' },
    { name: 'Postal address', message: 'The postal address is missing.' },
  ],
}

export function Errors() {
  const [error, setError] = useState<typeof ERROR | null>(null)
  return (
    <>
      <ErrorNote
        title="Contacts could not be loaded."
        error={{ message: 'The server did not answer within 10 seconds.', request_id: 'req_01JX2M8Q4T7N' }}
        retry={() => toast({ text: 'Asked again.' })}
      />
      <FlawSummary title="Nothing was saved." error={error} />
      <div class="row">
        <Button onClick={() => setError({ ...ERROR })}>Save with flaws</Button>
      </div>
    </>
  )
}
