import { useEffect, useRef } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import type { Connection } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { clock, day } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/state.tsx'
import { DnsTable } from './dns-table.tsx'

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 30 * 60_000

/**
 * The DNS records that let receivers verify mail from the domain. While it is open it looks them up again, with growing
 * pauses, because each look-up is stored and adds a row to the audit log.
 */
export function DnsCard({ connection }: { connection: Connection }) {
  const { id, dns, provider, from_domain, host } = connection
  const verify = useMutation('connections/verify-dns', { invalidates: ['connections/'] })
  const check = () => void verify.run({ connection_id: id })
  const isMissing = dns === null || dns.checks.some(({ ok }) => !ok)
  /** What was looked up; the connection may have another domain, or another host to name, since. */
  const wanted = `${from_domain} ${host}`
  const looked_up = useRef(dns === null ? '' : wanted)
  useEffect(() => {
    if (!can('administrator') || from_domain === '') return
    if (looked_up.current !== wanted) {
      looked_up.current = wanted
      check()
    }
    if (!isMissing) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const lookAfter = (pause_ms: number) => {
      timer = setTimeout(() => {
        if (document.visibilityState === 'visible') check()
        lookAfter(Math.min(pause_ms * 1.5, LONGEST_PAUSE_MS))
      }, pause_ms)
    }
    lookAfter(FIRST_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [wanted, isMissing])
  const domain = dns?.domain ?? from_domain
  return (
    <Card
      title={domain === '' ? 'DNS' : `DNS for ${domain}`}
      id="dns"
      flush
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
      <div class="dns-part">
        <FlawSummary title="The records could not be looked up." error={verify.error} />
        {domain === '' && (
          <p class="quiet">The connection names no domain yet.{can('administrator') && ' Add it below, under Pace.'}</p>
        )}
      </div>
      {dns && (
        <DnsTable
          domain={domain}
          provider={provider}
          rows={dns.checks.map(({ name, record, ...found }) => ({ name, record, found }))}
        />
      )}
      {domain !== '' && provider === 'smtp' && <OwnKey connection={connection} made={check} />}
    </Card>
  )
}

/** The DKIM key of this service, for a relay that does not sign. Its record is in the table. */
function OwnKey({ connection: { id, dkim_keys }, made }: { connection: Connection; made(): void }) {
  const make = useMutation('connections/verify-dns', { invalidates: ['connections/'], done: made })
  const signing = dkim_keys.find(({ signs }) => signs)
  return (
    <section class="dns-key dns-part">
      <h3>Own seal</h3>
      <FlawSummary error={make.error} />
      {signing ? (
        <p>
          <StatusBadge tone="good">{signsWords(signing.verified_at)}</StatusBadge>
        </p>
      ) : dkim_keys.length > 0 ? (
        <p>
          <StatusBadge tone="wait">Waits for its record</StatusBadge> Messages are signed once it is found.
        </p>
      ) : (
        <p>
          A relay that does not sign needs a key of yours. Make one, and put its record into the DNS; messages are
          signed once it is found.
        </p>
      )}
      {can('administrator') && dkim_keys.length === 0 && (
        <Button
          small
          busy={make.busy}
          onClick={() => void make.run({ connection_id: id, create_dkim_key: 'rsa-sha256' })}
        >
          Make a key
        </Button>
      )}
    </section>
  )
}

function signsWords(since: string | null): string {
  return since === null ? 'Signs messages' : `Signs messages since ${day(since)}`
}
