import { useEffect, useRef } from 'preact/hooks'
import { useRead } from '../api/query.ts'
import { mutate, type ResponseOf } from '../api/calls.ts'
import { invalidate } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { RadioCards, Switch } from '../ui/choice.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { TextArea } from '../ui/field.tsx'
import { FormActions } from '../ui/page.tsx'
import type { ChangeImport, ImportDraft, Options } from './draft.ts'

interface Props {
  draft: ImportDraft
  change: ChangeImport
  onNext(): void
}

type List = ResponseOf<'lists/list'>['items'][number]

/** The options with the only list that people can join, before anybody chose lists. */
function withOnlyList(options: Options, lists: readonly List[], consent: ImportDraft['consent']): Options {
  const open = lists.filter(({ double_opt_in }) => consent === 'shown' || double_opt_in)
  const isWanted = consent !== 'contacts' && options.list_ids === undefined && open.length === 1
  return isWanted ? { ...options, list_ids: [open[0]!.id] } : options
}

/** The lists and tags for the people of the file, and how they consented. */
export function ConsentStep({ draft, change, onNext }: Props) {
  const read = useRead('lists/list', { limit: 200 }).data
  const lists = read?.items ?? []
  const tags = useRead('tags/list', { limit: 200 }).data?.items ?? []
  const { options, consent } = draft
  const set = (changes: Options) => change((now) => ({ options: { ...now.options, ...changes } }))
  // A choice that was made before the lists came.
  const early = useRef<ImportDraft['consent']>(null)
  useEffect(() => {
    const consent = early.current
    if (read && consent !== null) change(({ options: now }) => ({ options: withOnlyList(now, read.items, consent) }))
  }, [read])
  const chosen = lists.filter(({ id }) => options.list_ids?.includes(id))
  const reason =
    consent === null
      ? 'Choose how they agreed.'
      : consent === 'shown' && !options.consent_text?.trim()
        ? 'Write the words that they agreed to.'
        : consent !== 'contacts' && chosen.length === 0 && !Object.values(draft.mapping).includes('lists')
          ? 'Choose a list.'
          : consent === 'ask' && chosen.length > 0 && !chosen.some(({ double_opt_in }) => double_opt_in)
            ? 'None of these lists asks for confirmation.'
            : null
  return (
    <>
      <RadioCards
        legend="How did they agree?"
        value={consent}
        onChange={(consent) => {
          if (!read) early.current = consent
          change(({ options: now }) => ({ consent, options: withOnlyList(now, lists, consent) }))
        }}
        options={[
          {
            value: 'shown',
            label: 'They agreed, and I can show it',
            hint: 'They are subscribed at once. The words below are kept as evidence.',
          },
          {
            value: 'ask',
            label: 'Ask each of them',
            hint: 'Each gets one message and counts once they click. It needs lists with confirmation.',
          },
          {
            value: 'contacts',
            label: 'Only bring them in',
            hint: 'They become contacts. No campaign that goes to a list reaches them.',
          },
        ]}
      />
      {consent === 'shown' && (
        <TextArea
          label="What did they agree to, word for word?"
          hint="For example: Yes, send me the weekly letter. Collected on paper at the harbour fair in May 2026."
          rows={3}
          required
          value={options.consent_text ?? ''}
          onInput={(consent_text) => set({ consent_text })}
        />
      )}
      {consent !== null && consent !== 'contacts' && (
        <MultiCombobox
          label="Lists that they join"
          options={lists.map(({ id, name, double_opt_in }) => ({
            value: String(id),
            label: name,
            hint: double_opt_in ? 'Asks people to confirm' : '',
          }))}
          value={(options.list_ids ?? []).map(String)}
          onChange={(values) => set({ list_ids: values.map(Number) })}
        />
      )}
      <MultiCombobox
        label="Tags for all of them"
        options={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={(options.tag_ids ?? []).map(String)}
        onChange={(values) => set({ tag_ids: values.map(Number) })}
        create={async (name) => {
          const { tag } = await mutate('tags/create', { name })
          invalidate('tags/')
          return { value: String(tag.id), label: tag.name }
        }}
      />
      <Switch
        label="Change people who are here already"
        hint="Their names, fields, lists and tags follow the file. Empty cells change nothing."
        checked={options.update_existing ?? false}
        onChange={(update_existing) => set({ update_existing })}
      />
      <RadioCards
        legend="Rows that are not valid"
        beside
        value={options.on_invalid ?? 'skip'}
        onChange={(on_invalid) => set({ on_invalid })}
        options={[
          { value: 'skip', label: 'Leave them out', hint: 'All others are imported.' },
          { value: 'abort', label: 'Import nothing then', hint: 'You mend the file first.' },
        ]}
      />
      <Switch
        label="Take people whose other values are wrong"
        hint="A wrong date or number is left out and reported, and the person is imported."
        checked={options.on_invalid_value === 'drop_value'}
        onChange={(isDropped) => set({ on_invalid_value: isDropped ? 'drop_value' : 'fail_row' })}
      />
      {Object.values(draft.mapping).includes('tags') && (
        <Switch
          label="Make tags that are not here yet"
          checked={options.create_tags ?? false}
          onChange={(create_tags) => set({ create_tags })}
        />
      )}
      <FormActions>
        <Button kind="primary" main disabled_reason={reason} onClick={onNext}>
          Next: check
        </Button>
      </FormActions>
    </>
  )
}
