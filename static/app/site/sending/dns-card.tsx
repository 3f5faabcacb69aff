import { useEffect } from 'preact/hooks'
import { useAction, useMutation } from '../../api/action.ts'
import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { invalidate, useQuery } from '../../api/query.ts'
import type { Connection } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code, CopyButton } from '../../ui/code.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { clock, day } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/state.tsx'

type Domain = RouteResponse<'POST /project/dns/list'>['domains'][number]

const PLAIN: Record<'spf' | 'dkim' | 'dmarc', string> = {
  spf: 'who may send for you',
  dkim: 'a seal on each message',
  dmarc: 'what others do with forgeries',
}

const LOOK_AGAIN_MS = 30_000

/** The DNS records that make receivers take mail from the domain as genuine. Looks again by itself while it is open. */
export function DnsCard({ connection }: { connection: Connection }) {
  const { id, dns, from_domain } = connection
  const verify = useMutation('connections/verify-dns', { invalidates: ['connections/'] })
  const check = () => void verify.run({ connection_id: id })
  const keys = useQuery(
    '/project/dns/list',
    (signal) => send('POST /project/dns/list', { project_id: projectId() }, { signal }),
    { enabled: can('administrator') },
  )
  const isMissing = dns === null || dns.checks.some(({ ok }) => !ok)
  useEffect(() => {
    if (!can('administrator') || from_domain === '' || !isMissing) return
    if (dns === null) check()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') check()
    }, LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [id, isMissing])
  const domain = keys.data?.domains.find((known) => known.domain === from_domain)
  const placeOf = (purpose: keyof typeof PLAIN) => domain?.records.find((record) => record.purpose === purpose)?.name
  return (
    <Card
      title={from_domain === '' ? 'DNS' : `DNS for ${from_domain}`}
      id="dns"
      actions={
        <>
          {dns && <span class="quiet">Looked at {clock(dns.checked_at)}</span>}
          {can('administrator') && (
            <Button small icon="refresh" busy={verify.busy} onClick={check}>
              Check again
            </Button>
          )}
        </>
      }
    >
      <FlawSummary title="The records could not be looked up." error={verify.error} />
      {from_domain === '' && <p class="quiet">The connection names no domain yet. Add it below, under Pace.</p>}
      {dns?.checks.map(({ name, ok, found, expected, hint }) => (
        <section class="dns-record" key={name}>
          <h3>
            {name.toUpperCase()} <span class="quiet">{PLAIN[name]}</span>{' '}
            <StatusBadge tone={ok ? 'good' : found === null ? 'wait' : 'bad'}>
              {ok ? 'Found' : found === null ? 'Not found' : 'Other value'}
            </StatusBadge>
          </h3>
          <p>{hint}</p>
          {!ok && placeOf(name) && (
            <Code label={`Name of the ${name.toUpperCase()} record`} text={placeOf(name)!} wrap />
          )}
          {!ok && expected !== '' && <Code label={`Expected ${name.toUpperCase()} record`} text={expected} wrap />}
          {found !== null && <p class="quiet address">Found: {found}</p>}
        </section>
      ))}
      {keys.error && <ErrorNote title="Own keys could not be loaded." error={keys.error} retry={keys.reload} />}
      {from_domain !== '' && keys.data && <OwnKey domain={from_domain} known={domain} />}
    </Card>
  )
}

function OwnKey({ domain, known }: { domain: string; known: Domain | undefined }) {
  const done = () => invalidate('/project/dns/', 'connections/')
  const make = useAction(() => send('POST /project/dns/create-key', { project_id: projectId(), domain }), { done })
  const look = useAction(() => send('POST /project/dns/verify', { project_id: projectId(), domain }), { done })
  const records = (known?.records ?? []).filter((record) => record.purpose === 'dkim')
  return (
    <section class="dns-record">
      <h3>Own seal</h3>
      <FlawSummary error={make.error ?? look.error} />
      {records.length === 0 ? (
        <p>
          A relay that does not sign needs a key of yours. Make one, and put its record into the DNS; messages are
          signed once it is found.
        </p>
      ) : (
        records.map((record) => (
          <div key={record.key_id}>
            <p>
              {record.signs ? (
                <StatusBadge tone="good">{signsWords(record.verified_at)}</StatusBadge>
              ) : (
                <StatusBadge tone="wait">Waits for its record</StatusBadge>
              )}
            </p>
            <Code label="Name of the record" text={record.name} wrap />
            <Code label="Value of the TXT record" text={record.value} wrap />
          </div>
        ))
      )}
      {can('administrator') && (
        <div class="row">
          {records.length === 0 && (
            <Button small busy={make.busy} onClick={() => void make.run(undefined)}>
              Make a key
            </Button>
          )}
          {records.some(({ signs }) => !signs) && (
            <Button small busy={look.busy} onClick={() => void look.run(undefined)}>
              Look for the record
            </Button>
          )}
          {known && known.records.length > 0 && (
            <>
              <CopyButton shown label="Copy all as zone file" text={() => zoneFile(known)} />
              <CopyButton shown label="Copy for my administrator" text={() => request(known)} />
            </>
          )}
        </div>
      )}
    </section>
  )
}

function signsWords(since: string | null): string {
  return since === null ? 'Signs messages' : `Signs messages since ${day(since)}`
}

function zoneFile({ records }: Domain): string {
  return records.map(({ name, value }) => `${name}. IN TXT ${inPieces(value)}`).join('\n')
}

/** A TXT record holds strings of at most 255 bytes (RFC 1035, 3.3). */
function inPieces(value: string): string {
  return (value.match(/.{1,255}/g) ?? ['']).map((piece) => `"${piece.replaceAll('"', '\\"')}"`).join(' ')
}

function request(domain: Domain): string {
  return [
    `Please add these TXT records for ${domain.domain}, so that our newsletter is taken as genuine:`,
    '',
    ...domain.records.flatMap(({ name, value }) => [`Name: ${name}`, `Value: ${value}`, '']),
    'Thank you.',
  ].join('\n')
}
