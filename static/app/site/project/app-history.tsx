import { callKey } from '../../../../src/shared/app-document.ts'
import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import { Skeleton } from '../../ui/callout.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { Pager } from '../../ui/table-parts.tsx'
import { keyPages } from '../../ui/key-pages.ts'
import type { AppWithScripts } from './apps-data.ts'
import { useNames, whoOf } from './audit-names.ts'
import { actionWords } from './audit-labels.ts'

type Row = RouteResponse<'POST /project/audit/list'>['items'][number]

interface AppHistoryProps {
  of: AppWithScripts
  /** The cursor of the older rows; null for the newest. */
  after: string | undefined
  show(after: string | null): void
  onClose(): void
}

/** The authorizations of an app and the changes of its scripts, newest first. */
export function AppHistory({ of: { id, name, scripts }, after, show, onClose }: AppHistoryProps) {
  const scriptNames = new Map(
    scripts.flatMap((script): [string, string][] => [
      [`script:${script.script_id}`, script.name],
      [`script_connection:${script.connection_id}`, script.name],
    ]),
  )
  // The limit of a list of targets.
  const targets = [`app:${id}`, ...scriptNames.keys()].slice(0, 200)
  const body = { project_id: projectId(), targets, limit: 25, ...(after ? { cursor: after } : {}) }
  const { data, error, reload } = useQuery(callKey('/project/audit/list', body), () =>
    send('POST /project/audit/list', body),
  )
  const names = useNames()
  return (
    <Drawer title={`History of ${name}`} onClose={onClose}>
      <div class="stack">
        {error && <ErrorNote title="The history could not be loaded." error={error} retry={reload} />}
        {!data && !error && <Skeleton lines={5} />}
        {data?.items.length === 0 && <p class="quiet">Nothing is written down of it here.</p>}
        {data && data.items.length > 0 && (
          <Timeline
            label={`History of ${name}`}
            items={data.items.map((row) => ({
              id: String(row.id),
              at: row.at,
              ...lookOf(row),
              title: titleOf(row, scriptNames.get(row.target ?? '')),
              children: <p class="quiet small">{whoOf(row.actor, names, data.names)}</p>,
            }))}
          />
        )}
        <Pager {...keyPages({ cursor: after, next: data?.next_cursor, go: (cursor) => show(cursor ?? null) })} />
      </div>
    </Drawer>
  )
}

function titleOf({ action, details }: Row, script: string | undefined): string {
  const words = actionWords(action)
  if (script === undefined) return words
  const state = typeof details.enabled === 'boolean' ? ` is ${details.enabled ? 'on' : 'off'}` : ''
  return `${words}: ${script}${state}`
}

function lookOf({ action, details }: Row): { icon: IconName; tone?: 'good' | 'bad' } {
  if (action === 'consent-grant') return { icon: 'check', tone: 'good' }
  if (action.endsWith('/disconnect') || details.enabled === false) return { icon: 'x', tone: 'bad' }
  return { icon: 'code' }
}
