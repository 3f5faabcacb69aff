import { letterName } from '../../api/letter-name.ts'
import { useMutation } from '../../api/action.ts'
import type { ApiError } from '../../api/errors.ts'
import { useRead } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { count } from '../../ui/format.ts'
import { useTypedNumber } from '../campaigns/typed-number.tsx'
import type { CampaignOfPage } from '../campaigns/use-campaign.ts'

interface Props {
  campaign: CampaignOfPage
  /** The messages that wait; null for a campaign whose people are not counted yet. */
  queued: number | null
  invalidates: readonly string[]
  onClose(): void
}

/** Whether a campaign was not resumed because a restore cannot know who has it already. */
export function mayDouble(error: ApiError | null): boolean {
  const details = error?.about.details as { required?: string } | undefined
  return error?.code === 'NOT_READY' && details?.required === 'acknowledge_doubles'
}

/** Resumes a campaign that a restore paused. The user types how many people may get it a second time. */
export function ResumeDialog({ campaign, queued, invalidates, onClose }: Props) {
  const { id, name, subject, audience_spec, failure } = campaign
  const counted = useRead('campaigns/audience-count', { audience_spec }, { enabled: queued === null })
  const resume = useMutation('campaigns/resume', { invalidates, done: onClose })
  const people = queued ?? counted.data?.count ?? null
  const { missing, field } = useTypedNumber(people, 'the number of people who may get it twice')
  return (
    <Dialog
      alert
      title={`Resume “${letterName({ name, subject })}”?`}
      onClose={onClose}
      initial_focus={people === null ? '.dialog-no button' : 'input'}
      actions={
        <>
          <Button
            kind="primary"
            busy={resume.busy}
            disabled_reason={people === null ? 'People are being counted.' : missing}
            onClick={() => void resume.run({ campaign_id: id, acknowledge_doubles: true })}
          >
            {people === null ? 'Resume' : `Resume for ${count(people, 'person', 'people')}`}
          </Button>
          <span class="dialog-no">
            <Button onClick={onClose}>Not yet</Button>
          </span>
        </>
      }
    >
      <FlawSummary error={resume.error ?? counted.error} />
      {people === null && !counted.error && <Skeleton lines={2} />}
      <p>{failure?.reason}</p>
      {people !== null && (
        <>
          <p>Any of them may get it a second time, or may have left.</p>
          {field}
        </>
      )}
    </Dialog>
  )
}
