import { link } from '../../api/link.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { relative } from '../../ui/format.ts'
import { LetterFrame } from './letter-frame.tsx'
import type { CampaignOfPage } from './use-campaign.ts'

/** The letter as it will be seen, and what became of the last test messages. */
export function LetterCard({ campaign }: { campaign: CampaignOfPage }) {
  const { id, status } = campaign
  const mayWrite = can('editor') && status !== 'scheduled'
  return (
    <Card
      title="The letter"
      id="letter"
      actions={
        mayWrite && (
          <Button small href={link(`/campaigns/${id}/edit`)}>
            Write
          </Button>
        )
      }
    >
      <div class="stack">
        <Tests campaign={campaign} />
        <LetterFrame key={campaign.updated_at} id={id} />
      </div>
    </Card>
  )
}

type Test = CampaignOfPage['tests'][number]

const OUTCOMES: Readonly<Partial<Record<Test['status'], string>>> = {
  sent: 'sent',
  failed: 'not sent',
  bounced: 'refused by its server',
  skipped: 'left out',
  cancelled: 'cancelled',
  uncertain: 'perhaps sent',
}

function Tests({ campaign: { tests, updated_at } }: { campaign: CampaignOfPage }) {
  const [latest] = tests
  if (latest === undefined) return <p class="quiet">Nobody got a test message of this letter yet.</p>
  const isOlder = latest.at < updated_at
  return (
    <>
      <p>
        Test messages of {relative(latest.at, Date.now())}
        {isOlder ? ', before the last change of the letter:' : ', with this letter:'}
      </p>
      <ul class="test-results">
        {tests.map(({ email, status, error }, at) => (
          <li key={at}>
            {email}: {OUTCOMES[status] ?? 'under way'}
            {error !== null && status !== 'sent' && `, because ${error}`}
          </li>
        ))}
      </ul>
    </>
  )
}
