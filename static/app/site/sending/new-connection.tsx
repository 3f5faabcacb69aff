import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction, useMutation } from '../../api/action.ts'
import { mutate } from '../../api/calls.ts'
import { data } from '../../api/data.ts'
import { ApiError } from '../../api/errors.ts'
import { useRead } from '../../api/query.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards, Switch } from '../../ui/choice.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageHead } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { NeededRecords } from './needed-records.tsx'
import { hasHost, type Provider, PROVIDER_ORDER, PROVIDERS } from './providers.ts'
import { type Server, ServerFields } from './server-fields.tsx'

interface Draft extends Server {
  name: string
  /** null until it is typed: the domain of the sender. */
  from_domain: string | null
  isDefault: boolean
}

const EMPTY: Draft = {
  name: '',
  host: '',
  port: '',
  secure: 'starttls',
  username: '',
  password: '',
  from_domain: null,
  isDefault: true,
}

/** Adds a connection. It is saved and tested at once; its page shows the error of a test, and it is no default then. */
export default function NewConnection({ query }: PageProps) {
  const { route } = useLocation()
  const known = PROVIDER_ORDER.find((provider) => provider === query.provider)
  const [provider, setProvider] = useState<Provider | null>(known ?? null)
  const [typed, setDraft] = useState(EMPTY)
  const sender = useRead('settings/get', {}).data?.settings.from_email
  const draft = { ...typed, from_domain: typed.from_domain ?? sender?.split('@')[1]?.toLowerCase() ?? '' }
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const fields = useRef<HTMLDivElement>(null)
  // The choices fill a window, so the fields may begin below it.
  useEffect(() => fields.current?.scrollIntoView({ block: 'nearest' }), [provider])
  const finish = useAction(
    async (id: number) => {
      try {
        const { ok } = await mutate('connections/test', { connection_id: id })
        // The page of the connection shows what the relay said.
        if (ok && draft.isDefault) await mutate('settings/update', { default_connection_id: id })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        // Its page has what is left to do. The form would save a second connection.
        toast({ text: `The connection is saved. The rest failed: ${error.message}`, tone: 'bad' })
      }
      return id
    },
    { invalidates: ['connections/', 'settings/'], done: (id) => route(link(`/sending/${id}`), true) },
  )
  const save = useMutation('connections/create', { done: ({ connection }) => void finish.run(connection.id) })
  return (
    <>
      <PageHead title="Add connection" back={{ href: link('/sending'), label: 'Sending' }} />
      <div class="connection-halves">
        <form
          class="connection-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (provider !== null && !finish.busy) void save.run(requestOf(provider, draft))
          }}
        >
          <FlawSummary title="The connection could not be saved." error={save.error} />
          <RadioCards
            legend="How mail leaves"
            value={provider}
            onChange={setProvider}
            options={PROVIDER_ORDER.map((value) => ({
              value,
              label: PROVIDERS[value].name,
              hint: PROVIDERS[value].hint,
              disabled_reason: value === 'sandbox' && !data.sandbox && 'The sandbox is off on this service.',
            }))}
          />
          {provider !== null && (
            <>
              <div class="connection-name" ref={fields}>
                <TextField
                  label="Name"
                  flaw={flawOf('/name')}
                  hint="What these pages call it. Recipients do not see it."
                  value={draft.name}
                  placeholder={PROVIDERS[provider].name}
                  onInput={(name) => change({ name })}
                />
              </div>
              {provider !== 'sandbox' && (
                <RelayFields provider={provider} draft={draft} flawOf={flawOf} change={change} />
              )}
              <Switch
                label="Use it for every campaign that names no other"
                hint="Once its test succeeds."
                checked={draft.isDefault}
                onChange={(isDefault) => change({ isDefault })}
              />
              <div class="row">
                <Button kind="primary" type="submit" main busy={save.busy || finish.busy}>
                  Save and test
                </Button>
              </div>
            </>
          )}
        </form>
        <NeededRecords provider={provider} host={draft.host} domain={draft.from_domain} />
      </div>
    </>
  )

  function flawOf(path: string): string | null {
    return save.error?.flawOf(path) ?? null
  }
}

type FilledDraft = Draft & { from_domain: string }

interface RelayProps {
  provider: Exclude<Provider, 'sandbox'>
  draft: FilledDraft
  flawOf(path: string): string | null
  change(changes: Partial<Draft>): void
}

function RelayFields({ provider, draft, flawOf, change }: RelayProps) {
  return (
    <>
      <ServerFields {...{ provider, flawOf, change }} server={draft} />
      <TextField
        label="Domain of the sender"
        hint="The part of your address after the @. Its DNS records are looked for once it is saved."
        value={draft.from_domain}
        placeholder="example.com"
        onInput={(from_domain) => change({ from_domain })}
        flaw={flawOf('/from_domain')}
      />
      <details>
        <summary>Where do I find this?</summary>
        <ul>
          {PROVIDERS[provider].where.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    </>
  )
}

/** The fields that the page shows for a provider. The service fills in the others. */
function requestOf(provider: Provider, draft: FilledDraft) {
  const { name, host, port, secure, username, password, from_domain } = draft
  const relay =
    provider === 'sandbox'
      ? {}
      : {
          ...(host === '' || !hasHost(provider) ? {} : { host }),
          ...(username === '' || PROVIDERS[provider].username === null ? {} : { username }),
          ...(password === '' ? {} : { password }),
          ...(from_domain === '' ? {} : { from_domain }),
          ...(provider === 'smtp' ? { secure, ...(port === '' ? {} : { port: Number(port) }) } : {}),
        }
  return { name: name || PROVIDERS[provider].name, provider, ...relay }
}
