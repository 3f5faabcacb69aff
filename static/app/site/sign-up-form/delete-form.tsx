import { useState } from 'preact/hooks'
import { sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import type { SignUpForm } from '../../api/operations.d.ts'
import { invalidate } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.tsx'

/** Deletes a form after confirmation. */
export function DeleteForm({ form, onDeleted }: { form: SignUpForm; onDeleted: () => void }) {
  const [asking, ask] = useState(false)
  return (
    <>
      <Button small kind="quiet" icon="trash" onClick={() => ask(true)}>
        Delete…
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Delete the form “${form.name}”?`}
          verb="Delete 1 form"
          danger
          onClose={() => ask(false)}
          onConfirm={async () => {
            await sendOnce('POST /project/sign-up-forms/delete', { project_id: projectId(), form_id: form.id })
            toast({ text: `“${form.name}” is deleted.`, tone: 'good' })
            onDeleted()
            invalidate('/project/sign-up-forms')
          }}
        >
          <p>
            Its page and every pasted copy of it sign nobody up any more. Whoever signed up stays, with the evidence.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
