import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../page-props.ts'
import { useRead } from '../api/query.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/callout.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { PageHead } from '../ui/page.tsx'
import { dateTime } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'
import LetterPage from './letter-page.tsx'
import type { Editor } from './editor.ts'
import type { Session } from './session.ts'
import { campaignContent } from './source.ts'

const EDITABLE = new Set(['draft', 'scheduled', 'failed'])

/** The editor of a campaign's letter. A campaign that is being sent shows its report instead. */
export default function CampaignLetter({ params }: PageProps) {
  const id = Number(params['id'])
  const { route } = useLocation()
  const campaign = useRead('campaigns/get', { campaign_id: id })
  const schema = useRead('schema/get', {})
  const report = link(`/campaigns/${id}`)
  const found = campaign.data?.campaign
  const isClosed = found !== undefined && !EDITABLE.has(found.status)
  useEffect(() => {
    if (isClosed) route(report, true)
  }, [isClosed])
  const error = campaign.error ?? schema.error
  if (!found || !schema.data || isClosed)
    return (
      <>
        <PageHead title="Write" />
        {error ? (
          <ErrorNote title="The letter could not be loaded." error={error} retry={campaign.reload} />
        ) : (
          <Skeleton lines={8} />
        )}
      </>
    )
  const review = async (session: Session, editor: Editor) => {
    const [flaw] = editor.flaws.peek()
    if (flaw) {
      editor.fresh.value = null
      editor.select(flaw.id, 'block')
      toast({ text: `${flaw.message} A block that is not complete is not sent.`, tone: 'wait' })
      return
    }
    await session.save()
    if (session.trouble.peek() === null) route(link(`/campaigns/${id}/review`))
  }
  return (
    <LetterPage
      source={{ kind: 'campaign', id, key: `campaign ${id}` }}
      stored={campaignContent(found)}
      schema={schema.data}
      back={{ href: link('/campaigns'), label: 'Campaigns' }}
      from={found.from_name}
      badge={
        found.status === 'scheduled' && (
          <StatusBadge tone="wait">Goes out {dateTime(found.scheduled_at!, found.timezone ?? undefined)}</StatusBadge>
        )
      }
      closed={report}
      actions={(session, editor) => (
        <>
          <Button onClick={() => (editor.panel.value = { kind: 'test' })}>Test…</Button>
          <Button kind="primary" main onClick={() => void review(session, editor)}>
            Review and send
          </Button>
        </>
      )}
    />
  )
}
