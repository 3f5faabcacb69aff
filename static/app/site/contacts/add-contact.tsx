import { useRef, useState } from 'preact/hooks'
import { CONTACT_FIELDS, type ContactTexts } from '../../../../src/shared/contact-fields.ts'
import { useMutation } from '../../api/action.ts'
import type { ResponseOf } from '../../api/calls.ts'
import { link } from '../../api/link.ts'
import { Callout } from '../../ui/callout.tsx'
import { MultiCombobox } from '../../ui/combobox.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { BLOCKED } from '../people/blocked.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ConsentText } from '../people/consent-text.tsx'
import { TagChoice } from '../people/tag-choice.tsx'
import type { Around } from './columns.tsx'

export interface AddContactProps {
  around: Around
  onClose: () => void
}

/** Adds one contact, with what the person agreed to. The only list of a project is selected already. */
export function AddContact({ around, onClose }: AddContactProps) {
  const [email, setEmail] = useState('')
  const [texts, setTexts] = useState<Partial<ContactTexts>>({})
  const [picked, setLists] = useState<readonly string[] | null>(null)
  const [tag_ids, setTags] = useState<readonly number[]>([])
  const [consent_text, setConsent] = useState('')
  const address = useRef<HTMLDivElement>(null)
  const goesOn = useRef(false)
  /** What became of the person before this one. */
  const [added, setAdded] = useState<{ text: string; tone: 'good' | 'wait' } | null>(null)
  const add = useMutation('contacts/upsert', {
    invalidates: ['contacts/', 'segments/preview', 'overview'],
    done: (answer) => {
      const told = {
        text: toldWords(answer),
        tone: answer.skipped.length > 0 || answer.confirmations_blocked?.length ? ('wait' as const) : ('good' as const),
      }
      if (!goesOn.current) {
        toast({ ...told, action: { label: 'Show it', href: link(`/contacts/${answer.contact.id}`) } })
        return onClose()
      }
      setAdded(told)
      // The next person agreed to the same, on the same lists, more often than not.
      setEmail('')
      setTexts({})
      address.current?.querySelector('input')?.focus()
    },
  })
  const lists = around.lists.filter(({ archived }) => !archived)
  const list_ids = picked ?? (lists.length === 1 ? lists.map(({ id }) => String(id)) : [])
  const submit = (isNextWanted: boolean) => {
    goesOn.current = isNextWanted
    void add.run({
      email: email.trim(),
      consent_text,
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
      ...(list_ids.length > 0 && { list_ids: list_ids.map(Number) }),
      ...(tag_ids.length > 0 && { tag_ids: [...tag_ids] }),
    })
  }
  return (
    <FormDialog
      title="Add a contact"
      verb="Add"
      busy={add.busy}
      error={add.error}
      onSubmit={() => submit(false)}
      other={{ verb: 'Add, and the next one', onSubmit: () => submit(true) }}
      onClose={onClose}
    >
      {added && <Callout tone={added.tone} title={added.text} alert />}
      <div ref={address}>
        <TextField
          label="Address"
          type="email"
          required
          autocomplete="off"
          value={email}
          onInput={setEmail}
          flaw={add.error?.flawOf('/email')}
        />
      </div>
      <div class="halves">
        {CONTACT_FIELDS.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            optional
            autocomplete="off"
            value={texts[name] ?? ''}
            onInput={(text) => setTexts((others) => ({ ...others, [name]: text }))}
            flaw={add.error?.flawOf(`/${name}`)}
          />
        ))}
      </div>
      {lists.length > 0 && (
        <MultiCombobox
          label="Lists"
          optional
          options={lists.map(({ id, name, double_opt_in }) => ({
            value: String(id),
            label: name,
            ...(double_opt_in && { hint: 'asks people to confirm' }),
          }))}
          value={list_ids}
          onChange={setLists}
          hint={
            lists.some(({ id, double_opt_in }) => double_opt_in && list_ids.includes(String(id)))
              ? 'They get a message to confirm. Letters reach them once they have.'
              : 'Without a list, no campaign that goes to a list reaches them.'
          }
        />
      )}
      <TagChoice tags={around.tags} value={tag_ids} create onChange={setTags} label="Tags" optional />
      <ConsentText value={consent_text} onInput={setConsent} flaw={add.error?.flawOf('/consent_text')} one />
    </FormDialog>
  )
}

const SKIPPED: Record<ResponseOf<'contacts/upsert'>['skipped'][number]['reason'], string> = {
  suppressed: 'The address is suppressed, so it was put on no list.',
  unsubscribed: 'They opted out of everything, so they were put on no list.',
  bounced: 'Mail to the address bounced, so it was put on no list.',
  complained: 'They complained about a message, so they were put on no list.',
  left_list: 'They left a list by themselves; they were not put on it again.',
}

/** The outcome: subscribed, asked to confirm, or skipped with the reason. */
function toldWords({
  contact,
  created,
  skipped,
  confirmations_queued,
  confirmations_blocked,
}: ResponseOf<'contacts/upsert'>): string {
  const who = contact.full_name || contact.email
  const words = [created ? `${who} is here now.` : `${who} was here already and is brought up to date.`]
  const [reason] = skipped
  if (reason) words.push(SKIPPED[reason.reason])
  const [blocked] = confirmations_blocked ?? []
  if (blocked) words.push(`The message to confirm waits: ${BLOCKED[blocked.reason]}.`)
  else if (confirmations_queued > 0) words.push('A message to confirm is queued.')
  return words.join(' ')
}
