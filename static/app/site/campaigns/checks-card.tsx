import { useEffect } from 'preact/hooks'
import type { ReadinessCheck } from '../../api/operations.d.ts'
import { useRead } from '../../api/query.ts'
import { link } from '../../shell/place.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { count } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'

/** The checks of a campaign. They run again after each change, and when the window comes back. */
export function ChecksCard({ id }: { id: number }) {
  const { data, error, busy, reload } = useReadiness(id)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') reload()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [id])
  const checks = data?.checks ?? []
  const failed = checks.filter(({ ok, severity }) => !ok && severity === 'error')
  const warned = checks.filter(({ ok, severity }) => !ok && severity === 'warning')
  const passed = checks.filter(({ ok }) => ok)
  return (
    <Card
      title="Checks"
      id="checks"
      actions={
        <Button small icon="refresh" busy={busy} onClick={reload}>
          Check again
        </Button>
      }
    >
      {error && <ErrorNote title="The checks could not be made." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={4} />}
      <ul class="checks">
        {failed.map((check) => (
          <Check key={check.code} id={id} check={check} />
        ))}
        {warned.map((check) => (
          <Check key={check.code} id={id} check={check} />
        ))}
      </ul>
      {passed.length > 0 && (
        <details>
          <summary>{count(passed.length, 'check passed', 'checks passed')}</summary>
          <ul class="checks">
            {passed.map((check) => (
              <Check key={check.code} id={id} check={check} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

export function useReadiness(campaign_id: number) {
  return useRead('campaigns/readiness', { campaign_id })
}

/** Where each check is mended. */
function mend(code: ReadinessCheck['code'], id: number): { label: string; href: string } | null {
  const letter = link(`/campaigns/${id}/edit`)
  const places: Partial<Record<ReadinessCheck['code'], { label: string; href: string }>> = {
    subject: { label: 'Write a subject', href: letter },
    content: { label: 'Open the letter', href: letter },
    unsubscribe_link: { label: 'Open the letter', href: letter },
    size: { label: 'Open the letter', href: letter },
    text_ratio: { label: 'Open the letter', href: letter },
    links: { label: 'Open the letter', href: letter },
    sender: { label: 'Say who writes', href: link('/sending/sender') },
    postal_address: { label: 'Add the postal address', href: link('/sending/sender') },
    connection_verified: { label: 'Look at the connection', href: link('/sending') },
    provider_limit: { label: 'Look at the limits', href: link('/sending') },
    spf: { label: 'Show the record', href: link('/sending') },
    dkim: { label: 'Show the record', href: link('/sending') },
    dmarc: { label: 'Show the record', href: link('/sending') },
    audience: { label: 'Choose people', href: '#audience' },
  }
  return places[code] ?? null
}

function Check({ id, check: { code, ok, severity, message } }: { id: number; check: ReadinessCheck }) {
  const way = ok ? null : mend(code, id)
  const tone = ok ? 'good' : severity === 'error' ? 'bad' : 'wait'
  const label = ok ? 'Passed' : severity === 'error' ? 'Must be mended' : 'Warning'
  return (
    <li class={`check-line tone-${tone}`}>
      <Icon name={ok ? 'check' : severity === 'error' ? 'x' : 'alert'} label={label} />
      <span>{message}</span>
      {way && <a href={way.href}>{way.label}</a>}
    </li>
  )
}
