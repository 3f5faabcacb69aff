import { useSignal } from '@preact/signals'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import { confirmed } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { day } from '../ui/format.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { toast } from '../ui/toast.tsx'

type Invitation = RouteResponse<'POST /user/operator/invitations/list'>['invitations'][number]
const INVITED = '/user/operator/invitations/'

/** Asks for an address, and sends it a link that makes an account. */
export function InvitePerson({ onClose }: { onClose: () => void }) {
  const email = useSignal('')
  const invite = useAction(
    () => confirmed(() => sendOnce('POST /user/operator/invitations/create', { email: email.value })),
    {
      invalidates: [INVITED],
      done: () => {
        toast({ text: `A letter invites ${email.value}. Its link works for seven days.`, tone: 'good' })
        onClose()
      },
    },
  )
  return (
    <FormDialog
      title="Invite somebody"
      verb="Send the invitation"
      busy={invite.busy}
      error={invite.error}
      onSubmit={() => void invite.run(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Email address"
        type="email"
        autocomplete="off"
        value={email.value}
        onInput={(value) => (email.value = value)}
        flaw={invite.error?.flawOf('/email')}
        hint="The link makes an account with this address. It joins no project: an owner invites to those."
      />
    </FormDialog>
  )
}

/** The people who were invited and have no account yet; nothing while there is none. */
export function InvitedPeople() {
  const { data, error, busy, reload } = useQuery(`${INVITED}list`, (signal) =>
    send('POST /user/operator/invitations/list', {}, { signal }),
  )
  const revoke = useAction((email: string) => sendOnce('POST /user/operator/invitations/revoke', { email }), {
    invalidates: [INVITED],
    done: () => toast({ text: 'The link does not work any more.', tone: 'good' }),
  })
  if (error && !data) return <ErrorNote title="Invitations could not be loaded." error={error} retry={reload} />
  if (!data || data.invitations.length === 0) return null
  const columns: readonly Column<Invitation>[] = [
    { id: 'email', head: 'Address', card: 'title', cell: ({ email }) => <span class="address">{email}</span> },
    { id: 'by', head: 'Invited by', card: 'line', cell: ({ inviter }) => inviter },
    { id: 'until', head: 'Until', card: 'line', tight: true, cell: ({ expires_on }) => day(expires_on) },
    {
      id: 'act',
      head: <span class="visually-hidden">Change</span>,
      align: 'end',
      card: 'line',
      cell: ({ email }) => (
        <Button small kind="quiet" busy={revoke.busy} onClick={() => void revoke.run(email)}>
          Take back<span class="visually-hidden"> the invitation of {email}</span>
        </Button>
      ),
    },
  ]
  return (
    <Card title="Invited" flush>
      <FlawSummary error={revoke.error} />
      <Table
        caption="Invited people"
        rows={data.invitations}
        busy={busy}
        row_key={({ email }) => email}
        columns={columns}
      />
    </Card>
  )
}
