import { useState } from 'preact/hooks'
import { type RouteResponse, send } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { Callout, Skeleton } from '../ui/callout.tsx'
import { Card, Facts } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { bytes, count, dateTime, day, number } from '../ui/format.ts'
import { useSubject } from '../page-subject.ts'
import { PageHead } from '../ui/page.tsx'
import { PageWaiting } from '../ui/page-waiting.tsx'
import { StateMark } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { hostsIn } from '../app-review/hosts.ts'
import { useComparison, useInstalls, useRendered, useTeam, useTestProjects } from '../app-review/app-data.ts'
import { Checklist } from '../app-review/checklist.tsx'
import { VersionDiff } from '../app-review/version-diff.tsx'
import { ScriptFrame } from '../app-review/script-frame.tsx'
import { Decision, type Request } from './decision.tsx'
import { reviewState } from './review-state.ts'

type Version = RouteResponse<'GET /user/developer/apps/:id/versions/:versionId'>['version']

const TABS = [
  { id: 'changed', label: 'What changed' },
  { id: 'does', label: 'What it does' },
  { id: 'says', label: 'What it says' },
  { id: 'who', label: 'Who' },
] as const

/** A version under review, compared with the version that sites get now. */
export default function Review({ params }: PageProps) {
  const id = Number(params.id)
  const { data, error, reload } = useQuery(`/user/review-requests/${id}`, (signal) =>
    send('GET /user/review-requests/:id', {}, { params: { id }, signal }),
  )
  if (error || !data)
    return <PageWaiting title="Review" error={error} failure="The review could not be loaded." retry={reload} />
  return <Opened request={data.review_request} />
}

function Opened({ request }: { request: Request }) {
  const { app_id, version_id, status, comment, created_on, decided_on } = request
  const [tab, setTab] = useState<(typeof TABS)[number]['id']>('changed')
  const { data, error, reload } = useComparison(app_id, version_id)
  useSubject(data?.now.displayName)
  if (error || !data)
    return <PageWaiting title="Review" error={error} failure="The version could not be loaded." retry={reload} />
  const { now, before } = data
  return (
    <>
      <PageHead
        title={`${now.displayName}, version ${now.number}`}
        lead={
          <>
            <StateMark state={reviewState(status)} /> · submitted {dateTime(created_on)}
            {decided_on !== null && <>, decided {dateTime(decided_on)}</>}
          </>
        }
        back={{ href: link('/reviews'), label: 'Reviews' }}
      />
      {comment !== '' && (
        <Callout title="Comment">
          <p>{comment}</p>
        </Callout>
      )}
      {now.notes !== '' && (
        <Callout title="The team says">
          <p>{now.notes}</p>
        </Callout>
      )}
      <Tabs label="Parts of the review" tabs={TABS} value={tab} onChange={setTab}>
        <div class="stack">
          {tab === 'changed' && (
            <>
              <AuthorChecklist now={now} />
              <VersionDiff now={now} before={before} />
            </>
          )}
          {tab === 'does' && <Does now={now} />}
          {tab === 'says' && <Says now={now} />}
          {tab === 'who' && <Who id={app_id} />}
        </div>
      </Tabs>
      {status === 'pending' && <Decision request={request} name={`${now.displayName}, version ${now.number},`} />}
    </>
  )
}

/** The author's own checklist, for this version. */
function AuthorChecklist({ now }: { now: Version }) {
  const { icon_url, privacy_url } = now.listing
  const installs = useInstalls(now.app_id)
  const tests = useTestProjects(now.app_id)
  const failed = [installs, tests].find(({ error }) => error !== null)
  if (failed)
    return <ErrorNote title="The checklist could not be loaded." error={failed.error!} retry={failed.reload} />
  if (!installs.data || !tests.data) return <Skeleton lines={4} />
  const projects = installs.data.totals.projects + tests.data.test_projects.length
  return <Checklist title="Checklist" of={{ ...now, icon_url, privacy_url, projects }} />
}

function Does({ now }: { now: Version }) {
  if (now.scripts.length === 0) return <p>It has no script.</p>
  return (
    <>
      {now.scripts.map((script) => (
        <Card key={script.id} title={script.name}>
          <div class="stack">
            <Facts
              facts={[
                { label: 'Type', value: script.type },
                { label: 'Placement', value: script.placement },
                { label: 'Size', value: bytes(new Blob([script.code]).size) },
                { label: 'Hosts in the code', value: hostsIn(script.code).join(', ') || 'none' },
              ]}
            />
            <Rendered app_id={now.app_id} script={script} />
          </div>
        </Card>
      ))}
    </>
  )
}

/** A script with its own parameters, as sites get it. */
function Rendered({ app_id, script }: { app_id: string; script: Version['scripts'][number] }) {
  const { code, parameters, parameter_formats } = script
  const { data, error, reload } = useRendered(app_id, JSON.stringify({ code, parameters, parameter_formats }))
  if (error) return <ErrorNote title="The script could not be rendered." error={error} retry={reload} />
  if (!data) return <Skeleton lines={2} />
  return (
    <>
      <Code label={`${script.name}, as sites get it`} text={data.code} wrap />
      <ScriptFrame label={`${script.name}, on a sample page`} code={data.code} placement={script.placement} />
    </>
  )
}

function Says({ now: { listing, homepage, description } }: { now: Version }) {
  return (
    <Card title={listing.tagline || 'No listing yet'}>
      <Facts
        facts={[
          { label: 'Description', value: listing.description || description || 'none' },
          { label: 'Homepage', value: homepage || 'none' },
          { label: 'Privacy', value: listing.privacy_url || 'none' },
          { label: 'Support', value: listing.support_url || 'none' },
          { label: 'Category', value: listing.category || 'none' },
        ]}
      />
    </Card>
  )
}

/** The developers of the app: its team, their other apps, and where the app runs. */
function Who({ id }: { id: string }) {
  const team = useTeam(id)
  const installs = useInstalls(id)
  const creator = team.data?.team.find((member) => member.creator)?.email
  const others = useQuery(
    `/user/operator/apps/list ${creator}`,
    (signal) => send('POST /user/operator/apps/list', { search: creator, limit: 50 }, { signal }),
    { enabled: creator !== undefined },
  )
  const error = team.error ?? installs.error ?? others.error
  if (error) return <ErrorNote title="The team could not be loaded." error={error} retry={team.reload} />
  if (!team.data || !installs.data) return <Skeleton lines={4} />
  const { projects, users, script_connections, calls_in_7_days } = installs.data.totals
  const apps = others.data?.items.filter((app) => app.id !== id) ?? []
  return (
    <Card title="Who answers for it">
      <Facts
        facts={[
          {
            label: 'Team',
            value: team.data.team.map(({ user_id, email, added_on }) => (
              <div key={user_id}>
                {email} <span class="quiet">since {day(added_on)}</span>
              </div>
            )),
          },
          {
            label: 'Other apps of its maker',
            value: apps.length === 0 ? 'none' : apps.map(({ displayName }) => displayName).join(', '),
          },
          {
            label: 'Runs in',
            value: `${count(projects, 'project', 'projects')} of ${count(users, 'person', 'people')}`,
          },
          { label: 'Scripts on sites', value: number(script_connections) },
          { label: 'Calls in 7 days', value: number(calls_in_7_days) },
        ]}
      />
    </Card>
  )
}
