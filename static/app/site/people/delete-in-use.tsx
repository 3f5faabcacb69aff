import { useState } from 'preact/hooks'
import { newKey } from '../../api/calls.ts'
import { ApiError } from '../../api/errors.ts'
import { invalidate } from '../../api/query.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'

interface DeleteInUseProps {
  title: string
  verb: string
  sentence: string
  act: (key: string) => Promise<unknown>
  done: string
  after?: () => void
  onClose: () => void
}

/** What still uses the thing, from the service's refusal (409 CONFLICT). */
interface Uses {
  segment_ids?: number[]
  campaign_ids?: number[]
}

/**
 * Asks for confirmation before a list, tag, segment or field is deleted. One that is in use is not deleted, and the
 * dialog links to its users.
 */
export function DeleteInUse(props: DeleteInUseProps) {
  const [key] = useState(newKey)
  const [refusal, refuse] = useState<ApiError | null>(null)
  if (refusal) return <InUse refusal={refusal} title={props.title} onClose={props.onClose} />
  const confirm = async () => {
    try {
      await props.act(key)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CONFLICT') refuse(error)
      throw error
    }
    toast({ text: props.done, tone: 'good' })
    props.after?.()
    invalidate('lists/', 'tags/', 'segments/', 'custom-fields/', 'schema/', 'contacts/', 'overview')
  }
  return (
    <ConfirmDialog title={props.title} verb={props.verb} danger onConfirm={confirm} onClose={props.onClose}>
      <p>{props.sentence}</p>
    </ConfirmDialog>
  )
}

function InUse({ refusal, title, onClose }: { refusal: ApiError; title: string; onClose: () => void }) {
  const { segment_ids = [], campaign_ids = [] } = (refusal.about.details ?? {}) as Uses
  return (
    <Dialog title={title} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <Callout tone="bad" alert title={refusal.message}>
        <ul>
          {segment_ids.map((id) => (
            <li key={`s${id}`}>
              <a href={link(`/segments/${id}`)}>{`Show segment ${id}`}</a>
            </li>
          ))}
          {campaign_ids.map((id) => (
            <li key={`c${id}`}>
              <a href={link(`/campaigns/${id}`)}>{`Show campaign ${id}`}</a>
            </li>
          ))}
        </ul>
      </Callout>
    </Dialog>
  )
}
