import { send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery, useRead } from '../../api/query.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { useLater } from '../../ui/use-later.ts'
import { DnsTable } from './dns-table.tsx'
import { hasHost, type Provider } from './providers.ts'

interface Props {
  provider: Provider | null
  host: string
  /** The text that was typed; when empty, the domain of the project's sender. */
  domain: string
}

const PAUSE_MS = 400

/** The DNS records that a domain needs for a new connection. */
export function NeededRecords({ provider, host, domain }: Props) {
  const sender = useRead('settings/get', {}).data?.settings.from_email ?? ''
  const typed = (domain.trim() || sender.slice(sender.indexOf('@') + 1)).toLowerCase()
  const asked = useLater(typed, PAUSE_MS)
  const written_host = useLater(host.trim(), PAUSE_MS)
  const asked_host = provider !== null && hasHost(provider) ? written_host : ''
  const hasRelay = provider !== null && provider !== 'sandbox' && (provider !== 'smtp' || asked_host !== '')
  const isKnown = hasRelay && /^[^.]+(\.[^.]+)+$/.test(asked)
  const { data, error, reload } = useQuery(
    `/project/dns/needed ${provider} ${asked_host} ${asked}`,
    (signal) =>
      send(
        'POST /project/dns/needed',
        {
          project_id: projectId(),
          provider: provider!,
          domain: asked,
          ...(asked_host !== '' && { host: asked_host }),
        },
        { signal },
      ),
    { enabled: isKnown },
  )
  if (provider === 'sandbox') return null
  return (
    <Card title={isKnown ? `DNS for ${asked}` : 'DNS'} id="dns" flush>
      {!isKnown && (
        <p class="quiet dns-part">
          {provider === null
            ? 'Choose how mail leaves. The records that make receivers trust it then stand here.'
            : 'Name the host and the domain of the sender. The records that they need then stand here.'}
        </p>
      )}
      {isKnown && error && <ErrorNote title="The records could not be told." error={error} retry={reload} />}
      {isKnown && !data && !error && (
        <div class="dns-part">
          <Skeleton lines={4} />
        </div>
      )}
      {isKnown && data && (
        <DnsTable
          domain={data.domain}
          provider={provider!}
          rows={data.records.map(({ purpose, record }) => ({ name: purpose, record, found: null }))}
        />
      )}
    </Card>
  )
}
