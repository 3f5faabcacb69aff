import { useSignal } from '@preact/signals'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { invalidate } from '../api/query.ts'
import { confirmed } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { count, day } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { SECURITY, type Security } from '../api/security.ts'

type Enrollment = RouteResponse<'POST /user/totp/enrollment'>

/** One-time codes of an authenticator app. */
export function CodesCard({ totp }: { totp: Security['totp'] }) {
  const enrollment = useSignal<Enrollment | null>(null)
  const codes = useSignal<string[] | null>(null)
  const asked = useSignal<'off' | 'new' | null>(null)
  const begin = useAction(() => confirmed(() => send('POST /user/totp/enrollment', {})), {
    done: (begun) => (enrollment.value = begun),
  })
  const close = () => (asked.value = null)
  return (
    <Card title={<>One-time codes {totp && <StatusBadge tone="good">On since {day(totp.created_on)}</StatusBadge>}</>}>
      <div class="stack">
        <FlawSummary error={begin.error} />
        {totp === null ? (
          <>
            <p class="quiet">
              An authenticator app shows a code every 30 seconds. Signing in with your password then asks for it.
            </p>
            <div>
              <Button busy={begin.busy} onClick={() => void begin.run(undefined)}>
                Set up one-time codes
              </Button>
            </div>
          </>
        ) : (
          <>
            <p>
              {count(totp.recovery_codes_left, 'recovery code is', 'recovery codes are')} left of 10. Each replaces a
              code once.
            </p>
            <div class="row">
              <Button onClick={() => (asked.value = 'new')}>Make new recovery codes…</Button>
              <Button kind="quiet" onClick={() => (asked.value = 'off')}>
                Turn one-time codes off…
              </Button>
            </div>
          </>
        )}
      </div>
      {enrollment.value && (
        <Enroll
          enrollment={enrollment.value}
          onClose={() => (enrollment.value = null)}
          onCodes={(made) => {
            enrollment.value = null
            codes.value = made
          }}
        />
      )}
      {asked.value === 'new' && (
        <ConfirmDialog
          title="Make new recovery codes?"
          verb="Make 10 recovery codes"
          onClose={close}
          onConfirm={async () => {
            const { recovery_codes } = await confirmed(() => sendOnce('POST /user/totp/recovery-codes', {}))
            codes.value = recovery_codes
            invalidate(SECURITY)
          }}
        >
          <p>The old ones no longer work.</p>
        </ConfirmDialog>
      )}
      {asked.value === 'off' && (
        <ConfirmDialog
          title="Turn one-time codes off?"
          verb="Turn off"
          danger
          onClose={close}
          onConfirm={async () => {
            await confirmed(() => sendOnce('DELETE /user/totp', {}))
            invalidate(SECURITY)
          }}
        >
          <p>Your password alone then signs in. The recovery codes end, too.</p>
        </ConfirmDialog>
      )}
      {codes.value && <RecoveryCodes codes={codes.value} onClose={() => (codes.value = null)} />}
    </Card>
  )
}

interface EnrollProps {
  enrollment: Enrollment
  onCodes(codes: string[]): void
  onClose(): void
}

/** The secret for the authenticator app, and the form for its first code. */
function Enroll({ enrollment: { secret, qr_svg, enrollment }, onCodes, onClose }: EnrollProps) {
  const code = useSignal('')
  const turnOn = useAction(
    () => confirmed(() => sendOnce('POST /user/totp', { enrollment, code: code.value.trim() })),
    {
      invalidates: [SECURITY],
      done: ({ recovery_codes }) => onCodes(recovery_codes),
    },
  )
  return (
    <Dialog
      title="Set up one-time codes"
      onClose={onClose}
      initial_focus="input"
      actions={
        <>
          <Button kind="primary" type="submit" form="enroll" busy={turnOn.busy}>
            Turn on
          </Button>
          <Button onClick={onClose}>Not now</Button>
        </>
      }
    >
      <form
        id="enroll"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void turnOn.run(undefined)
        }}
      >
        <FlawSummary error={turnOn.error} />
        <p>Scan this with your authenticator app, then type the code that it shows.</p>
        <img
          class="account-qr"
          src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`}
          alt="The key below as a QR code"
          width={200}
          height={200}
        />
        <Code label="Or type this key" text={secret} wrap>
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </Code>
        <TextField
          label="Code"
          flaw={turnOn.error?.flawOf('/code')}
          autocomplete="one-time-code"
          inputmode="numeric"
          required
          value={code.value}
          onInput={(value) => (code.value = value)}
        />
      </form>
    </Dialog>
  )
}

/** The recovery codes, which are shown once. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <Dialog
      stays
      title="Your recovery codes"
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          I have stored them
        </Button>
      }
    >
      <div class="stack">
        <p>
          Store these where you find them without your phone. Each works once in place of a code. They are not shown
          again.
        </p>
        <Code label="Recovery codes" text={codes.join('\n')} />
      </div>
    </Dialog>
  )
}
