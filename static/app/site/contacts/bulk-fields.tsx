import type { Audience } from '../../rules/audience.ts'
import { Combobox, type Option } from '../../ui/combobox.tsx'
import { number } from '../../ui/format.ts'
import { ConsentText } from '../people/consent-text.tsx'
import { TagChoice } from '../people/tag-choice.tsx'
import type { BulkAction } from './bulk-kinds.ts'

export interface BulkInput {
  list_id?: number
  tag_ids?: number[]
  consent_text?: string
}

interface BulkFieldsProps {
  action: BulkAction
  audience: Audience
  input: BulkInput
  /** How many people get a confirmation message; null while unknown. */
  asked: number | null
  onChange: (input: BulkInput) => void
}

/** The fields of an action, and its description. */
export function BulkFields({ action, audience, input, asked, onChange }: BulkFieldsProps) {
  if (action === 'add_tags' || action === 'remove_tags') {
    return (
      <TagChoice
        tags={audience.tags}
        value={input.tag_ids ?? []}
        create={action === 'add_tags'}
        onChange={(tag_ids) => onChange({ ...input, tag_ids })}
      />
    )
  }
  if (action === 'unsubscribe')
    return <p>They leave every list. Whoever wants to come back can do so by the preference page.</p>
  if (action === 'delete') {
    return (
      <p>
        Their history and consent records go with them. Whoever opted out, bounced or complained stays suppressed, so
        that an import cannot bring them back.
      </p>
    )
  }
  const list = audience.lists.find(({ id }) => id === input.list_id)
  return (
    <>
      <Combobox
        label="List"
        required
        options={listOptions(audience)}
        value={input.list_id === undefined ? null : String(input.list_id)}
        onChange={(id) => onChange({ ...input, list_id: id === null ? undefined : Number(id) })}
        hint={action === 'add_to_list' && list?.double_opt_in ? askedWords(asked) : undefined}
      />
      {action === 'add_to_list' && (
        <ConsentText
          value={input.consent_text ?? ''}
          onInput={(consent_text) => onChange({ ...input, consent_text })}
        />
      )}
      {action === 'remove_from_list' && <p>Their other lists stay as they are. They do not count as opted out.</p>}
    </>
  )
}

function askedWords(asked: number | null): string {
  const who = asked === null ? 'Those who are not on it yet get' : `Up to ${number(asked)} of them get`
  return `${who} a message to confirm, and count once they click.`
}

function listOptions({ lists }: Audience): Option[] {
  return lists
    .filter(({ archived }) => !archived)
    .map(({ id, name, double_opt_in }) => ({
      value: String(id),
      label: name,
      ...(double_opt_in && { hint: 'asks people to confirm' }),
    }))
}
