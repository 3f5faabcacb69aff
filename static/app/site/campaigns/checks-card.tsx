import { useEffect } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { count, number } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mend, type MendProps } from './mends.tsx'

interface ChecksCardProps extends Omit<MendProps, 'check'> {
  /** A check that the page has already settled with a change that is not stored yet. */
  without?: MendProps['check']['code']
}

/** The checks of a campaign. They run again after each change, and when the window gets the focus. */
export function ChecksCard({ without, ...context }: ChecksCardProps) {
  const { id } = context.campaign
  const { data, error, busy, reload } = useReadiness(id)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') reload()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [id])
  const checks = data?.checks.filter(({ code }) => code !== without) ?? []
  const failed = checks.filter(({ ok, severity }) => !ok && severity === 'error')
  const warned = checks.filter(({ ok, severity }) => !ok && severity === 'warning')
  const passed = checks.filter(({ ok, skipped }) => ok && !skipped)
  const left_out = checks.filter(({ skipped }) => skipped)
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
          <Check key={check.code} check={check} {...context} />
        ))}
        {warned.map((check) => (
          <Check key={check.code} check={check} {...context} />
        ))}
      </ul>
      {passed.length > 0 && (
        <details>
          <summary>
            {count(passed.length, 'check passed', 'checks passed')}
            {left_out.length > 0 && `, ${number(left_out.length)} not made`}
          </summary>
          <ul class="checks">
            {[...passed, ...left_out].map((check) => (
              <Check key={check.code} check={check} {...context} />
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

function Check({ check, ...context }: MendProps) {
  const { ok, severity, message, skipped } = check
  const [tone, icon, label] = skipped
    ? (['quiet', 'minus', 'Not made'] as const)
    : ok
      ? (['good', 'check', 'Passed'] as const)
      : severity === 'error'
        ? (['bad', 'x', 'Must be mended'] as const)
        : (['wait', 'alert', 'Warning'] as const)
  return (
    <li class={`check-line tone-${tone}`}>
      <Icon name={icon} label={label} />
      <span>{message}</span>
      {!ok && <Mend check={check} {...context} />}
    </li>
  )
}
