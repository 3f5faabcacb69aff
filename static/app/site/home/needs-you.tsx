import { useEffect } from 'preact/hooks'
import type { ResponseOf } from '../../api/calls.ts'
import { useRead } from '../../api/query.ts'
import { setAttention } from '../../shell/attention.ts'
import { link } from '../../shell/place.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { count, relative } from '../../ui/format.ts'
import { HOME_CONNECTIONS } from './home-requests.ts'

interface Need {
  key: string
  what: string
  since: string | null
  verb: string
  href: string
}

/** What waits for a person: one line each, absent when there is nothing. */
export function NeedsYou({ campaigns }: { campaigns: ResponseOf<'campaigns/list'>['items'] | undefined }) {
  const connections = useRead('connections/list', HOME_CONNECTIONS).data?.items ?? []
  const imports = useRead('imports/list', { order: 'newest', limit: 10 }).data?.items ?? []
  const broken = connections.filter(({ last_error }) => last_error !== null)
  useEffect(() => {
    setAttention('/sending', broken.length === 0 ? null : 'A connection failed its last use')
  }, [broken.length])
  const needs: Need[] = [
    ...(campaigns ?? [])
      .filter(({ status }) => status === 'paused')
      .map(({ id, name, failure, updated_at }) => ({
        key: `paused ${id}`,
        what: `“${name}” is paused${failure ? `: ${failure.reason}` : '.'}`,
        since: updated_at,
        verb: 'Show it',
        href: link(`/campaigns/${id}`),
      })),
    ...(campaigns ?? [])
      .filter(({ status }) => status === 'failed')
      .map(({ id, name, failure, updated_at }) => ({
        key: `failed ${id}`,
        what: `“${name}” could not begin${failure ? `: ${failure.reason}` : '.'}`,
        since: updated_at,
        verb: 'Review it',
        href: link(`/campaigns/${id}/review`),
      })),
    ...(campaigns ?? [])
      .filter(({ stats }) => stats !== undefined && stats.uncertain > 0)
      .map(({ id, name, stats, finished_at }) => ({
        key: `uncertain ${id}`,
        what: `${count(stats!.uncertain, 'person', 'people')} may or may not have “${name}”.`,
        since: finished_at,
        verb: 'See them',
        href: link(`/campaigns/${id}`),
      })),
    ...broken.map(({ id, name, last_error, updated_at }) => ({
      key: `connection ${id}`,
      what: `${name}: ${last_error}`,
      since: updated_at,
      verb: 'Look at it',
      href: link(`/sending/${id}`),
    })),
    ...imports
      .filter(({ status }) => status === 'failed')
      .map(({ id, filename, updated_at }) => ({
        key: `import ${id}`,
        what: `The import of ${filename || 'a file'} failed.`,
        since: updated_at,
        verb: 'Look at it',
        href: link(`/imports/${id}`),
      })),
  ]
  if (needs.length === 0) return null
  return (
    <Card title="Needs you">
      <ul class="needs">
        {needs.map(({ key, what, since, verb, href }) => (
          <li key={key}>
            <span>{what}</span>
            {since !== null && <span class="quiet">{relative(since, Date.now())}</span>}
            <Button small href={href}>
              {verb}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
