import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import type { ResponseOf } from '../../api/calls.ts'
import { data as facts } from '../../api/data.ts'
import { useRead } from '../../api/query.ts'
import type { Connection } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import { useSendingAttention } from '../../attention.ts'
import { link } from '../../api/link.ts'
import { relayMeaning } from '../../relay-words.ts'
import { HOME_CONNECTIONS } from '../home/home-requests.ts'
import { Button } from '../../ui/button.tsx'
import { Callout, Empty } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { number } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { StatusBadge } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { PROVIDERS } from './providers.ts'

/** The connections of the project. */
export default function Sending() {
  const { data, error, busy, reload } = useRead('connections/list', HOME_CONNECTIONS)
  useSendingAttention(data?.items)
  const settings = useRead('settings/get', {}).data?.settings
  return (
    <>
      <SendingHead
        tab="connections"
        primary={
          can('administrator') && (
            <Button kind="primary" icon="plus" main href={link('/sending/new')}>
              Add connection
            </Button>
          )
        }
      />
      {!can('administrator') && <p class="quiet">{whoMay('Changing connections', 'administrator')}</p>}
      {facts.base_url_problem !== null && data?.items.some(({ provider }) => provider !== 'sandbox') && (
        <Callout tone="wait" title="Recipients may have trouble with links in messages.">
          <p>{facts.base_url_problem}</p>
        </Callout>
      )}
      {error ? (
        <ErrorNote title="Connections could not be loaded." error={error} retry={reload} />
      ) : (
        <Table
          caption="Connections"
          columns={columns(settings?.default_connection_id ?? null)}
          rows={data?.items ?? null}
          busy={busy}
          row_key={({ id }) => String(id)}
          row_href={({ id }) => link(`/sending/${id}`)}
          empty={
            <Empty
              sentence="A connection is the way that mail leaves: your provider, your own server, or the sandbox to try it."
              action={
                can('administrator') && (
                  <Button kind="primary" icon="plus" href={link('/sending/new')}>
                    Add connection
                  </Button>
                )
              }
            />
          }
        />
      )}
    </>
  )
}

const TABS = [
  { id: 'connections', label: 'Connections' },
  { id: 'sender', label: 'Sender' },
  { id: 'health', label: 'Deliverability' },
] as const

const hrefOf = (id: (typeof TABS)[number]['id']) => link(id === 'connections' ? '/sending' : `/sending/${id}`)

/** The head of the pages about sending, with links to the others. */
export function SendingHead({ tab, primary }: { tab: (typeof TABS)[number]['id']; primary?: ComponentChildren }) {
  const { route } = useLocation()
  return (
    <>
      <PageHead title="Sending" primary={primary} />
      <Tabs label="Parts of sending" tabs={TABS} value={tab} href={hrefOf} onChange={(id) => route(hrefOf(id))} />
    </>
  )
}

/** The state of a connection: tested, failed or not tested. */
export function ConnectionState({ connection: { verified_at, last_error } }: { connection: Connection }) {
  if (last_error !== null) return <StatusBadge tone="bad">Failed</StatusBadge>
  if (verified_at !== null) return <StatusBadge tone="good">Tested</StatusBadge>
  return <StatusBadge tone="wait">Not tested</StatusBadge>
}

type Listed = ResponseOf<'connections/list'>['items'][number]

function columns(default_id: number | null): Column<Listed>[] {
  return [
    {
      id: 'name',
      head: 'Connection',
      card: 'title',
      cell: ({ id, name }) => (
        <>
          {name} {id === default_id && <StatusBadge>Default</StatusBadge>}
        </>
      ),
    },
    { id: 'provider', head: 'Provider', card: 'line', cell: ({ provider }) => PROVIDERS[provider].name },
    { id: 'state', head: 'State', card: 'line', cell: (connection) => <ConnectionState connection={connection} /> },
    { id: 'dns', head: 'DNS', card: 'line', cell: dnsWords },
    { id: 'sent', head: 'Sent in 24 hours', align: 'end', card: 'line', cell: usageWords },
    {
      id: 'error',
      head: 'What the relay said',
      card: 'line',
      cell: ({ last_error }) =>
        last_error !== null && (
          <>
            {relayMeaning(last_error)} <span class="address">{last_error}</span>
          </>
        ),
    },
  ]
}

function usageWords({ usage }: Listed): string {
  if (!usage) return ''
  const sent = number(usage.sent_in_24_hours)
  return usage.limit === null ? sent : `${sent} of ${number(usage.limit)}`
}

function dnsWords({ provider, dns }: Connection): string {
  if (provider === 'sandbox') return 'Not needed'
  if (dns === null) return 'Not checked'
  return `${dns.checks.filter(({ ok }) => ok).length} of ${dns.checks.length}`
}
