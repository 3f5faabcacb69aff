import { useSignal } from '@preact/signals'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { useQuery } from '../api/query.ts'
import { confirmed } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { enumeration } from '../ui/format.ts'

type Plan = RouteResponse<'GET /user/deletion'>['deletion']

/** Deletes the account. Shows what is deleted with it, and what must be settled first. */
export function DeleteCard() {
  const {
    data: answer,
    error,
    reload,
  } = useQuery('/user/deletion', (signal) => send('GET /user/deletion', {}, { signal }))
  const isAsked = useSignal(false)
  const plan = answer?.deletion
  const lines = plan ? consequences(plan) : []
  const hindrance = plan && hindranceOf(plan)
  return (
    <Card title="Delete the account">
      {error ? (
        <ErrorNote title="What the deletion would do could not be loaded." error={error} retry={reload} />
      ) : plan === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <div class="stack">
          <ul class="consequences">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <div>
            <Button kind="danger" disabled_reason={hindrance} onClick={() => (isAsked.value = true)}>
              Delete my account
            </Button>
          </div>
        </div>
      )}
      {isAsked.value && (
        <ConfirmDialog
          title="Delete your account?"
          verb="Delete my account"
          danger
          typed={data.user.email}
          onClose={() => (isAsked.value = false)}
          onConfirm={async () => {
            await confirmed(() => sendOnce('POST /user/deletion', { email: data.user.email }))
            location.assign('/portal/login')
          }}
        >
          <ul class="consequences">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
            <li>There is no way back.</li>
          </ul>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function consequences({ deletes_projects, leaves_projects, deletes_apps, hands_over_apps }: Plan): string[] {
  return [
    'Your name, address, passkeys and sessions are erased at once. What apps may do in your name ends.',
    ...deletes_projects.map(({ name }) => `The project ${name} is deleted with all it holds: nobody else is in it.`),
    ...leaves_projects.map(({ name }) => `You leave the project ${name}.`),
    ...deletes_apps.map(({ displayName }) => `The app ${displayName} is deleted.`),
    ...hands_over_apps.map(({ displayName }) => `The app ${displayName} goes to another member of its team.`),
  ]
}

function hindranceOf({ blocked_by, is_last_administrator }: Plan): string | null {
  if (is_last_administrator) return 'You are the only operator of this service: make somebody else one first.'
  if (blocked_by.length === 0) return null
  const names = enumeration(blocked_by.map(({ name }) => name))
  return `You are the only owner of ${names}, where others work. Hand over or delete first.`
}
