import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { data } from '../../api/data.ts'
import type { Connection, ReadinessCheck, Settings } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { TextArea } from '../../ui/field.tsx'
import { bytes } from '../../ui/format.ts'
import { SayWhoWrites } from '../sending/say-who-writes.tsx'
import { blockWords, blocksWith, fieldOf, heaviestBlocks } from './letter-blocks.ts'
import { AGAIN, MendConnection } from './mend-connection.tsx'
import type { CampaignOfPage } from './use-campaign.ts'

/** What the fix of a failed check may need. */
export interface MendProps {
  check: ReadinessCheck
  campaign: CampaignOfPage
  settings: Settings
  /** The connection that sends the campaign; null without one. */
  connection: Connection | null
}

/** The fix for a failed check: a control in place where possible, otherwise a link to the field. */
export function Mend(props: MendProps) {
  const { check, campaign, connection } = props
  const letter = link(`/campaigns/${campaign.id}/edit`)
  switch (check.code) {
    case 'subject':
      return <a href={`${letter}?field=subject`}>Write a subject</a>
    case 'audience':
      return <a href="?field=audience">Choose people</a>
    case 'sender':
      return <MendSender {...props} />
    case 'postal_address':
      return <MendPostalAddress {...props} />
    case 'connection_verified':
      return <MendConnection connection={connection} />
    case 'spf':
    case 'dkim':
    case 'dmarc':
      return connection && <MendRecord name={check.code} connection={connection} />
    case 'content': {
      const blocks = blocksWith(campaign.editor_json, check.message)
      return blocks.length > 0 ? (
        <Blocks letter={letter} blocks={blocks} />
      ) : (
        <a href={`${letter}?field=letter`}>Write the letter</a>
      )
    }
    case 'size':
      return <Blocks letter={letter} blocks={heaviestBlocks(campaign.editor_json)} withSize />
    case 'links':
      // The address of the service is not in the letter; the message says who can change it.
      if (check.message === data.base_url_problem) return <a href={link('/sending')}>Look at the sending</a>
      return <Blocks letter={letter} blocks={blocksWith(campaign.editor_json, check.message)} />
    case 'plan_limit':
      return <a href={link('/settings')}>Look at the usage</a>
    case 'provider_limit':
      return (
        <a href={link(connection ? `/sending/${connection.id}` : '/sending', { field: 'max_per_day' })}>
          {can('administrator') ? 'Change the limit' : 'Look at the limit'}
        </a>
      )
    default:
      return <a href={`${letter}?field=letter`}>Write the letter</a>
  }
}

function MendSender({ settings }: MendProps) {
  const [isOpen, setOpen] = useState(false)
  if (!can('administrator')) return <a href="?field=from_email">Say who writes</a>
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        Say who writes
      </Button>
      {isOpen && (
        <Drawer title="Who writes" onClose={() => setOpen(false)}>
          <SayWhoWrites settings={settings} done={() => setOpen(false)} />
        </Drawer>
      )}
    </>
  )
}

function MendPostalAddress({ settings }: MendProps) {
  const [postal_address, setAddress] = useState(settings.postal_address)
  const save = useMutation('settings/update', { invalidates: AGAIN })
  if (!can('administrator')) return <span class="quiet">{whoMay('Writing the postal address', 'administrator')}</span>
  return (
    <form
      class="mend"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run({ postal_address })
      }}
    >
      <FlawSummary error={save.error} />
      <TextArea
        label="Postal address"
        flaw={save.error?.flawOf('/postal_address')}
        value={postal_address}
        onInput={setAddress}
        rows={2}
        required
      />
      <Button small type="submit" busy={save.busy}>
        Save the address
      </Button>
    </form>
  )
}

function MendRecord({ name, connection }: { name: 'spf' | 'dkim' | 'dmarc'; connection: Connection }) {
  const look = useMutation('connections/verify-dns', { invalidates: AGAIN })
  const expected = connection.dns?.checks.find((known) => known.name === name)?.expected ?? ''
  return (
    <div class="mend">
      <FlawSummary error={look.error} />
      {expected !== '' && <Code label={`Expected ${name.toUpperCase()} record`} text={expected} wrap />}
      <div class="row">
        {can('administrator') && (
          <Button small busy={look.busy} onClick={() => void look.run({ connection_id: connection.id })}>
            {expected === '' ? 'Show the record' : 'Look again'}
          </Button>
        )}
        <a href={link(`/sending/${connection.id}`)}>All records</a>
      </div>
    </div>
  )
}

function Blocks({
  letter,
  blocks,
  withSize,
}: {
  letter: string
  blocks: ReturnType<typeof blocksWith>
  withSize?: boolean
}) {
  if (blocks.length === 0) return <a href={`${letter}?field=letter`}>Open the letter</a>
  return (
    <ul class="mend">
      {blocks.map((block) => (
        <li key={block.id}>
          <a href={`${letter}?block=${encodeURIComponent(block.id)}&field=${withSize ? 'block' : fieldOf(block)}`}>
            {blockWords(block)}
          </a>
          {withSize && <span class="quiet"> about {bytes(JSON.stringify(block).length)}</span>}
        </li>
      ))}
    </ul>
  )
}
