import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import type { PageProps } from '../page-props.ts'
import { confirmed } from '../shell/confirm-identity.tsx'
import { link } from '../shell/place.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Skeleton } from '../ui/callout.tsx'
import { Card, Facts } from '../ui/card.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { TextArea } from '../ui/field.tsx'
import { bytes, dateTime } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { StateMark } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { hostsIn } from '../developer/hosts.ts'
import { useComparison } from '../developer/app-data.ts'
import { VersionDiff } from '../developer/version-diff.tsx'
import { ScriptFrame } from '../developer/script-frame.tsx'

type Version = RouteResponse<'GET /user/developer/apps/:id/versions/:versionId'>['version']
type Request = RouteResponse<'GET /user/review-requests/:id'>['review_request']

const TABS = [
  { id: 'changed', label: 'What changed' },
  { id: 'does', label: 'What it does' },
  { id: 'who', label: 'What it says' },
] as const

/** One version that waits for a decision, beside the version that sites get now. */
export default function Review({ params }: PageProps) {
  const id = Number(params.id)
  const { data, error, reload } = useQuery(`/user/review-requests/${id}`, (signal) =>
    send('GET /user/review-requests/:id', {}, { params: { id }, signal }),
  )
  if (error) return <ErrorNote title="The review could not be loaded." error={error} retry={reload} />
  return data ? <Opened request={data.review_request} /> : <Skeleton lines={8} />
}

function Opened({ request }: { request: Request }) {
  const { app_id, version_id, status, comment, created_on, decided_on } = request
  const [tab, setTab] = useState<(typeof TABS)[number]['id']>('changed')
  const { data, error, reload } = useComparison(app_id, version_id)
  if (error) return <ErrorNote title="The version could not be loaded." error={error} retry={reload} />
  if (!data) return <Skeleton lines={8} />
  const { now, before } = data
  return (
    <>
      <PageHead
        title={`${now.displayName}, version ${now.number}`}
        lead={
          <>
            <StateMark state={status} /> Submitted {dateTime(created_on)}
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
          {tab === 'changed' && <VersionDiff now={now} before={before} />}
          {tab === 'does' && <Does now={now} />}
          {tab === 'who' && <Says now={now} />}
        </div>
      </Tabs>
      {status === 'pending' && <Decision request={request} />}
    </>
  )
}

function Does({ now }: { now: Version }) {
  if (now.scripts.length === 0) return <p>It has no script.</p>
  return (
    <>
      {now.scripts.map((script) => {
        const hosts = hostsIn(script.code)
        return (
          <Card key={script.id} title={script.name}>
            <Facts
              facts={[
                { label: 'Type', value: script.type },
                { label: 'Placement', value: script.placement },
                { label: 'Size', value: bytes(script.code.length) },
                { label: 'Hosts in the code', value: hosts.length === 0 ? 'none' : hosts.join(', ') },
              ]}
            />
            <ScriptFrame label={`${script.name}, on an empty page`} code={script.code} />
          </Card>
        )
      })}
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

type Verdict = 'approve' | 'request-changes' | 'reject'

function Decision({ request: { id } }: { request: Request }) {
  const { route } = useLocation()
  const [comment, setComment] = useState('')
  const decide = useAction(
    (verdict: Verdict) =>
      confirmed(() => send(`POST /user/review-requests/:id/${verdict}`, { comment }, { params: { id } })),
    { invalidates: ['/user/review-requests', '/user/operator/apps'], done: () => route(link('/reviews')) },
  )
  const reason = comment.trim() === '' ? 'Say why.' : null
  return (
    <Card title="Decision">
      <form class="stack" onSubmit={(event) => event.preventDefault()}>
        <FlawSummary title="Nothing was decided." error={decide.error} />
        <TextArea label="Comment" hint="The team gets it by mail." rows={3} value={comment} onInput={setComment} />
        <div class="row">
          <Button kind="primary" busy={decide.busy} onClick={() => void decide.run('approve')}>
            Approve
          </Button>
          <Button disabled_reason={reason} busy={decide.busy} onClick={() => void decide.run('request-changes')}>
            Ask for changes
          </Button>
          <Button kind="danger" disabled={reason !== null} busy={decide.busy} onClick={() => void decide.run('reject')}>
            Reject
          </Button>
        </div>
      </form>
    </Card>
  )
}
