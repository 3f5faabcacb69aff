import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { type RouteResponse, sendOnce } from '../api/calls.ts'
import { invalidate } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { day } from '../ui/format.ts'
import { StatusBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { toast } from '../ui/toast.tsx'
import { APPS, useTeam } from '../app-review/app-data.ts'
import { AppFrame } from './app-frame.tsx'

type Member = RouteResponse<'GET /user/developer/apps/:id/team'>['team'][number]

/** The developers of an app. */
export default function Team({ params }: PageProps) {
  return (
    <AppFrame id={params.id!} tab="team">
      {({ id }) => <Members id={id} />}
    </AppFrame>
  )
}

function Members({ id }: { id: string }) {
  const name = `${APPS}/${id}/team`
  const [email, setEmail] = useState('')
  const [leaving, setLeaving] = useState<Member | null>(null)
  const { data, error, reload } = useTeam(id)
  const invite = useAction(
    async (address: string) => {
      await sendOnce('POST /user/developer/apps/:id/team/invitations', { email: address }, { params: { id } })
      return address
    },
    {
      invalidates: [name],
      done: (address) => {
        toast({ text: `An invitation is on its way to ${address}.`, tone: 'good' })
        if (address === email) setEmail('')
      },
    },
  )
  const withdraw = useAction(
    (invitationId: string) =>
      sendOnce('DELETE /user/developer/apps/:id/team/invitations/:invitationId', {}, { params: { id, invitationId } }),
    { invalidates: [name] },
  )
  const remove: Column<Member> = {
    id: 'remove',
    head: <span class="visually-hidden">Actions</span>,
    card: 'line',
    cell: (member) =>
      !member.creator && (
        <Button small kind="quiet" onClick={() => setLeaving(member)}>
          Remove…<span class="visually-hidden"> {member.email}</span>
        </Button>
      ),
  }
  if (error) return <ErrorNote title="The team could not be loaded." error={error} retry={reload} />
  return (
    <>
      <Card title="Team" flush>
        <Table
          caption="Team"
          rows={data?.team ?? null}
          row_key={({ user_id }) => user_id}
          columns={[...COLUMNS, remove]}
        />
      </Card>
      {data && data.invitations.length > 0 && (
        <Card title="Invited" flush>
          <Table
            caption="Invitations"
            rows={data.invitations}
            row_key={(invitation) => invitation.id}
            columns={[
              { id: 'email', head: 'Address', card: 'title', cell: (invitation) => invitation.email },
              { id: 'until', head: 'Until', card: 'line', cell: ({ expires_on }) => day(expires_on) },
              {
                id: 'withdraw',
                head: <span class="visually-hidden">Actions</span>,
                card: 'line',
                cell: (invitation) => (
                  <div class="row">
                    <Button small kind="quiet" busy={invite.busy} onClick={() => void invite.run(invitation.email)}>
                      Invite again<span class="visually-hidden">: {invitation.email}</span>
                    </Button>
                    <Button small kind="quiet" onClick={() => void withdraw.run(invitation.id)}>
                      Withdraw<span class="visually-hidden"> the invitation of {invitation.email}</span>
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        </Card>
      )}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void invite.run(email)
        }}
      >
        <FlawSummary title="Nobody was invited." error={invite.error ?? withdraw.error} />
        <TextField
          label="Invite by address"
          flaw={invite.error?.flawOf('/email')}
          type="email"
          hint="They see everything of the app, its secrets' hints included, and may change it."
          value={email}
          onInput={setEmail}
          required
        />
        <div class="row">
          <Button kind="primary" type="submit" busy={invite.busy}>
            Invite 1 person
          </Button>
        </div>
      </form>
      {leaving && (
        <ConfirmDialog
          title={`Remove ${leaving.email}?`}
          verb="Remove 1 person"
          danger
          onClose={() => setLeaving(null)}
          onConfirm={async () => {
            await sendOnce(
              'DELETE /user/developer/apps/:id/team/:userId',
              {},
              { params: { id, userId: leaving.user_id } },
            )
            invalidate(name)
          }}
        >
          <p>They no longer see the app. Secrets that they have copied keep working until they are replaced.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Member>[] = [
  {
    id: 'person',
    head: 'Person',
    card: 'title',
    cell: ({ email, firstName, lastName, creator }) => (
      <>
        {`${firstName} ${lastName}`.trim() || email} <span class="quiet">{email}</span>{' '}
        {creator && <StatusBadge>Made it</StatusBadge>}
      </>
    ),
  },
  { id: 'since', head: 'Since', card: 'line', tight: true, cell: ({ added_on }) => day(added_on) },
]
