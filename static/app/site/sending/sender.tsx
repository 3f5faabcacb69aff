import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import type { Settings } from '../../api/operations.d.ts'
import { useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/choice.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { FormActions } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { SendingHead } from './sending.tsx'

/** The project's sender, its brand, and the footer of letters. */
export default function Sender() {
  const { data, error, reload } = useRead('settings/get', {})
  return (
    <>
      <SendingHead tab="sender" />
      {error && <ErrorNote title="The settings could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && <SenderForm settings={data.settings} />}
    </>
  )
}

function SenderForm({ settings }: { settings: Settings }) {
  const [draft, setDraft] = useState(settings)
  const zones = [...new Set([draft.timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  const save = useMutation('settings/update', {
    invalidates: ['settings/', 'campaigns/readiness'],
    done: ({ settings: saved }) => {
      setDraft(saved)
      toast({ text: 'Saved.', tone: 'good' })
    },
  })
  const mayChange = can('administrator')
  const changes = Object.entries(draft).filter(([name, value]) => settings[name as keyof Settings] !== value)
  const field = (name: TextName) => ({
    value: draft[name],
    onInput: (value: string) => setDraft({ ...draft, [name]: value }),
    flaw: save.error?.flawOf(`/${name}`),
    disabled: !mayChange,
  })
  return (
    <form
      class="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run(Object.fromEntries(changes))
      }}
    >
      {!mayChange && <p class="quiet">{whoMay('Changing the sender', 'administrator')}</p>}
      <FlawSummary title="Nothing was saved." error={save.error} />
      <Card title="Who writes">
        <TextField label="Name" {...field('from_name')} />
        <TextField label="Address" type="email" {...field('from_email')} />
        <TextField label="Answers go to" type="email" hint="Empty: to the address above." {...field('reply_to')} />
        <TextField label="Company or organization" {...field('company_name')} />
        <TextArea
          label="Postal address"
          hint="It stands at the foot of every letter."
          rows={2}
          {...field('postal_address')}
        />
      </Card>
      <Card title="How letters look">
        <TextField label="Color of the brand" hint="Such as #0b5a6e." {...field('brand_color')} />
        <TextField label="Address of the logo" type="url" {...field('logo_url')} />
        <TextArea label="Text at the foot" rows={2} {...field('footer_text')} />
      </Card>
      <Card title="Language and time">
        <TextField label="Language" hint="Such as en, de or nb. Recipients' pages follow it." {...field('locale')} />
        <Select
          label="Time zone"
          value={draft.timezone}
          disabled={!mayChange}
          onInput={(timezone) => setDraft({ ...draft, timezone })}
          options={zones.map((zone) => ({ value: zone, label: zone }))}
        />
      </Card>
      <Card title="What is counted">
        <Switch
          label="Count opens"
          checked={draft.track_opens}
          disabled={!mayChange}
          onChange={(track_opens) => setDraft({ ...draft, track_opens })}
        />
        <Switch
          label="Count clicks"
          checked={draft.track_clicks}
          disabled={!mayChange}
          onChange={(track_clicks) => setDraft({ ...draft, track_clicks })}
        />
      </Card>
      <Card title="Leaving and confirming">
        <TextField
          label="Address for leaving by mail"
          type="email"
          hint="Mail programs may send to it instead of opening a page. Its mail must reach the mime address of a connection."
          {...field('unsubscribe_mailto')}
        />
        <TextField
          label="Subject of the confirmation"
          hint="Empty: the usual words."
          {...field('confirmation_subject')}
        />
        <TextArea
          label="Text of the confirmation"
          hint="Empty: the usual words."
          rows={3}
          {...field('confirmation_text')}
        />
      </Card>
      {mayChange && (
        <FormActions changed={changes.length > 0}>
          <Button kind="primary" type="submit" main busy={save.busy} disabled={changes.length === 0}>
            Save
          </Button>
        </FormActions>
      )}
    </form>
  )
}

type TextName = {
  [Name in keyof Settings]: Settings[Name] extends string ? Name : never
}[keyof Settings]
