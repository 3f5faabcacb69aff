import { useSignal } from '@preact/signals'
import type { Role } from '../../../../src/shared/roles.ts'
import { useAction } from '../../api/action.ts'
import { send, sendOnce } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import { invalidate, useQuery } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { day } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { givableRoles, type Invitation, type Member, MEMBERS, nameOf, type People, ROLES } from './members-data.ts'

/** The dialogs of the page about members. */
export type Ask =
  | { what: 'invite' }
  | { what: 'role' | 'remove' | 'leave'; member: Member }
  | { what: 'revoke'; invitation: Invitation }

interface Props {
  ask: Ask
  people: People
  onClose(): void
}

export function MemberDialogs({ ask, people, onClose }: Props) {
  if (ask.what === 'invite') return <Invite onClose={onClose} />
  if (ask.what === 'revoke') return <Revoke invitation={ask.invitation} onClose={onClose} />
  if (ask.what === 'role') return <ChangeRole member={ask.member} onClose={onClose} />
  const lastOwner = ask.member.role === 'owner' && people.members.filter(({ role }) => role === 'owner').length === 1
  if (ask.what === 'leave') return <Leave member={ask.member} lastOwner={lastOwner} onClose={onClose} />
  return <Remove member={ask.member} onClose={onClose} />
}

function Invite({ onClose }: { onClose(): void }) {
  const email = useSignal('')
  const role = useSignal<Role>('editor')
  const isClosed = useQuery('/user/sign-up', () => send('GET /user/sign-up', {})).data?.sign_up === 'closed'
  const invite = useAction(
    () =>
      sendOnce('POST /project/invitations/create', { project_id: projectId(), email: email.value, role: role.value }),
    {
      invalidates: [MEMBERS],
      done: ({ invitation }) => {
        toast({ text: `A letter invites ${invitation.email} until ${day(invitation.expires_on)}.`, tone: 'good' })
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
        hint={
          isClosed
            ? 'It needs an account here already: the operator of this service makes all accounts.'
            : 'The link goes to this address only. Whoever opens it signs in, or makes an account.'
        }
      />
      <RadioCards
        legend="Role"
        value={role.value}
        options={givableRoles()}
        onChange={(value) => (role.value = value)}
      />
    </FormDialog>
  )
}

function ChangeRole({ member, onClose }: { member: Member; onClose(): void }) {
  const role = useSignal<Role>(member.role)
  const isSelf = member.user_id === data.user.id
  const change = useAction(
    () =>
      sendOnce('POST /project/members/update', { project_id: projectId(), user_id: member.user_id, role: role.value }),
    {
      invalidates: [MEMBERS],
      done: () => {
        // The user's own role is part of the document.
        if (isSelf) location.reload()
        toast({ text: `${nameOf(member)} is ${ROLES[role.value].name.toLowerCase()} now.`, tone: 'good' })
        onClose()
      },
    },
  )
  return (
    <FormDialog
      title={`Role of ${nameOf(member)}`}
      verb="Change the role"
      busy={change.busy}
      error={change.error}
      missing={role.value === member.role ? 'Choose another role first.' : null}
      onSubmit={() => void change.run(undefined)}
      onClose={onClose}
    >
      {isSelf && <p>This is your own role. With a lower one you cannot give yourself the higher one again.</p>}
      <RadioCards
        legend="Role"
        legend_hidden
        value={role.value}
        options={givableRoles()}
        onChange={(value) => (role.value = value)}
      />
    </FormDialog>
  )
}

function end({ user_id }: Member) {
  return sendOnce('POST /project/members/remove', { project_id: projectId(), user_id })
}

function Remove({ member, onClose }: { member: Member; onClose(): void }) {
  const name = nameOf(member)
  return (
    <ConfirmDialog
      title={`Remove ${name} from ${data.project!.name}?`}
      verb={`Remove ${name}`}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await end(member)
        invalidate(MEMBERS, '/project/')
        toast({ text: `${name} is no member any more.` })
      }}
    >
      <p>{name} sees nothing of this project from now on. The API keys that they made stop working.</p>
      <p>The apps that they connected lose it too. What they wrote stays.</p>
    </ConfirmDialog>
  )
}

function Leave({ member, lastOwner, onClose }: { member: Member; lastOwner: boolean; onClose(): void }) {
  const name = data.project!.name
  if (lastOwner) {
    return (
      <Dialog
        title={`You are the only owner of ${name}`}
        onClose={onClose}
        actions={<Button onClick={onClose}>All right</Button>}
      >
        <p>Somebody must own a project. Make another member an owner first, or delete the project in its settings.</p>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Leave ${name}?`}
      verb={`Leave ${name}`}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await end(member)
        location.assign('/portal/')
      }}
    >
      <p>
        You see nothing of it from now on, and your API keys for it stop working. An administrator can invite you again.
      </p>
    </ConfirmDialog>
  )
}

function Revoke({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  return (
    <ConfirmDialog
      title={`Take back the invitation of ${invitation.email}?`}
      verb="Take it back"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await sendOnce('POST /project/invitations/revoke', { project_id: projectId(), invitation_id: invitation.id })
        invalidate(MEMBERS)
        toast({ text: `${invitation.email} is not invited any more.` })
      }}
    >
      <p>The link in the letter stops working.</p>
    </ConfirmDialog>
  )
}
