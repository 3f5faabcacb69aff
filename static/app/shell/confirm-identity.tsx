import { useSignal } from '@preact/signals'
import { atLocalhost } from '../passkey-address.ts'
import { SECURITY } from '../api/security.ts'
import { send, sendOnce } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { ApiError } from '../api/errors.ts'
import { useQuery } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { endQuestion, question } from '../confirm-identity.ts'

/** Asks for the password or a passkey, for `confirmed`. */
export function ConfirmIdentity() {
  return question.value === null ? null : <Proof />
}

function Proof() {
  const password = useSignal('')
  const refusal = useSignal<ApiError | null>(null)
  const busy = useSignal(false)
  const { data: security } = useQuery(SECURITY, (signal) => send('GET /user/security', {}, { signal }))
  const hasPasskey = security !== undefined && security.passkeys.length > 0
  const prove = async (call: () => Promise<unknown>) => {
    busy.value = true
    refusal.value = null
    try {
      await call()
      endQuestion('proved')
    } catch (error) {
      refusal.value = error instanceof ApiError ? error : new ApiError('PASSKEY', NO_PASSKEY, { status: 0 })
    } finally {
      busy.value = false
    }
  }
  const flaw = refusal.value?.flawOf('/password') ?? null
  return (
    <Dialog
      title="Is it you?"
      onClose={() => endQuestion('given_up')}
      actions={
        <>
          <Button kind="primary" type="submit" form="confirm-identity" busy={busy.value}>
            Go on
          </Button>
          {hasPasskey && 'PublicKeyCredential' in window && atLocalhost(location.href) === null && (
            <Button kind="quiet" icon="key" disabled={busy.value} onClick={() => void prove(provePasskey)}>
              Use a passkey
            </Button>
          )}
        </>
      }
    >
      <form
        id="confirm-identity"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void prove(() => sendOnce('POST /user/confirm', { password: password.value }))
        }}
      >
        <p>This is too important for an open window. Confirm that it is you; this holds for ten minutes.</p>
        {refusal.value && flaw === null && <ErrorNote error={refusal.value} />}
        <input type="text" hidden readonly autocomplete="username" value={data.user.email} />
        <PasswordField
          label={`Password of ${data.user.email}`}
          autocomplete="current-password"
          value={password.value}
          onInput={(value) => (password.value = value)}
          flaw={flaw}
        />
      </form>
    </Dialog>
  )
}

const NO_PASSKEY = 'The passkey was not used. Try again, or use your password.'

async function provePasskey(): Promise<void> {
  const { options } = await send('POST /user/confirm/passkey/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  await sendOnce('POST /user/confirm/passkey', { response: credential.toJSON() as unknown as Record<string, unknown> })
}
