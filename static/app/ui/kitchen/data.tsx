import { useState } from 'preact/hooks'
import { Button } from '../button.tsx'
import { Empty } from '../callout.tsx'
import { Card, Facts, Tile, Tiles } from '../card.tsx'
import { Chart } from '../chart.tsx'
import { day, number, percent } from '../format.ts'
import { Menu } from '../menu.tsx'
import { StateMark } from '../state.tsx'
import { Steps } from '../steps.tsx'
import { type Column, Table } from '../table.tsx'
import { Pager, SelectionBar } from '../table-parts.tsx'
import { Timeline } from '../timeline.tsx'

interface Person {
  id: string
  address: string
  name: string
  state: string
  lists: string
  sent: number
  joined: string
}

const PEOPLE: Person[] = [
  ['ada@example.com', 'Ada Lind', 'subscribed', 'Weekly, Offers', 42],
  ['bo@example.com', 'Bo Holm', 'pending', 'Weekly', 0],
  ['celeste.montgomery-fitzgerald@a-rather-long-name.example', 'Celeste Montgomery-Fitzgerald', 'bounced', 'Offers', 7],
  ['dag@example.com', 'Dag Moe', 'unsubscribed', '', 1204],
].map(([address, name, state, lists, sent], index) => ({
  id: `c${index}`,
  address: String(address),
  name: String(name),
  state: String(state),
  lists: String(lists),
  sent: Number(sent),
  joined: `2026-05-0${index + 1}T12:00:00.000Z`,
}))

const COLUMNS: Column<Person>[] = [
  { id: 'address', head: 'Address', cell: (person) => person.address, card: 'title' },
  { id: 'name', head: 'Name', cell: (person) => person.name },
  { id: 'state', head: 'Status', cell: (person) => <StateMark state={person.state} />, tight: true },
  { id: 'lists', head: 'Lists', cell: (person) => person.lists || '–', card: 'hidden' },
  { id: 'sent', head: 'Sent', cell: (person) => number(person.sent), align: 'end' },
  { id: 'joined', head: 'Joined', cell: (person) => day(person.joined), tight: true },
]

export function Tables() {
  const [selected, select] = useState(new Set(['c1']))
  const [size, setSize] = useState(50)
  const [busy, setBusy] = useState(false)
  return (
    <>
      <Card flush title="Contacts" actions={<Button onClick={() => setBusy(!busy)}>Load again</Button>}>
        <Table
          caption="Contacts"
          columns={COLUMNS}
          rows={PEOPLE}
          row_key={(person) => person.id}
          row_label={(person) => person.address}
          row_href={(person) => `#${person.id}`}
          selection={{ selected, onChange: select }}
          busy={busy}
        />
        <Pager older onOlder={() => setBusy(true)} size={size} onSize={setSize} />
      </Card>
      <SelectionBar
        count={selected.size}
        total_note={<Button small>Select all 1,204 that match</Button>}
        onClear={() => select(new Set())}
      >
        <Button>Add to list…</Button>
        <Menu label="More" items={[{ label: 'Delete…', danger: true }]} />
      </SelectionBar>
      <Card flush title="Dense">
        <Table
          dense
          caption="Contacts, dense"
          columns={COLUMNS.slice(0, 4)}
          rows={PEOPLE.slice(0, 2)}
          row_key={(person) => person.id}
        />
      </Card>
      <Card flush title="Loading">
        <Table caption="Nobody yet" columns={COLUMNS} rows={null} row_key={(person) => person.id} />
      </Card>
      <Card flush title="Empty">
        <Table
          caption="Nobody"
          columns={COLUMNS}
          rows={[]}
          row_key={(person) => person.id}
          empty={
            <Empty
              sentence="Nobody is here yet. People join by a form, by an import, or one by one."
              action={
                <Button kind="primary" icon="upload">
                  Import a file
                </Button>
              }
              guide={<a href="#guide">How an import works</a>}
            />
          }
        />
      </Card>
    </>
  )
}

export function Numbers() {
  return (
    <>
      <Tiles>
        <Tile label="Reached" value={number(1192)} note="of 1,204" href="#people" />
        <Tile label="Opened by people" value={percent(0.4213)} note="212 by machines, counted apart" />
        <Tile label="Clicked" value={percent(0.091)} tone="good" />
        <Tile label="Bounced" value="12" note="9 hard, 3 soft" tone="bad" />
      </Tiles>
      <Card title="Facts">
        <Facts
          facts={[
            { label: 'From', value: 'Harbour News <news@harbour.example>' },
            { label: 'Through', value: 'Relay, about 2 minutes' },
          ]}
        />
      </Card>
    </>
  )
}

const HOURS = Array.from({ length: 48 }, (_, hour) => 1_777_800_000 + hour * 3600)
const fading = (top: number) =>
  HOURS.map((_, hour) => Math.round(top * Math.exp(-hour / 9) * (1 + Math.sin(hour / 3) / 4)))
const OPENS = { label: 'Opens', values: fading(120) }
const CLICKS = { label: 'Clicks', values: fading(34), tone: 'good' as const }
const BY_HOUR = [OPENS, CLICKS]
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const BY_DAY = [{ label: 'Sent', values: [120, 340, 210, 480, 390, 60, 20] }]

export function Charts() {
  return (
    <div class="halves">
      <Card>
        <Chart label="Opens and clicks by hour" x={HOURS} series={BY_HOUR} kind="line" x_head="Hour" />
      </Card>
      <Card>
        <Chart
          label="Sent by day"
          x={DAYS.map((_, index) => index)}
          names={DAYS}
          series={BY_DAY}
          kind="bars"
          x_head="Day"
        />
      </Card>
    </div>
  )
}

export function Lists() {
  return (
    <>
      <Steps
        current="consent"
        steps={[
          { id: 'file', label: 'File', state: 'done', href: '#file' },
          { id: 'columns', label: 'Columns', state: 'wrong', href: '#columns' },
          { id: 'consent', label: 'Consent', state: 'now' },
          { id: 'check', label: 'Check', state: 'later' },
          { id: 'import', label: 'Import', state: 'later' },
        ]}
      />
      <Timeline
        label="What happened"
        items={[
          {
            id: '1',
            at: '2026-05-04T07:10:00.000Z',
            icon: 'pointer',
            tone: 'accent',
            title: 'Clicked “Read the whole list”',
          },
          { id: '2', at: '2026-05-04T07:08:00.000Z', title: 'Opened “May letter”' },
          {
            id: '3',
            at: '2026-05-03T14:02:00.000Z',
            icon: 'shield',
            tone: 'good',
            title: 'Consent from the sign-up form',
            document: true,
            children: (
              <>
                <p>“Yes, send me the weekly letter. I can leave at any time.”</p>
                <p class="quiet small">List: Weekly. From 203.0.113.7, Firefox on Linux.</p>
              </>
            ),
          },
        ]}
      />
    </>
  )
}
