import type { RouteResponse } from '../api/calls.ts'
import { sendOnce } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { confirmed } from '../confirm-identity.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { count } from '../ui/format.ts'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'

export type Person = RouteResponse<'POST /user/operator/users/list'>['items'][number]

/** What is asked before it is done to a person. */
export interface Question {
  what: 'disable' | 'make-operator' | 'end-operator' | 'reset-factor'
  person: Person
}

interface PersonMenuProps {
  person: Person
  /** Does what needs no question, and tells the outcome. */
  act: (work: () => Promise<string>) => void
  ask: (question: Question) => void
}

/** What an operator may do to an account. */
export function PersonMenu({ person, act, ask }: PersonMenuProps) {
  const { id, email, disabled_on, sessions, is_reviewer, second_factor } = person
  const asking = (what: Question['what'], label: string, danger = true): MenuItem => ({
    label,
    icon: what === 'disable' ? 'ban' : 'shield',
    danger,
    onSelect: () => ask({ what, person }),
  })
  return (
    <Menu
      icon="more"
      kind="quiet"
      small
      label={`Actions for ${email}`}
      items={[
        {
          label: 'Send a link to reset the password',
          icon: 'mail',
          onSelect: () =>
            act(async () => {
              await confirmed(() => sendOnce('POST /user/operator/users/send-reset', { user_id: id }))
              return `A link is on its way to ${email}.`
            }),
        },
        {
          label: `End ${count(sessions, 'session', 'sessions')}`,
          icon: 'sign-out',
          onSelect: () =>
            act(async () => {
              const { ended } = await confirmed(() =>
                sendOnce('POST /user/operator/users/end-sessions', { user_id: id }),
              )
              return `${count(ended, 'session has', 'sessions have')} ended.`
            }),
        },
        'line',
        ...(second_factor ? [asking('reset-factor', 'Reset the second factor…')] : []),
        ...(is_reviewer ? [asking('end-operator', 'Take the operator’s rights…')] : []),
        ...(!is_reviewer && disabled_on === null ? [asking('make-operator', 'Make an operator…', false)] : []),
        ...(disabled_on !== null
          ? [
              {
                label: 'Enable',
                icon: 'check',
                onSelect: () =>
                  act(async () => {
                    await confirmed(() => sendOnce('POST /user/operator/users/enable', { user_id: id }))
                    return `${email} can sign in again.`
                  }),
              } as const,
            ]
          : [asking('disable', 'Disable…')]),
      ]}
    />
  )
}

/** Asks before something is done to a person, and does it. */
export function PersonQuestion({
  of: { what, person },
  onDone,
  onClose,
}: {
  of: Question
  onDone: () => void
  onClose: () => void
}) {
  const { id: user_id, email, sessions } = person
  const isSelf = user_id === data.user.id
  const done = (text: string) => {
    toast({ text, tone: 'good' })
    onDone()
  }
  const operator = (on: boolean) =>
    confirmed(() => sendOnce('POST /user/operator/users/set-operator', { user_id, operator: on }))
  switch (what) {
    case 'disable':
      return (
        <ConfirmDialog
          title={`Disable ${email}?`}
          verb="Disable 1 account"
          danger
          onClose={onClose}
          onConfirm={async () => {
            await confirmed(() => sendOnce('POST /user/operator/users/disable', { user_id }))
            onDone()
          }}
        >
          <p>
            {count(sessions, 'session ends', 'sessions end')} at once. What apps may do in this name stops. The account
            can be enabled again.
          </p>
        </ConfirmDialog>
      )
    case 'make-operator':
      return (
        <ConfirmDialog
          title={`Make ${email} an operator?`}
          verb="Make an operator"
          danger
          onClose={onClose}
          onConfirm={async () => {
            await operator(true)
            done(`${email} operates the service now.`)
          }}
        >
          <p>
            An operator sees every project and account, decides reviews, and makes and removes operators. {email} is
            told by mail.
          </p>
        </ConfirmDialog>
      )
    case 'end-operator':
      return (
        <ConfirmDialog
          title={isSelf ? 'Give your own rights back?' : `Take the operator’s rights of ${email}?`}
          verb={isSelf ? 'Give them back' : 'Take them'}
          danger
          onClose={onClose}
          onConfirm={async () => {
            await operator(false)
            done(`${email} does not operate the service any more.`)
            if (isSelf) location.assign('/portal')
          }}
        >
          <p>
            {isSelf ? 'You lose these pages at once.' : `${email} loses these pages at once, and is told by mail.`} The
            account, its projects and apps stay. The last operator cannot be removed.
          </p>
        </ConfirmDialog>
      )
    case 'reset-factor':
      return (
        <ConfirmDialog
          title={`Reset the second factor of ${email}?`}
          verb="Reset it"
          danger
          onClose={onClose}
          onConfirm={async () => {
            await confirmed(() => sendOnce('POST /user/operator/users/reset-second-factor', { user_id }))
            done(`${email} signs in with the password alone now.`)
          }}
        >
          <p>
            Be sure that it is this person who asks. From now on the password alone opens the account, until new codes
            are set up. Recovery codes are removed, passkeys stay, and {email} is told by mail.
          </p>
        </ConfirmDialog>
      )
  }
}
