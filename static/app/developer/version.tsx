import type { PageProps } from '../page-props.ts'
import { link } from '../api/link.ts'
import { useSubject } from '../page-subject.ts'
import { Callout } from '../ui/callout.tsx'
import { dateTime } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { PageWaiting } from '../ui/page-waiting.tsx'
import { StateMark, StatusBadge } from '../ui/state.tsx'
import { useComparison } from '../app-review/app-data.ts'
import { VersionDiff } from '../app-review/version-diff.tsx'

/** One version of an app and its changes. */
export default function VersionPage({ params }: PageProps) {
  const id = params.id!
  const { data, error, reload } = useComparison(id, Number(params.versionId))
  useSubject(data?.now.displayName)
  if (error || !data)
    return <PageWaiting title="Version" error={error} failure="The version could not be loaded." retry={reload} />
  const { now, before } = data
  return (
    <>
      <PageHead
        title={`${now.displayName}, version ${now.number}`}
        lead={
          <>
            <StateMark state={now.status} /> {now.live && <StatusBadge tone="good">Sites run it</StatusBadge>} · made{' '}
            {dateTime(now.created_on)}
            {before && <>, beside version {before.number}</>}
          </>
        }
        back={{ href: link(`/apps/${id}/versions`), label: 'Versions' }}
      />
      <div class="stack">
        {now.notes !== '' && (
          <Callout title="Notes for the reviewer">
            <p>{now.notes}</p>
          </Callout>
        )}
        <VersionDiff now={now} before={before} />
      </div>
    </>
  )
}
