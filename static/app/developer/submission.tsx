import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { sendOnce } from '../api/calls.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextArea } from '../ui/field.tsx'
import { count } from '../ui/format.ts'
import { toast } from '../ui/toast.tsx'
import { type App, APPS, useInstalls, useListing, useTestProjects } from '../app-review/app-data.ts'
import { Checklist } from '../app-review/checklist.tsx'

interface SubmissionProps {
  app: App
  /** The number that the new version gets. */
  number: number
  onClose(): void
}

/** The checklist for a submission, and the notes for the reviewer. */
export function Submission({ app, number, onClose }: SubmissionProps) {
  const { id } = app
  const [notes, setNotes] = useState('')
  const listing = useListing(id).data?.listing
  const installs = useInstalls(id).data?.totals
  const tests = useTestProjects(id).data?.test_projects
  const added = app.scopes.filter((scope) => !app.approved?.scopes.includes(scope))
  const submit = useAction(
    async () => {
      const { version } = await sendOnce('POST /user/developer/apps/:id/versions', { notes }, { params: { id } })
      return sendOnce('POST /user/review-requests', { app_id: id, version_id: version.id })
    },
    {
      invalidates: [APPS, '/user/review-requests'],
      done: () => {
        toast({ text: 'Submitted. You get a message when it is decided.', tone: 'good' })
        onClose()
      },
    },
  )
  return (
    <Dialog
      title={`Submit ${app.displayName} for review`}
      onClose={onClose}
      actions={
        <>
          <Button kind="primary" busy={submit.busy} onClick={() => void submit.run(undefined)}>
            Submit version {number}
          </Button>
          <Button onClick={onClose}>Not yet</Button>
        </>
      }
    >
      <div class="stack">
        <FlawSummary title="Nothing was submitted." error={submit.error} />
        {app.approved && added.length > 0 && installs && installs.projects > 0 && (
          <Callout
            tone="wait"
            title={`Owners must allow it again: ${count(installs.projects, 'project', 'projects')}.`}
          >
            <p>New permissions: {added.join(', ')}. Until then the app may there what it may now.</p>
          </Callout>
        )}
        <Checklist
          title="What reviewers look for"
          of={{
            ...app,
            icon_url: listing?.icon_url,
            privacy_url: listing?.privacy_url,
            projects: (installs?.projects ?? 0) + (tests?.length ?? 0),
          }}
          href={(page) => link(`/apps/${id}/${page}`)}
        />
        <TextArea
          label="Notes for the reviewer"
          flaw={submit.error?.flawOf('/notes')}
          rows={3}
          value={notes}
          onInput={setNotes}
        />
      </div>
    </Dialog>
  )
}
