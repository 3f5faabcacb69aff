import { type ResponseOf, send } from '../../api/calls.ts'
import { useQuery, useRead } from '../../api/query.ts'
import { useSendingAttention } from '../../attention.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { relative } from '../../ui/format.ts'
import { useApps } from '../project/apps-data.ts'
import { HOME_CONNECTIONS, HOME_IMPORTS } from './home-requests.ts'
import { type Campaigns, ofApps, ofCampaigns, ofConnections, ofDoubt, ofImports, ofInvitations } from './needs.ts'

interface Props {
  /** The newest campaigns. */
  campaigns: Campaigns
  overview: ResponseOf<'overview'> | undefined
}

/** Everything that needs a person's decision, one line each. Absent when there is nothing. */
export function NeedsYou({ campaigns, overview }: Props) {
  const connections = useRead('connections/list', HOME_CONNECTIONS)
  const imports = useRead('imports/list', HOME_IMPORTS)
  const apps = useApps()
  const invitations = useQuery('/user/invitations', (signal) => send('GET /user/invitations', {}, { signal }))
  const older = [useOlder('paused', campaigns, overview), useOlder('failed', campaigns, overview)].flat()
  useSendingAttention(connections.data?.items)
  const needs = [
    ...ofDoubt(overview?.campaigns_in_doubt ?? []),
    ...ofCampaigns([...new Map([...campaigns, ...older].map((campaign) => [campaign.id, campaign])).values()]),
    ...ofConnections(connections.data?.items ?? []),
    ...ofImports(imports.data?.items ?? [], Date.now()),
    ...ofApps(apps.data?.apps ?? []),
    ...ofInvitations(invitations.data?.invitations ?? []),
  ]
  const failed = [connections, imports, apps, invitations].filter(({ error }) => error !== null)
  if (needs.length + failed.length === 0) return null
  return (
    <Card title="Needs you">
      {failed.map(({ error, reload }, index) => (
        <ErrorNote
          key={index}
          title="Whether anything else needs you could not be loaded."
          error={error!}
          retry={reload}
        />
      ))}
      <ul class="needs">
        {needs.map(({ key, what, since, verb, path }) => (
          <li key={key}>
            <span>{what}</span>
            {since !== null && <span class="quiet">{relative(since, Date.now())}</span>}
            <Button small href={path.startsWith('/portal/') ? path : link(path)}>
              {verb}
              <span class="visually-hidden">: {what}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The campaigns of a state, when the newest ones are not all of them. */
function useOlder(status: 'paused' | 'failed', campaigns: Campaigns, overview: Props['overview']): Campaigns {
  const all = overview?.campaigns.by_status[status] ?? 0
  const enabled = all > campaigns.filter((campaign) => campaign.status === status).length
  return useRead('campaigns/list', { status, order: 'newest', limit: 20 }, { enabled }).data?.items ?? []
}
