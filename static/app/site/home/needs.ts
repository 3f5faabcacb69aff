import { letterName, lineWords } from '../../api/letter-name.ts'
import type { ResponseOf, RouteResponse } from '../../api/calls.ts'
import { count } from '../../ui/format.ts'
import { missingChecks } from '../../../../src/shared/connection-trouble.ts'

/** One thing that needs a person's decision. */
interface Need {
  key: string
  what: string
  since: string | null
  verb: string
  /** A path below the project, or the address of another place. */
  path: string
}

export type Campaigns = ResponseOf<'campaigns/list'>['items']
type Connections = ResponseOf<'connections/list'>['items']
type Overview = ResponseOf<'overview'>
type Imports = ResponseOf<'imports/list'>['items']
type Apps = RouteResponse<'POST /project/apps/overview'>['apps']
type Invitations = RouteResponse<'GET /user/invitations'>['invitations']

/** A finished import is mentioned for this long. */
const RECENT_MS = 7 * 24 * 3_600_000

export function ofCampaigns(campaigns: Campaigns): Need[] {
  return campaigns.flatMap(({ id, name: given, subject, status, failure, updated_at }): Need[] => {
    const name = letterName({ name: given, subject })
    const why = failure ? `: ${failure.reason}` : '.'
    const path = `/campaigns/${id}`
    return [
      ...(status === 'paused'
        ? [{ key: `paused ${id}`, what: `“${name}” is paused${why}`, since: updated_at, verb: 'Show it', path }]
        : []),
      ...(status === 'draft' && failure
        ? [
            {
              key: `draft ${id}`,
              what: `“${name}” waits for you: ${failure.reason}`,
              since: updated_at,
              verb: 'Review it',
              path: `${path}/review`,
            },
          ]
        : []),
      ...(status === 'failed'
        ? [
            {
              key: `failed ${id}`,
              what: `“${name}” could not begin${why}`,
              since: updated_at,
              verb: 'Review it',
              path: `${path}/review`,
            },
          ]
        : []),
    ]
  })
}

/** Campaigns with messages that may or may not have arrived. */
export function ofDoubt(campaigns: Overview['campaigns_in_doubt']): Need[] {
  return campaigns.map(({ id, name, uncertain, finished_at }) => ({
    key: `uncertain ${id}`,
    what: `${count(uncertain, 'person', 'people')} may or may not have “${lineWords(name)}”.`,
    since: finished_at,
    verb: 'See them',
    path: `/campaigns/${id}?tab=people&status=uncertain`,
  }))
}

/** Connections that failed, and those in use whose DNS records are not as they should be. */
export function ofConnections(connections: Connections): Need[] {
  return connections.flatMap((connection): Need[] => {
    const { id, name, last_error, dns, updated_at } = connection
    const path = `/sending/${id}`
    const missing = missingChecks(connection)
    const records = missing.map((check) => check.name.toUpperCase()).join(', ')
    return [
      ...(last_error === null
        ? []
        : [
            {
              key: `connection ${id}`,
              what: `${name}: ${last_error}`,
              since: updated_at,
              verb: 'Look at it',
              path,
            },
          ]),
      ...(missing.length === 0
        ? []
        : [
            {
              key: `dns ${id}`,
              what: `${dns!.domain} lacks ${records} in its DNS: mail through ${name} may be refused.`,
              since: dns!.checked_at,
              verb: 'Show the records',
              path: `${path}#dns`,
            },
          ]),
    ]
  })
}

export function ofImports(imports: Imports, now: number): Need[] {
  return imports.flatMap(({ id, filename, status, counters, updated_at }): Need[] => {
    const isOver = status === 'failed' || (status === 'completed' && counters.failed > 0)
    if (!isOver || now - Date.parse(updated_at) > RECENT_MS) return []
    const file = filename || 'a file'
    const what =
      status === 'failed'
        ? `The import of ${file} failed.`
        : `${count(counters.failed, 'row', 'rows')} of ${file} could not be imported.`
    return [{ key: `import ${id}`, what, since: updated_at, verb: 'Look at it', path: `/imports/${id}` }]
  })
}

export function ofApps(apps: Apps): Need[] {
  return apps
    .filter(({ asks_for }) => asks_for.length > 0)
    .map(({ id, displayName, asks_for }) => ({
      key: `app ${id}`,
      what: `${displayName} asks for more: ${asks_for.join(' · ')}.`,
      since: null,
      verb: 'Look at it',
      path: '/apps',
    }))
}

export function ofInvitations(invitations: Invitations): Need[] {
  return invitations.map(({ id, name, place, inviter }) => ({
    key: `invitation ${id}`,
    what: `${inviter} invites you to be ${place} ${name}.`,
    since: null,
    verb: 'Answer',
    path: '/portal/',
  }))
}
