import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isSignedOut, signIns } from '../api/conditions.ts'
import { data } from '../api/data.ts'
import { ApiError } from '../api/errors.ts'
import { request } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'

interface SignedIn {
  user?: { id: string }
  second_factor?: { ticket: string }
}

/**
 * Asks for the password over the page when the session has ended. The page keeps its state, and waiting calls go on.
 */
export function SessionOver() {
  return isSignedOut.value ? <SignIn /> : null
}

function SignIn() {
  const password = useSignal('')
  const code = useSignal('')
  const ticket = useSignal<string | null>(null)
  const refusal = useSignal<string | null>(null)
  const busy = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (ticket.value !== null) form.current?.querySelector<HTMLElement>('[autocomplete=one-time-code]')?.focus()
  }, [ticket.value])
  return (
    <Dialog
      title="Your session has ended"
      onClose={() => undefined}
      stays
      initial_focus="[type=password]"
      actions={
        <>
          <Button kind="primary" type="submit" form="sign-in-again" busy={busy.value}>
            Go on
          </Button>
          <Button kind="quiet" href={`/portal/login?return=${encodeURIComponent(location.pathname + location.search)}`}>
            Sign in another way
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id="sign-in-again"
        onSubmit={(event) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <p>Sign in, and go on where you were. What you have written stays.</p>
        {refusal.value !== null && <Callout tone="bad">{refusal.value}</Callout>}
        {ticket.value === null ? (
          <>
            <input type="text" hidden readonly autocomplete="username" value={data.user.email} />
            <PasswordField
              label={`Password of ${data.user.email}`}
              autocomplete="current-password"
              value={password.value}
              onInput={(value: string) => (password.value = value)}
            />
          </>
        ) : (
          <TextField
            label="Code of your authenticator, or a recovery code"
            autocomplete="one-time-code"
            value={code.value}
            onInput={(value: string) => (code.value = value)}
          />
        )}
      </form>
    </Dialog>
  )

  async function signIn(): Promise<void> {
    busy.value = true
    refusal.value = null
    try {
      const answer =
        ticket.value === null
          ? await call('/user/login', { email: data.user.email, password: password.value })
          : await call('/user/login/second-factor', { ticket: ticket.value, code: code.value })
      if (answer.second_factor) ticket.value = answer.second_factor.ticket
      else if (answer.user?.id === data.user.id) {
        signIns.value++
        isSignedOut.value = false
      } else location.reload()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusal.value = error.message
    } finally {
      busy.value = false
    }
  }
}

function call(path: string, body: object): Promise<SignedIn> {
  return request<SignedIn>({ method: 'POST', path, body, is_repeatable: false })
}
