import { useSignal } from '@preact/signals'
import { useAction } from '../api/action.ts'
import { send, sendOnce } from '../api/calls.ts'
import { data as documentData } from '../api/data.ts'
import { useQuery } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/callout.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { PageHead } from '../ui/page.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { toast } from '../ui/toast.tsx'
import { CodesCard } from './codes-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { FormCard } from './person-cards.tsx'
import { SECURITY } from '../api/security.ts'

/** How the user signs in: password, passkeys and one-time codes. */
export default function SecurityPage() {
  const { data, error, reload } = useQuery(SECURITY, (signal) => send('GET /user/security', {}, { signal }))
  return (
    <>
      <PageHead title="Security" lead="How you sign in. You get a message about each change." />
      <div class="project-settings">
        {error ? (
          <ErrorNote title="Your ways to sign in could not be loaded." error={error} retry={reload} />
        ) : data === undefined ? (
          <Skeleton lines={6} />
        ) : (
          <>
            <PasskeysCard security={data} />
            <CodesCard totp={data.totp} />
          </>
        )}
        <PasswordCard />
      </div>
    </>
  )
}

function PasswordCard() {
  const current = useSignal('')
  const next = useSignal('')
  const change = useAction(
    () => sendOnce('POST /user/password/change', { current_password: current.value, password: next.value }),
    {
      invalidates: ['/user/'],
      done() {
        current.value = next.value = ''
        toast({ text: 'Your password is changed. All other sessions have ended.', tone: 'good' })
      },
    },
  )
  return (
    <FormCard
      title="Password"
      error={change.error}
      onSubmit={() => void change.run(undefined)}
      actions={
        <Button
          type="submit"
          busy={change.busy}
          disabled_reason={current.value === '' || next.value === '' ? 'Type both passwords first.' : null}
        >
          Change the password
        </Button>
      }
    >
      <input type="text" hidden readonly autocomplete="username" value={documentData.user.email} />
      <PasswordField
        label="Present password"
        flaw={change.error?.flawOf('/current_password')}
        autocomplete="current-password"
        value={current.value}
        onInput={(value) => (current.value = value)}
      />
      <PasswordField
        label="New password"
        flaw={change.error?.flawOf('/password')}
        autocomplete="new-password"
        hint="At least 8 characters. All other sessions end."
        value={next.value}
        onInput={(value) => (next.value = value)}
      />
    </FormCard>
  )
}
