import { useState } from 'preact/hooks'
import { FlawSummary } from '../../ui/error-note.tsx'
import { useAction } from '../../api/action.ts'
import { sendOnce } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import type { List, SignUpForm } from '../../api/operations.d.ts'
import { useEvery } from '../../rules/every.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { MultiCombobox } from '../../ui/combobox.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { AskedFields } from './asked-fields.tsx'
import { DeleteForm } from './delete-form.tsx'

type FormDraft = Pick<
  SignUpForm,
  'name' | 'title' | 'text' | 'consent_text' | 'list_ids' | 'fields' | 'button' | 'thanks_text' | 'redirect_url'
>

/** The initial values of a new form. */
function draftFor(list: List): FormDraft {
  return {
    name: list.name,
    title: list.name,
    text: list.description,
    consent_text: `Yes, send me “${list.name}” from ${data.project!.name}. I can leave at any time.`,
    list_ids: [list.id],
    fields: [],
    button: '',
    thanks_text: '',
    redirect_url: '',
  }
}

function draftOf(form: SignUpForm): FormDraft {
  const { name, title, text, consent_text, list_ids, fields, button, thanks_text, redirect_url } = form
  return { name, title, text, consent_text, list_ids, fields, button, thanks_text, redirect_url }
}

interface FormEditorProps {
  /** Null for a new form. */
  form: SignUpForm | null
  list: List
  lists: readonly List[]
  onSaved: (id: string) => void
}

/** Edits the fields and the wording of a form. */
export function FormEditor({ form, list, lists, onSaved }: FormEditorProps) {
  const before = form ? draftOf(form) : draftFor(list)
  const [draft, setDraft] = useState(before)
  const fields = useEvery('custom-fields/list', {}).data ?? []
  const set = (change: Partial<FormDraft>) => setDraft({ ...draft, ...change })
  const save = useAction(
    async () => {
      const body = { project_id: projectId(), ...draft }
      if (form === null) return sendOnce('POST /project/sign-up-forms/create', body)
      return sendOnce('POST /project/sign-up-forms/update', { ...body, form_id: form.id })
    },
    {
      invalidates: ['/project/sign-up-forms'],
      done: ({ form: saved }) => {
        toast({
          text: form ? 'Saved. Paste the HTML again where it stands on a site.' : 'The form is there.',
          tone: 'good',
        })
        onSaved(saved.id)
      },
    },
  )
  const submit = () => void save.run(undefined)
  const flawOf = (path: string) => save.error?.flawOf(path)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before)
  return (
    <Card title="The form" actions={form && <DeleteForm form={form} onDeleted={() => onSaved('')} />}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FlawSummary error={save.error} />
        <TextField
          label="Heading"
          required
          value={draft.title}
          onInput={(title) => set({ title })}
          flaw={flawOf('/title')}
        />
        <TextArea
          label="What people get"
          optional
          rows={2}
          value={draft.text}
          onInput={(text) => set({ text })}
          flaw={flawOf('/text')}
        />
        <TextArea
          label="What people agree to"
          required
          rows={2}
          value={draft.consent_text}
          onInput={(consent_text) => set({ consent_text })}
          flaw={flawOf('/consent_text')}
          hint={consentHint(form)}
        />
        <MultiCombobox
          label="Lists that people join"
          required
          options={lists
            .filter(({ id, archived }) => !archived || draft.list_ids.includes(id))
            .map(({ id, name, double_opt_in }) => ({
              value: String(id),
              label: name,
              ...(double_opt_in && { hint: 'asks people to confirm' }),
            }))}
          value={draft.list_ids.map(String)}
          onChange={(ids) => set({ list_ids: ids.map(Number) })}
          flaw={flawOf('/list_ids')}
        />
        <AskedFields fields={fields} asked={draft.fields} onChange={(asked) => set({ fields: asked })} />
        <details class="form-more">
          <summary>More: button, thanks, name of the form</summary>
          <div class="stack">
            <TextField
              label="Words on the button"
              optional
              value={draft.button}
              onInput={(button) => set({ button })}
              flaw={flawOf('/button')}
            />
            <TextArea
              label="Thanks"
              optional
              rows={2}
              value={draft.thanks_text}
              onInput={(thanks_text) => set({ thanks_text })}
              flaw={flawOf('/thanks_text')}
              hint="What people read after signing up. The usual text, in the language of your messages, when empty."
            />
            <TextField
              label="Your own page of thanks"
              optional
              type="url"
              placeholder="https://"
              value={draft.redirect_url}
              onInput={(redirect_url) => set({ redirect_url })}
              flaw={flawOf('/redirect_url')}
            />
            <TextField
              label="Name of the form"
              required
              value={draft.name}
              onInput={(name) => set({ name })}
              flaw={flawOf('/name')}
              hint="For you, and in the evidence of consent."
            />
          </div>
        </details>
        <FormActions changed={form === null ? undefined : isChanged}>
          <Button main={form === null} kind="primary" type="submit" busy={save.busy}>
            {form === null ? 'Make the form' : 'Save'}
          </Button>
        </FormActions>
      </form>
    </Card>
  )
}

function consentHint(form: SignUpForm | null): string {
  const kept = 'It is kept as evidence with each person who signs up.'
  if (form === null) return kept
  return `${kept} This is wording ${form.version}; other words become the next one, and pasted copies keep theirs.`
}
