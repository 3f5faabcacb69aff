import type { RouteResponse } from '../api/calls.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { Skeleton } from '../ui/callout.tsx'
import { Card, Tile, Tiles } from '../ui/card.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { dateTime, day, number } from '../ui/format.ts'
import { Table } from '../ui/table.tsx'
import { type App, useInstalls } from '../app-review/app-data.ts'
import { AppFrame } from './app-frame.tsx'
import { DeleteApp } from './delete-app.tsx'
import { FirstCall } from './first-call.tsx'

/** The overview of an app: steps to the first call, then where it is installed. */
export default function AppPage({ params }: PageProps) {
  const id = params.id!
  return (
    <AppFrame id={id} tab="">
      {(app) => (
        <>
          <Overview app={app} />
          <DeleteApp app={app} />
        </>
      )}
    </AppFrame>
  )
}

/** Steps to the first authorized call until one was made; afterwards the installations, with the steps below. */
function Overview({ app }: { app: App }) {
  const { data, error, reload } = useInstalls(app.id)
  if (error) return <ErrorNote title="Installs could not be loaded." error={error} retry={reload} />
  if (!data) return <Skeleton lines={6} />
  if (data.installs.every(({ last_used_on }) => last_used_on === null)) return <FirstCall app={app} />
  return (
    <>
      <Installs id={app.id} of={data} />
      <details>
        <summary>How a call is authorized</summary>
        <FirstCall app={app} />
      </details>
    </>
  )
}

const EVENTS = {
  connected: 'Connected',
  scopes_changed: 'Permissions changed',
  disconnected: 'Disconnected',
  suspended: 'Suspended',
  resumed: 'Suspension lifted',
}

function Installs({ id, of }: { id: string; of: RouteResponse<'GET /user/developer/apps/:id/installs'> }) {
  const { totals, installs, latest_events } = of
  const names = new Map<string | null, string>(installs.map(({ project_id, name }) => [project_id, name]))
  return (
    <>
      <Tiles>
        <Tile label="Projects" value={number(totals.projects)} />
        <Tile label="People" value={number(totals.users)} />
        <Tile label="Scripts on sites" value={number(totals.script_connections)} />
        <Tile
          label="Calls in 7 days"
          value={number(totals.calls_in_7_days)}
          note={`${number(totals.errors_in_7_days)} refused or failed`}
          tone={totals.errors_in_7_days > 0 ? 'wait' : undefined}
          href={link(`/apps/${id}/requests`)}
        />
      </Tiles>
      <Card title="Where it is installed" flush>
        <Table
          caption="Installs"
          rows={installs}
          row_key={({ project_id }) => project_id}
          columns={[
            {
              id: 'name',
              head: 'Project',
              card: 'title',
              cell: ({ name, domain }) => (domain ? `${name}, ${domain}` : name),
            },
            {
              id: 'scope',
              head: 'Permissions',
              card: 'line',
              cell: ({ scope }) => <span class="address">{scope}</span>,
            },
            {
              id: 'scripts',
              head: 'Scripts',
              align: 'end',
              card: 'line',
              cell: ({ scripts }) => number(scripts.length),
            },
            { id: 'since', head: 'Since', card: 'line', tight: true, cell: ({ connected_on }) => day(connected_on) },
            {
              id: 'used',
              head: 'Last used',
              card: 'line',
              tight: true,
              cell: ({ last_used_on }) => (last_used_on === null ? 'Never' : dateTime(last_used_on)),
            },
          ]}
        />
      </Card>
      {latest_events.length > 0 && (
        <Card title="What happened" flush>
          <Table
            caption="Events of the app"
            rows={latest_events}
            row_key={(event) => String(event.id)}
            columns={[
              { id: 'type', head: 'What', card: 'title', cell: ({ type }) => EVENTS[type] },
              {
                id: 'project',
                head: 'Project',
                card: 'line',
                cell: ({ project_id }) => names.get(project_id) ?? project_id ?? '',
              },
              { id: 'comment', head: 'Comment', card: 'line', cell: ({ comment }) => comment ?? '' },
              { id: 'time', head: 'When', card: 'line', tight: true, cell: ({ time }) => dateTime(time) },
            ]}
          />
        </Card>
      )}
    </>
  )
}
