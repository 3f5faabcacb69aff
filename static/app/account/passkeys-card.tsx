import { useSignal } from '@preact/signals'
import { useAction } from '../api/action.ts'
import { send, sendOnce } from '../api/calls.ts'
import { data as documentData } from '../api/data.ts'
import { ApiError } from '../api/errors.ts'
import { invalidate } from '../api/query.ts'
import { confirmed } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { day } from '../ui/format.ts'
import { type Column, Table } from '../ui/table.tsx'
import { toast } from '../ui/toast.tsx'
import { atLocalhost } from '../passkey-address.ts'
import { SECURITY, type Security } from '../api/security.ts'

type Passkey = Security['passkeys'][number]

/** The passkeys of the account, and a form that adds one. */
export function PasskeysCard({ security: { passkeys, passkeys_possible } }: { security: Security }) {
  const name = useSignal('')
  const named = atLocalhost(location.href)
  const removing = useSignal<Passkey | null>(null)
  const add = useAction(makePasskey, {
    invalidates: [SECURITY],
    done({ passkey }) {
      name.value = ''
      toast({ text: `The passkey ${passkey.name} was added.`, tone: 'good' })
    },
  })
  return (
    <Card title="Passkeys">
      <div class="stack">
        <p class="quiet">A passkey of your device replaces the password and the code.</p>
        {passkeys.length > 0 && (
          <Table
            caption="Passkeys"
            rows={passkeys}
            row_key={({ id }) => id}
            columns={columns((passkey) => (removing.value = passkey))}
          />
        )}
        <FlawSummary error={add.error} />
        {!passkeys_possible ? (
          <p>
            Browsers make passkeys for a host name only, and the address of this service is a number:{' '}
            {documentData.base_url}. Its operator gives it a name with the setting <code>MASTHEAD_BASE_URL</code>.
          </p>
        ) : named !== null ? (
          <p>
            Browsers make passkeys for a host name only, and this page is open at {location.hostname}. Open it as{' '}
            <a href={named}>{new URL(named).host}</a> and sign in there. The setting <code>MASTHEAD_BASE_URL</code>{' '}
            gives the service another address.
          </p>
        ) : !window.isSecureContext ? (
          <p>
            Browsers make passkeys on encrypted connections only, and this page is open at {location.origin}. The
            operator of the service gives it an https address with the setting <code>MASTHEAD_BASE_URL</code>.
          </p>
        ) : !('PublicKeyCredential' in window) ? (
          <p>This browser has no passkeys.</p>
        ) : (
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              void add.run(name.value)
            }}
          >
            <TextField
              label="Name of the new passkey"
              flaw={add.error?.flawOf('/name')}
              hint="Such as the name of the device."
              maxlength={100}
              value={name.value}
              onInput={(value) => (name.value = value)}
            />
            <div>
              <Button kind="primary" type="submit" icon="plus" busy={add.busy} main>
                Add a passkey
              </Button>
            </div>
          </form>
        )}
      </div>
      {removing.value && (
        <Remove passkey={removing.value} last={passkeys.length === 1} onClose={() => (removing.value = null)} />
      )}
    </Card>
  )
}

function Remove({ passkey: { id, name }, last, onClose }: { passkey: Passkey; last: boolean; onClose(): void }) {
  return (
    <ConfirmDialog
      title={`Remove the passkey ${name}?`}
      verb="Remove 1 passkey"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await confirmed(() => sendOnce('DELETE /user/passkeys/:id', {}, { params: { id } }))
        invalidate(SECURITY)
      }}
    >
      <p>
        It no longer signs in here. {last ? 'You then sign in with your password.' : 'Your other passkeys stay.'} Remove
        it from the device as well.
      </p>
    </ConfirmDialog>
  )
}

function columns(remove: (passkey: Passkey) => void): Column<Passkey>[] {
  return [
    { id: 'name', head: 'Name', card: 'title', cell: ({ name }) => name },
    { id: 'added', head: 'Added on', card: 'line', tight: true, cell: ({ created_on }) => day(created_on) },
    {
      id: 'used',
      head: 'Last used',
      card: 'line',
      tight: true,
      cell: ({ last_used_on }) => (last_used_on === null ? 'Not yet' : day(last_used_on)),
    },
    {
      id: 'act',
      head: <span class="visually-hidden">Change</span>,
      align: 'end',
      card: 'line',
      cell: (passkey) => (
        <Button small kind="quiet" onClick={() => remove(passkey)}>
          Remove…<span class="visually-hidden"> {passkey.name}</span>
        </Button>
      ),
    },
  ]
}

async function makePasskey(name: string) {
  const { options } = await confirmed(() => send('POST /user/passkeys/options', {}))
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = (await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    throw new ApiError('PASSKEY', isKnown(error) ? KNOWN : NOT_MADE, { status: 0 })
  })) as PublicKeyCredential
  return sendOnce('POST /user/passkeys', { name, response: credential.toJSON() as unknown as Record<string, unknown> })
}

const KNOWN = 'This device has a passkey for your account already.'
const NOT_MADE = 'No passkey was made. Try again.'

function isKnown(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError'
}
