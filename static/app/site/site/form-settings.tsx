import { useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { callKey } from '../../../../src/shared/app-document.ts'
import { useQuery } from '../../api/query.ts'
import { Switch } from '../../ui/choice.tsx'
import { MultiCombobox, type MultiComboboxProps } from '../../ui/combobox.tsx'
import { NumberField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { useLater } from '../../ui/use-later.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { nameOf, usePeople } from '../project/members-data.ts'
import { FORMS } from './content.ts'

const SETTINGS = '/project/form-settings/'
const MAX_DAYS = 3_650
const QUIET_MS = 400
/** Whoever owns the project. */
const OWNER = 'owner'

export type FormSettings = RouteResponse<'POST /project/form-settings/list'>['settings'][number]

export function useFormSettings() {
  return useQuery(`${SETTINGS}list`, () => send('POST /project/form-settings/list', { project_id: projectId() }))
}

/** The settings of a form: its own, or the default ones. */
export function settingsFor(all: readonly FormSettings[], form: string | null): FormSettings | undefined {
  return all.find((one) => one.form === form) ?? all.find((one) => one.form === null)
}

/** Recipients of notices and retention of entries, as sentences. */
export function SettingsWords({ settings }: { settings: FormSettings | undefined }) {
  const people = usePeople().data?.members ?? []
  const names = (settings?.notify ?? []).map((id) => {
    if (id === OWNER) return 'the owner'
    const member = people.find(({ user_id }) => user_id === id)
    return member ? nameOf(member) : '…'
  })
  const told = names.length === 0 ? 'Nobody is told by mail.' : `By mail to ${names.join(', ')}.`
  const kept = settings?.keep_days
    ? `Entries are deleted after ${count(settings.keep_days, 'day', 'days')}.`
    : 'Entries stay until somebody deletes them.'
  const { required = [], addresses = [] } = settings ?? {}
  const checked = [
    ...(required.length > 0 ? [`Required: ${required.join(', ')}.`] : []),
    ...(addresses.length > 0 ? [`Checked as an address: ${addresses.join(', ')}.`] : []),
  ].join(' ')
  return (
    <>
      {told} {kept} {checked}
    </>
  )
}

interface DialogProps {
  /** Null: the default for forms without their own settings. */
  form: string | null
  all: readonly FormSettings[]
  /** Names of fields that entries have. */
  fields: readonly string[]
  onClose: () => void
}

/** Edits who gets a form's entries by mail, how long they are kept, and which fields are checked. */
export function FormSettingsDialog({ form, all, fields, onClose }: DialogProps) {
  const present = settingsFor(all, form)
  const [isOwn, setOwn] = useState(form === null || present?.form === form)
  const [notify, setNotify] = useState(present?.notify ?? [])
  const [required, setRequired] = useState(present?.required ?? [])
  const [addresses, setAddresses] = useState(present?.addresses ?? [])
  const [isDeleting, setDeleting] = useState(Boolean(present?.keep_days))
  const [days, setDays] = useState(String(present?.keep_days ?? 90))
  const people = usePeople().data?.members ?? []
  const general = all.find((one) => one.form === null)
  const given = isOwn ? (isDeleting ? Number(days) : null) : (general?.keep_days ?? null)
  const keep_days = given === null || (Number.isInteger(given) && given >= 1 && given <= MAX_DAYS) ? given : undefined
  const expired = useExpired(form, keep_days ?? null)
  const save = useAction(
    async () => {
      const of = { project_id: projectId(), form }
      if (isOwn)
        await sendOnce('POST /project/form-settings/update', {
          ...{ ...of, notify, keep_days: keep_days!, required, addresses },
        })
      else await sendOnce('POST /project/form-settings/reset', of)
    },
    {
      invalidates: [SETTINGS, FORMS],
      done: () => {
        toast({ text: 'The settings are saved.', tone: 'good' })
        onClose()
      },
    },
  )
  return (
    <FormDialog
      title={form === null ? 'Settings of every form' : `Settings of “${form}”`}
      verb={expired > 0 ? `Save, and delete ${count(expired, 'entry', 'entries')}` : 'Save'}
      danger={expired > 0}
      busy={save.busy}
      error={save.error}
      missing={keep_days === undefined ? `Write a number of days from 1 to ${MAX_DAYS} first.` : null}
      onSubmit={() => void save.run(undefined)}
      onClose={onClose}
    >
      {form === null ? (
        <p>This holds for every form that has no settings of its own.</p>
      ) : (
        <Switch label="Settings of its own" hint="Off: it is as every other form." checked={isOwn} onChange={setOwn} />
      )}
      {isOwn ? (
        <>
          <MultiCombobox
            label="Tell by mail"
            hint="Members of this project. What comes within five minutes stands in one message."
            placeholder="Nobody"
            options={[
              { value: OWNER, label: 'The owner', hint: 'Whoever owns the project' },
              ...people.map((member) => ({ value: member.user_id, label: nameOf(member), hint: member.email })),
            ]}
            value={notify}
            flaw={save.error?.flawIn('/notify')}
            onChange={setNotify}
          />
          <NameList
            label="Must be filled in"
            hint="Names of fields, as the form has them. An entry without one of them is refused."
            names={fields}
            value={required}
            flaw={save.error?.flawIn('/required')}
            onChange={setRequired}
          />
          <NameList
            label="Must be an address"
            hint="An entry with something else in one of these fields is refused. A field that is left empty is not checked."
            names={fields}
            value={addresses}
            flaw={save.error?.flawIn('/addresses')}
            onChange={setAddresses}
          />
          <Switch
            label="Delete old entries"
            hint="Off: entries stay until somebody deletes them."
            checked={isDeleting}
            onChange={setDeleting}
          />
          {isDeleting && (
            <NumberField
              label="Days that entries stay"
              behind="days"
              min={1}
              max={MAX_DAYS}
              value={days}
              flaw={save.error?.flawOf('/keep_days')}
              onInput={setDays}
            />
          )}
        </>
      ) : (
        <p>
          <SettingsWords settings={general} />
        </p>
      )}
      {expired > 0 && (
        <p role="status">
          {count(expired, 'entry is', 'entries are')} older than that and gone within an hour. They cannot be brought
          back.
        </p>
      )}
    </FormDialog>
  )
}

interface NameListProps extends Pick<MultiComboboxProps, 'label' | 'hint' | 'value' | 'flaw' | 'onChange'> {
  /** The names that are offered; others can be typed. */
  names: readonly string[]
}

function NameList({ names, value, ...field }: NameListProps) {
  const options = [...new Set([...names, ...value])].map((name) => ({ value: name, label: name }))
  return (
    <MultiCombobox
      {...field}
      placeholder="None"
      options={options}
      value={value}
      create={(text) => ({ value: text.trim(), label: text.trim() })}
      create_words={(text) => `The field ${text}`}
    />
  )
}

/** How many entries a shorter retention would delete. */
function useExpired(form: string | null, keep_days: number | null): number {
  const asked = useLater(keep_days, QUIET_MS)
  const { data } = useQuery(
    callKey(`${SETTINGS}expired`, { form, asked }),
    () => send('POST /project/form-settings/expired', { project_id: projectId(), form, keep_days: asked! }),
    { enabled: asked !== null },
  )
  return asked === null || keep_days === null ? 0 : (data?.entries ?? 0)
}
