import { useState } from 'preact/hooks'
import { Button, IconButton } from '../button.tsx'
import { Card } from '../card.tsx'
import { Code, CopyButton, KeyHint } from '../code.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Dialog, Drawer } from '../dialog.tsx'
import { TextField } from '../field.tsx'
import { Icon, type IconName } from '../icon.tsx'
import { ICONS } from '../icon-paths.ts'
import { Menu } from '../menu.tsx'
import { Popover, Tooltip } from '../popover.tsx'
import { Dot, StateMark, StatusBadge } from '../state.tsx'
import { Tabs } from '../tabs.tsx'

const TOKENS = [
  'ground',
  'paper',
  'raised',
  'line',
  'edge',
  'quiet',
  'ink',
  'accent',
  'accent-soft',
  'good',
  'wait',
  'bad',
]

export function Colors() {
  return (
    <ul class="grid">
      {TOKENS.map((token) => (
        <li class="row" key={token}>
          <svg width="40" height="28" aria-hidden="true">
            <rect width="39" height="27" x="0.5" y="0.5" rx="5" fill={`var(--${token})`} stroke="var(--line)" />
          </svg>
          <code>--{token}</code>
        </li>
      ))}
    </ul>
  )
}

export function Words() {
  const states = 'draft scheduled preparing sending paused sent failed uncertain cancelled'.split(' ')
  return (
    <Card>
      <div class="stack">
        <h3>A heading of a part</h3>
        <p>
          The harbour opens at six. <a href="#words">A link in a sentence</a>, <strong>strong words</strong>, and{' '}
          <code>code</code>. <span class="quiet">Quiet words beside them.</span>
        </p>
        <div class="row">
          {states.map((state) => (
            <StateMark key={state} state={state} />
          ))}
        </div>
        <div class="row">
          <StatusBadge tone="good">Subscribed</StatusBadge>
          <StatusBadge tone="wait">Pending</StatusBadge>
          <StatusBadge tone="bad">Suppressed</StatusBadge>
          <StatusBadge tone="accent">Default</StatusBadge>
          <StatusBadge>Owner</StatusBadge>
          <Dot label="A connection failed its last test" />
          <Dot tone="bad" label="Sending has stopped" />
          <Tooltip text="Mail programs that open by themselves are counted apart.">Opened by people</Tooltip>
        </div>
        <div class="row quiet">
          Search <KeyHint keys="⌘ K" /> Campaigns <KeyHint keys="g c" />
          <CopyButton text="ada@example.com" label="Copy the address" />
        </div>
        <Code
          label="HTML of the form"
          text={'<form method="post" action="/general/newsletter/signup">\n  <input name="email">\n</form>'}
        />
      </div>
    </Card>
  )
}

export function Icons() {
  return (
    <div class="row">
      {(Object.keys(ICONS) as IconName[]).map((name) => (
        <Icon key={name} name={name} label={name} size={20} />
      ))}
    </div>
  )
}

export function Buttons() {
  const [bold, setBold] = useState(true)
  return (
    <div class="stack">
      <div class="row">
        <Button kind="primary">Review and send</Button>
        <Button>Send a test…</Button>
        <Button kind="quiet">Not now</Button>
        <Button kind="danger">Delete 312 contacts</Button>
        <Button href="#buttons" icon="external">
          A link
        </Button>
      </div>
      <div class="row">
        <Button kind="primary" icon="send">
          Send to 1,204 people
        </Button>
        <Button kind="primary" busy>
          Saving
        </Button>
        <Button kind="primary" disabled_reason="Set the postal address first.">
          Send
        </Button>
        <Button disabled>Older</Button>
        <Button small>Small</Button>
        <Button small kind="primary">
          Small
        </Button>
      </div>
      <div class="row">
        <IconButton icon="code" label="Calls of this page" />
        <IconButton icon="bold" label="Bold" pressed={bold} onClick={() => setBold(!bold)} />
        <IconButton icon="trash" label="Delete" disabled />
        <IconButton small icon="x" label="Close" />
        <IconButton icon="settings" label="Settings" href="#buttons" />
      </div>
    </div>
  )
}

export function Overlays() {
  const [shown, show] = useState<'dialog' | 'drawer' | 'confirm' | null>(null)
  const [chosen, choose] = useState('nothing yet')
  const [tab, setTab] = useState<'people' | 'events' | 'links'>('people')
  return (
    <div class="stack">
      <div class="row">
        <Menu
          label="Add contact"
          kind="primary"
          items={[
            { label: 'Add one', icon: 'user', onSelect: () => choose('Add one') },
            { label: 'Import a file', icon: 'upload', href: '#import' },
            'line',
            { label: 'Export', icon: 'download', disabled_reason: 'There is nobody to export.' },
            { label: 'Delete everybody…', icon: 'trash', danger: true, onSelect: () => choose('Delete') },
          ]}
        />
        <Menu
          label="More actions"
          icon="more"
          items={[
            { label: 'Duplicate', hint: 'As a new draft', onSelect: () => choose('Duplicate') },
            { label: 'Rename', checked: true, onSelect: () => choose('Rename') },
          ]}
        />
        <Menu label="Project" trigger={<strong>Harbour News</strong>} items={[{ label: 'Harbour News' }]} />
        <Popover label="Columns">
          <p>Which columns the table has.</p>
        </Popover>
        <Button onClick={() => show('dialog')}>Open a dialog</Button>
        <Button onClick={() => show('drawer')}>Open a drawer</Button>
        <Button onClick={() => show('confirm')}>Ask first</Button>
        <span class="quiet" data-chosen>
          {chosen}
        </span>
      </div>
      <Tabs
        label="Report"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'people', label: 'People', count: 1204 },
          { id: 'events', label: 'Events' },
          { id: 'links', label: 'Links', count: 0 },
        ]}
      >
        <p>What the tab {tab} shows.</p>
      </Tabs>
      <Dialog
        open={shown === 'dialog'}
        title="Send a test"
        onClose={() => show(null)}
        actions={
          <>
            <Button kind="primary" onClick={() => show(null)}>
              Send the test
            </Button>
            <Button onClick={() => show(null)}>Cancel</Button>
          </>
        }
      >
        <TextField label="To" value="ada@example.com" onInput={choose} hint="Up to five addresses, with commas." />
      </Dialog>
      <Drawer open={shown === 'drawer'} title="Calls of this page" onClose={() => show(null)}>
        <p>Nothing was called yet.</p>
      </Drawer>
      {shown === 'confirm' && (
        <ConfirmDialog
          danger
          title="Delete 312 contacts?"
          verb="Delete 312 contacts"
          typed="312"
          onConfirm={async () => choose('Deleted')}
          onClose={() => show(null)}
        >
          Their history and consent records go with them.
        </ConfirmDialog>
      )}
    </div>
  )
}
