import { useState } from 'preact/hooks'
import { Card } from '../card.tsx'
import { Button } from '../button.tsx'
import { Checkbox, RadioCards, Switch } from '../choice.tsx'
import { Combobox, MultiCombobox, type Option } from '../combobox.tsx'
import { DateTimeField } from '../date-time-field.tsx'
import { NumberField, Select, TextArea, TextField } from '../field.tsx'
import { FormActions } from '../page.tsx'
import { PasswordField } from '../password-field.tsx'
import { SearchField } from '../search-field.tsx'

export function Fields() {
  const [text, setText] = useState('Plan together')
  const [search, setSearch] = useState('')
  const [secret, setSecret] = useState('open sesame')
  const [number, setNumber] = useState('30')
  const [provider, setProvider] = useState('ses')
  const [long, setLong] = useState('Shared calendars are here.\nInvite anyone to a calendar.')
  return (
    <Card title="Sender" actions={<Button small>Preview</Button>}>
      <div class="halves">
        <TextField label="Subject" value={text} onInput={setText} hint="What people see first." required />
        <TextField label="Name" value="" onInput={setText} placeholder="Ada Lind" optional />
        <TextField label="Address of the page" before="harbour.example/" value="tides" onInput={setText} />
        <form class="stack">
          <TextField
            label="From"
            type="email"
            autocomplete="username"
            value="news@harbour"
            onInput={setText}
            flaw="This is not a whole address: the part behind the @ has no dot."
          />
          <PasswordField label="Password" value={secret} onInput={setSecret} autocomplete="current-password" />
        </form>
        <NumberField label="In the last" behind="days" min={1} max={365} value={number} onInput={setNumber} />
        <Select
          label="Provider"
          value={provider}
          onInput={setProvider}
          options={[
            { value: 'ses', label: 'Amazon SES' },
            { group: 'Own', options: [{ value: 'smtp', label: 'Own server' }] },
          ]}
        />
        <TextField label="Locked" value="Not to be changed" onInput={setText} disabled />
        <SearchField
          label="Search contacts"
          label_hidden
          placeholder="Search name or address"
          value={search}
          onInput={setSearch}
        />
        <TextArea label="Footer" value={long} onInput={setLong} hint="Below every letter." />
      </div>
      <FormActions changed={text !== 'Plan together'}>
        <Button kind="primary">Save</Button>
        <Button kind="quiet" onClick={() => setText('Plan together')}>
          Take back
        </Button>
      </FormActions>
    </Card>
  )
}

export function Choices() {
  const [checked, check] = useState(true)
  const [on, turn] = useState(true)
  const [consent, setConsent] = useState<'shown' | 'ask' | 'bring' | null>('ask')
  return (
    <div class="halves">
      <div class="stack">
        <Checkbox label="Send a copy to me" checked={checked} onChange={check} hint="Only the first message." />
        <Checkbox label="Some of them" checked={false} mixed onChange={check} />
        <Checkbox label="None" checked={false} onChange={check} />
        <Checkbox label="I agree" checked={false} onChange={check} flaw="This is needed to go on." />
        <Checkbox label="Cannot be changed" checked onChange={check} disabled />
        <Switch label="Warm-up" checked={on} onChange={turn} hint="Today 800, used 312." />
        <Switch label="Cookie banner" checked={!on} onChange={() => turn(!on)} />
        <Switch label="Being changed" checked busy onChange={turn} />
      </div>
      <RadioCards
        legend="Did these people agree?"
        value={consent}
        onChange={setConsent}
        options={[
          { value: 'shown', label: 'They agreed, and I can show it', hint: 'You give the wording they saw.' },
          { value: 'ask', label: 'Ask each of them', hint: 'Each gets one message and counts once they click.' },
          { value: 'bring', label: 'Only bring them in', disabled_reason: 'A list is chosen: they would join it.' },
        ]}
      />
    </div>
  )
}

const LISTS: Option[] = [
  { value: 'weekly', label: 'Weekly', hint: '1,204 people' },
  { value: 'offers', label: 'Offers', hint: '312 people' },
  { value: 'members', label: 'Members', hint: '88 people' },
  { value: 'closed', label: 'Closed list', disabled: true },
]

const findCampaigns = async (query: string) =>
  ['May letter', 'April letter', 'Été à la mer']
    .map((label) => ({ value: label, label }))
    .filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()))

export function Comboboxes() {
  const [list, setList] = useState<string | null>('weekly')
  const [campaign, setCampaign] = useState<string | null>(null)
  const [tags, setTags] = useState<string[]>(['weekly', 'offers'])
  const make = (label: string): Option => ({ value: label.toLowerCase(), label })
  return (
    <div class="halves">
      <Combobox label="List" options={LISTS} value={list} onChange={setList} clearable hint="Who gets it." />
      <Combobox
        label="Campaign"
        load={findCampaigns}
        value={campaign}
        onChange={setCampaign}
        placeholder="Any campaign"
      />
      <MultiCombobox label="Lists" options={LISTS} value={tags} onChange={setTags} create={make} />
      <MultiCombobox label="Tags" options={LISTS} value={[]} onChange={setTags} flaw="Choose at least one." />
    </div>
  )
}

export function Times() {
  const [time, setTime] = useState<string | null>('2026-05-03T12:02:00.000Z')
  const [zone, setZone] = useState('Europe/Oslo')
  return (
    <div class="halves">
      <DateTimeField
        label="Send on"
        value={time}
        zone={zone}
        onChange={(next, its_zone) => {
          setTime(next)
          setZone(its_zone)
        }}
        hint="By the clock of this zone."
      />
      <p class="quiet" data-moment>
        {time ?? 'no moment'}
      </p>
    </div>
  )
}
