import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { type App, APPS } from '../app-review/app-data.ts'
import { send } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import { link } from '../api/link.ts'
import { useSubject } from '../page-subject.ts'
import { Callout } from '../ui/callout.tsx'
import { day } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { PageWaiting } from '../ui/page-waiting.tsx'
import { StateMark } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'

function useApp(id: string) {
  return useQuery(`${APPS}/${id} app`, (signal) => send('GET /user/developer/apps/:id', {}, { params: { id }, signal }))
}

const TABS = [
  { id: '', label: 'Overview' },
  { id: 'permissions', label: 'Permissions' },
  { id: 'credentials', label: 'Credentials' },
  { id: 'scripts', label: 'Scripts' },
  { id: 'listing', label: 'Listing' },
  { id: 'versions', label: 'Versions' },
  { id: 'requests', label: 'Requests' },
  { id: 'team', label: 'Team' },
] as const

interface Props {
  id: string
  tab: (typeof TABS)[number]['id']
  primary?: ComponentChildren
  children: (app: App) => ComponentChildren
}

/** The head of an app's pages, with links to the others. */
export function AppFrame({ id, tab, primary, children }: Props) {
  const { route } = useLocation()
  const hrefOf = (of: Props['tab']) => link(`/apps/${id}${of === '' ? '' : `/${of}`}`)
  const { data, error, reload } = useApp(id)
  useSubject(data?.app.displayName)
  if (error || !data)
    return <PageWaiting title="App" error={error} failure="The app could not be loaded." retry={reload} />
  const { app } = data
  return (
    <>
      <PageHead
        title={app.displayName}
        lead={<StateMark state={app.suspended_on === null ? app.status : 'suspended'} />}
        back={{ href: link('/'), label: 'Apps' }}
        primary={primary}
      />
      {app.suspended_on !== null && (
        <Callout tone="bad" title={`Suspended since ${day(app.suspended_on)}.`}>
          <p>{app.suspension_comment}</p>
          <p>Its access and its scripts rest until an operator lifts the suspension.</p>
        </Callout>
      )}
      <Tabs
        label={`Parts of ${app.displayName}`}
        tabs={TABS}
        value={tab}
        href={hrefOf}
        onChange={(chosen) => route(hrefOf(chosen))}
      >
        <div class="stack">{children(app)}</div>
      </Tabs>
    </>
  )
}
