import { useSignal } from '@preact/signals'
import { useMutation } from '../api/action.ts'
import { read } from '../api/calls.ts'
import { data } from '../api/data.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextArea } from '../ui/field.tsx'
import { count } from '../ui/format.ts'
import { useEditor } from './context.ts'
import type { Session } from './session.ts'

const MAX = 5
const PLACE = `masthead-test-addresses ${data.user.id}`
const REASONS: Readonly<Record<string, string>> = {
  hard_bounce: 'mail to it bounced',
  complaint: 'it complained',
  unsubscribe: 'it unsubscribed',
  manual: 'it was added by hand',
}

/** Sends the current letter to a few test addresses. */
export function TestDialog({ campaign, session }: { campaign: number; session: Session }) {
  const editor = useEditor()
  const text = useSignal(localStorage.getItem(PLACE) ?? data.user.email)
  const contact = useSignal<string | null>(null)
  const isSaving = useSignal(false)
  const sent = useMutation('campaigns/test-send')
  const result = useSignal<{ emails: string[]; skipped: { email: string; reason: string }[] } | null>(null)
  const emails = [...new Set(text.value.split(/[\s,;]+/).filter(Boolean))]
  const close = () => (editor.panel.value = null)
  const send = async () => {
    isSaving.value = true
    await session.save()
    isSaving.value = false
    const contact_id = contact.peek() === null ? undefined : Number(contact.peek())
    const answer = await sent.run({ campaign_id: campaign, emails, contact_id })
    if (!answer) return
    localStorage.setItem(PLACE, emails.join('\n'))
    result.value = { emails, skipped: answer.skipped }
  }
  return (
    <Dialog
      title="Send a test"
      onClose={close}
      actions={
        <>
          <Button
            kind="primary"
            type="submit"
            form="test"
            busy={sent.busy || isSaving.value}
            disabled_reason={
              emails.length === 0
                ? 'Enter an address.'
                : emails.length > MAX && `A test goes to at most ${MAX} addresses.`
            }
          >
            Send test to {count(emails.length, 'address', 'addresses')}
          </Button>
          <Button onClick={close}>Close</Button>
        </>
      }
    >
      <form
        id="test"
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <FlawSummary error={sent.error} title="The test was not sent." />
        {result.value && <Results {...result.value} />}
        <TextArea
          label="To"
          flaw={sent.error?.flawIn('/emails')}
          rows={3}
          value={text.value}
          dir="ltr"
          spellcheck={false}
          hint={`Up to ${MAX} addresses, one a line.`}
          onInput={(value) => (text.value = value)}
        />
        <Combobox
          label="As"
          hint="Whose name and fields are filled in."
          placeholder="Sample person"
          clearable
          value={contact.value}
          load={findContacts}
          onChange={(value) => (contact.value = value)}
        />
      </form>
    </Dialog>
  )
}

async function findContacts(search: string) {
  const { items } = await read('contacts/list', { limit: 10, ...(search === '' ? {} : { search }) })
  return items.map(({ id, full_name, email }) => ({ value: String(id), label: full_name || email, hint: email }))
}

function Results({ emails, skipped }: { emails: string[]; skipped: { email: string; reason: string }[] }) {
  return (
    <Callout tone={skipped.length === 0 ? 'good' : 'wait'} alert>
      <ul class="test-results">
        {emails.map((email) => {
          const left = skipped.find((entry) => entry.email.toLowerCase() === email.toLowerCase())
          return (
            <li key={email}>
              {email}: {left ? `not sent, it is suppressed because ${REASONS[left.reason] ?? left.reason}.` : 'queued.'}
            </li>
          )
        })}
      </ul>
      {data.sandbox && (
        <p>
          What leaves through a sandbox connection is in the <a href={link('/mailbox')}>mailbox</a>.
        </p>
      )}
    </Callout>
  )
}
