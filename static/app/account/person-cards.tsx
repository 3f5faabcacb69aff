import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useAction } from '../api/action.ts'
import { sendOnce } from '../api/calls.ts'
import { data } from '../api/data.ts'
import type { ApiError } from '../api/errors.ts'
import { confirmed } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextField } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'

/** The name that other members of the user's projects see. */
export function NameCard() {
  const { user } = data
  const first = useSignal(user.first_name)
  const last = useSignal(user.last_name)
  const isChanged = first.value !== user.first_name || last.value !== user.last_name
  const save = useAction(() => sendOnce('PATCH /user/me', { firstName: first.value, lastName: last.value }), {
    invalidates: ['/project/members/'],
    done({ user: { firstName, lastName } }) {
      user.first_name = first.value = firstName
      user.last_name = last.value = lastName
      toast({ text: 'Your name is saved.', tone: 'good' })
    },
  })
  return (
    <FormCard
      title="Name"
      error={save.error}
      onSubmit={() => void save.run(undefined)}
      actions={
        <Button kind="primary" type="submit" busy={save.busy} disabled={!isChanged}>
          Save the name
        </Button>
      }
    >
      <div class="halves">
        <TextField
          label="First name"
          flaw={save.error?.flawOf('/firstName')}
          autocomplete="given-name"
          maxlength={100}
          value={first.value}
          onInput={(value) => (first.value = value)}
        />
        <TextField
          label="Last name"
          flaw={save.error?.flawOf('/lastName')}
          autocomplete="family-name"
          maxlength={100}
          value={last.value}
          onInput={(value) => (last.value = value)}
        />
      </div>
    </FormCard>
  )
}

/** The address that the user signs in with. It changes when the link sent to the new one is opened. */
export function AddressCard() {
  const email = useSignal('')
  const sent_to = useSignal<string | null>(null)
  const change = useAction(
    async (address: string) => {
      await confirmed(() => sendOnce('POST /user/email/change', { email: address }))
      return address
    },
    {
      done(address) {
        sent_to.value = address
        email.value = ''
      },
    },
  )
  return (
    <FormCard
      title="Address"
      error={change.error}
      onSubmit={() => void change.run(email.value.trim())}
      actions={
        <Button
          type="submit"
          busy={change.busy}
          disabled_reason={email.value.trim() === '' ? 'Type the new address first.' : null}
        >
          Send a link to the new address
        </Button>
      }
    >
      <p>
        You sign in as <strong class="address">{data.user.email}</strong>. Letters about your account go there.
      </p>
      {sent_to.value !== null && (
        <Callout tone="accent" title={`A link is on its way to ${sent_to.value}.`} alert>
          <p>Your address changes once you open it. Until then everything stays as it is.</p>
        </Callout>
      )}
      <TextField
        label="New address"
        flaw={change.error?.flawOf('/email')}
        type="email"
        autocomplete="email"
        value={email.value}
        onInput={(value) => (email.value = value)}
      />
    </FormCard>
  )
}

interface FormCardProps {
  title: string
  error: ApiError | null
  onSubmit(): void
  children: ComponentChildren
  actions: ComponentChildren
}

/** A card that is a form. The errors of a refused request are shown at the top. */
export function FormCard({ title, error, onSubmit, children, actions }: FormCardProps) {
  return (
    <Card title={title}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <FlawSummary error={error} />
        {children}
        <div>{actions}</div>
      </form>
    </Card>
  )
}
