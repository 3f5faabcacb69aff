import { lineWords } from '../../api/letter-name.ts'
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import { link } from '../../api/link.ts'
import { HOME_CONNECTIONS } from '../home/home-requests.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import type { ApiError } from '../../api/errors.ts'
import type { CampaignChanges, CampaignOfPage } from './use-campaign.ts'

interface Props {
  campaign: CampaignOfPage
  busy: boolean
  error: ApiError | null
  onSave(changes: CampaignChanges): void
}

/** The sender of a campaign, and how it appears in an inbox. */
export function SenderCard({ campaign, busy, error, onSave }: Props) {
  const settings = useRead('settings/get', {}).data?.settings
  const connections = useRead('connections/list', HOME_CONNECTIONS).data?.items ?? []
  const { query } = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (query.field === 'from_email') setOpen(true)
  }, [query.field])
  const from_name = campaign.from_name || settings?.from_name || ''
  const from_email = campaign.from_email || settings?.from_email || ''
  const reply_to = campaign.reply_to || settings?.reply_to || ''
  const connection_id = campaign.connection_id ?? settings?.default_connection_id ?? null
  const connection = connections.find(({ id }) => id === connection_id)
  return (
    <Card
      title="From"
      id="sender"
      actions={
        <Button small onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Change'}
        </Button>
      }
    >
      <div class="halves">
        {(['light', 'dark'] as const).map((scheme) => (
          <div key={scheme} class="inbox-line" data-scheme={scheme} aria-hidden={scheme === 'dark'}>
            <span class="inbox-avatar" aria-hidden="true">
              {(from_name || '?').slice(0, 1).toUpperCase()}
            </span>
            <span class="inbox-words">
              <strong>{from_name || 'No sender yet'}</strong>
              <span>{lineWords(campaign.subject) || 'No subject yet'}</span>
              <span class="quiet">{lineWords(campaign.preheader)}</span>
            </span>
          </div>
        ))}
      </div>
      <p class="quiet">
        {from_email === '' ? (
          <>
            No address yet. <a href={link('/sending/sender')}>Say who writes</a>
          </>
        ) : (
          <>
            {from_name} &lt;{from_email}&gt;
            {reply_to !== '' && `, answers to ${reply_to}`}
          </>
        )}
        {', through '}
        {connection ? connection.name : <a href={link('/sending')}>no connection yet</a>}
      </p>
      {isOpen && (
        <SenderForm
          {...{ campaign, busy, error }}
          placeholders={{ from_name, from_email, reply_to }}
          connections={connections}
          onSave={onSave}
        />
      )}
    </Card>
  )
}

interface FormProps extends Props {
  placeholders: { from_name: string; from_email: string; reply_to: string }
  connections: readonly { id: number; name: string }[]
}

function SenderForm({ campaign, busy, error, placeholders, connections, onSave }: FormProps) {
  const [from_name, setName] = useState(campaign.from_name)
  const [from_email, setEmail] = useState(campaign.from_email)
  const [reply_to, setReply] = useState(campaign.reply_to)
  const [connection, setConnection] = useState(String(campaign.connection_id ?? ''))
  return (
    <form
      class="review-fields"
      onSubmit={(event) => {
        event.preventDefault()
        onSave({ from_name, from_email, reply_to, connection_id: connection === '' ? null : Number(connection) })
      }}
    >
      <TextField
        label="Name"
        value={from_name}
        placeholder={placeholders.from_name}
        onInput={setName}
        flaw={error?.flawOf('/from_name')}
      />
      <TextField
        name="from_email"
        label="Address"
        type="email"
        value={from_email}
        placeholder={placeholders.from_email}
        onInput={setEmail}
        flaw={error?.flawOf('/from_email')}
      />
      <TextField
        label="Answers go to"
        type="email"
        value={reply_to}
        placeholder={placeholders.reply_to}
        onInput={setReply}
        flaw={error?.flawOf('/reply_to')}
      />
      <Select
        label="Connection"
        value={connection}
        onInput={setConnection}
        options={[
          { value: '', label: "The project's default" },
          ...connections.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <p class="quiet">An empty field takes the project's own setting.</p>
      <Button type="submit" busy={busy}>
        Save the sender
      </Button>
    </form>
  )
}
