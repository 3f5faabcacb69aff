import { CopyButton } from '../../ui/code.tsx'
import { StatusBadge } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type DnsRow, missingRecords, requestFor, zoneFile } from './dns-records.ts'
import { type Provider, PROVIDERS } from './providers.ts'

const PLAIN: Record<DnsRow['name'], string> = {
  spf: 'who may send for you',
  dkim: 'a seal on each message',
  dmarc: 'what others do with forgeries',
}

/** The DNS records of a domain, each with a copy button and whether it was found. */
export function DnsTable({ domain, provider, rows }: { domain: string; provider: Provider; rows: readonly DnsRow[] }) {
  const missing = missingRecords(rows)
  return (
    <>
      <Table
        caption={`DNS records of ${domain}`}
        columns={columns(provider)}
        rows={rows}
        row_key={({ name }) => name}
      />
      {missing.length > 0 && (
        <div class="row dns-part">
          <CopyButton shown label="Copy as zone file" text={() => zoneFile(missing)} />
          <CopyButton shown label="Copy for my administrator" text={() => requestFor(domain, missing)} />
        </div>
      )}
    </>
  )
}

const columns = (provider: Provider): readonly Column<DnsRow>[] => [
  {
    id: 'name',
    head: 'What for',
    card: 'title',
    cell: ({ name }) => (
      <span class="two-lines">
        {name.toUpperCase()}
        <small class="quiet">{PLAIN[name]}</small>
      </span>
    ),
  },
  { id: 'type', head: 'Type', card: 'line', cell: ({ record }) => record?.type },
  { id: 'at', head: 'Name', card: 'line', cell: ({ name, record }) => record && copied(name, 'name', record.name) },
  {
    id: 'value',
    head: 'Value',
    card: 'line',
    cell: ({ name, record }) =>
      record ? (
        copied(name, 'value', record.value)
      ) : (
        <span class="quiet">
          {name === 'spf'
            ? 'Nothing is needed'
            : provider === 'smtp'
              ? 'That of your server, or of a key of your own'
              : `As ${PROVIDERS[provider].name} shows it`}
        </span>
      ),
  },
  { id: 'state', head: 'State', card: 'line', cell: stateOf },
]

function copied(name: DnsRow['name'], part: 'name' | 'value', text: string) {
  return (
    <span class="dns-text">
      <code>{text}</code>
      <CopyButton text={text} label={`Copy the ${part} of ${name.toUpperCase()}`} />
    </span>
  )
}

function stateOf({ found }: DnsRow) {
  if (!found) return <span class="quiet">Looked for once it is saved</span>
  return (
    <span class="dns-state">
      <StatusBadge tone={found.ok ? 'good' : found.found === null ? 'wait' : 'bad'}>
        {found.ok ? 'Found' : found.found === null ? 'Not found' : 'Other value'}
      </StatusBadge>
      <small>{found.hint}</small>
      {found.found !== null && <small class="quiet address">Found: {found.found}</small>}
    </span>
  )
}
