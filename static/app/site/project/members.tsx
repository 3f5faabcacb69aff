import { useSignal } from '@preact/signals'
import { data } from '../../api/data.ts'
import { can, whoMay } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { day } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Ask, MemberDialogs } from './member-dialogs.tsx'
import { type Invitation, type Member, nameOf, ROLES, usePeople } from './members-data.ts'

/** The members of the project, and open invitations. */
export default function Members() {
  const { data: people, error, busy, reload } = usePeople()
  const ask = useSignal<Ask | null>(null)
  const open = (next: Ask) => (ask.value = next)
  const invitations = people?.invitations ?? []
  return (
    <>
      <PageHead
        title="Members"
        count={people?.members.length}
        primary={
          can('administrator') && (
            <Button kind="primary" icon="plus" main onClick={() => open({ what: 'invite' })}>
              Invite
            </Button>
          )
        }
      />
      {!can('administrator') && <p class="page-note">{whoMay('Inviting people and giving roles', 'administrator')}</p>}
      {error ? (
        <ErrorNote title="Members could not be loaded." error={error} retry={reload} />
      ) : (
        <div class="stack stack-loose">
          <Card flush>
            <Table
              caption="Members"
              columns={memberColumns(open)}
              rows={people?.members ?? null}
              busy={busy}
              row_key={({ user_id }) => user_id}
            />
          </Card>
          {invitations.length > 0 && (
            <Card title="Invited" flush>
              <Table
                caption="Invitations"
                columns={invitationColumns(open)}
                rows={invitations}
                row_key={({ id }) => id}
              />
            </Card>
          )}
          {invitations.length > 0 && data.sandbox && (
            <p class="quiet">
              No message arrived? A service on trial keeps its mail in the{' '}
              <a href="/general/sandbox/mailbox">sandbox mailbox</a>.
            </p>
          )}
          <Card title="What each role may do">
            <dl class="roles">
              {Object.values(ROLES).map(({ name, may }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{may}</dd>
                </div>
              ))}
            </dl>
          </Card>
        </div>
      )}
      {ask.value && people && <MemberDialogs ask={ask.value} people={people} onClose={() => (ask.value = null)} />}
    </>
  )
}

function memberColumns(open: (ask: Ask) => void): Column<Member>[] {
  return [
    {
      id: 'person',
      head: 'Person',
      card: 'title',
      cell: (member) => (
        <span class="person">
          <span class="person-name">
            {nameOf(member)}
            {isSelf(member) && <span class="quiet"> (you)</span>}
          </span>
          {nameOf(member) !== member.email && <span class="quiet small">{member.email}</span>}
        </span>
      ),
    },
    { id: 'role', head: 'Role', cell: ({ role }) => ROLES[role].name },
    { id: 'since', head: 'Here since', card: 'hidden', tight: true, cell: ({ added_on }) => day(added_on) },
    { id: 'do', head: <span class="visually-hidden">Change</span>, align: 'end', cell: (m) => actions(m, open) },
  ]
}

function actions(member: Member, open: (ask: Ask) => void) {
  const mayChange = can('administrator') && (member.role !== 'owner' || data.project?.role === 'owner')
  if (!mayChange && !isSelf(member)) return null
  return (
    <Menu
      label={`What to do with ${nameOf(member)}`}
      icon="more"
      kind="quiet"
      small
      items={[
        mayChange && { label: 'Change the role', icon: 'user', onSelect: () => open({ what: 'role', member }) },
        isSelf(member)
          ? {
              label: 'Leave the project',
              icon: 'sign-out',
              danger: true,
              onSelect: () => open({ what: 'leave', member }),
            }
          : { label: 'Remove', icon: 'trash', danger: true, onSelect: () => open({ what: 'remove', member }) },
      ]}
    />
  )
}

function isSelf({ user_id }: Member): boolean {
  return user_id === data.user.id
}

function invitationColumns(open: (ask: Ask) => void): Column<Invitation>[] {
  return [
    { id: 'email', head: 'Address', card: 'title', cell: ({ email }) => <span class="address">{email}</span> },
    { id: 'role', head: 'Role', cell: ({ role }) => ROLES[role].name },
    { id: 'until', head: 'Good until', tight: true, cell: ({ expires_on }) => day(expires_on) },
    {
      id: 'do',
      head: <span class="visually-hidden">Change</span>,
      align: 'end',
      cell: (invitation) =>
        can('administrator') && (
          <Button small kind="quiet" onClick={() => open({ what: 'revoke', invitation })}>
            Take back<span class="visually-hidden"> the invitation of {invitation.email}</span>
          </Button>
        ),
    },
  ]
}
