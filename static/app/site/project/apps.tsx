import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useAction } from '../../api/action.ts'
import { sendOnce } from '../../api/calls.ts'
import { data as documentData, projectId } from '../../api/data.ts'
import { invalidate } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import { later } from '../../later.tsx'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { day, enumeration } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { AppCard } from './app-card.tsx'
import { APPS, type AppWithScripts, byApp, type Overview, useApps } from './apps-data.ts'
import { ConsentCard } from './consent-card.tsx'

const AppHistory = later(async () => (await import('./app-history.tsx')).AppHistory)

/** The apps that may act in the project, and the scripts on its pages. */
export default function Apps() {
  const { data, error, reload } = useApps()
  const removing = useSignal<AppWithScripts | null>(null)
  const apps = data ? byApp(data) : []
  const { query, route } = useLocation()
  const opened = can('administrator') ? apps.find(({ id }) => id === query.history) : undefined
  return (
    <>
      <PageHead
        title="Apps & scripts"
        count={data?.apps.length}
        lead="Each app does what the member who let it in allowed, and never more than their own role allows."
        secondary={
          <>
            {can('administrator') && (
              <Button
                kind="quiet"
                icon="history"
                href={link('/activity', { tab: 'people', what: 'POST /project/scripts/switch' })}
              >
                Who switched what
              </Button>
            )}
            <Button href="/apps">Find an app</Button>
          </>
        }
      />
      {!can('administrator') && (
        <p class="page-note">{whoMay('Removing an app and switching a script', 'administrator')}</p>
      )}
      {error && <ErrorNote title="Apps could not be loaded." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <div class="stack stack-loose">
          {apps.length === 0 && (
            <Empty
              sentence="An app that a member connects may read, write or put scripts on the pages. None has access to this project."
              action={<Button href="/apps">Find an app</Button>}
            />
          )}
          {apps.map((of) => (
            <AppCard key={of.id} of={of} pages={data.pages} onRemove={() => (removing.value = of)} />
          ))}
          {data.tests.length > 0 && <Tests tests={data.tests} />}
          <ConsentCard consent_required={data.consent_required} />
        </div>
      )}
      {opened && (
        <AppHistory
          of={opened}
          after={query.after}
          show={(after) => route(link('/apps', { history: opened.id, after }), true)}
          onClose={() => route(link('/apps'), true)}
        />
      )}
      {removing.value && <Removal of={removing.value} onClose={() => (removing.value = null)} />}
    </>
  )
}

/** Drafts that developer teams test on the project's pages. */
function Tests({ tests }: { tests: Overview['tests'] }) {
  const end = useAction(
    (app_id: string) => sendOnce('POST /project/scripts/end-test', { project_id: projectId(), app_id }),
    { invalidates: [APPS], done: () => toast({ text: 'The test has ended: the drafts are gone with the next view.' }) },
  )
  return (
    <Card title="On trial">
      <div class="stack">
        <p>
          The pages have the drafts of these apps: scripts that nobody has reviewed, put there by a member who works on
          the app.
        </p>
        {end.error && <ErrorNote title="The test was not ended." error={end.error} />}
        <ul class="scripts" aria-label="Apps on trial">
          {tests.map(({ app, added_by, added_on }) => (
            <li key={app.id} class="script">
              <div class="script-words">
                <strong>{app.displayName}</strong>
                <p class="quiet small">
                  By {added_by.email}, since {day(added_on)}.
                </p>
              </div>
              {can('administrator') && (
                <Button small busy={end.busy} onClick={() => void end.run(app.id)}>
                  End the test<span class="visually-hidden"> of {app.displayName}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

function Removal({ of: { id, name, app, scripts }, onClose }: { of: AppWithScripts; onClose(): void }) {
  const people = enumeration(app?.people.map((person) => person.name) ?? [])
  return (
    <ConfirmDialog
      title={`Remove ${name} from ${documentData.project!.name}?`}
      verb={`Remove ${name}`}
      no="Keep it"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await sendOnce('POST /project/apps/disconnect', { project_id: projectId(), app_id: id })
        invalidate(APPS)
        toast({ text: `${name} is removed: it has no access any more, and no script on the pages.` })
      }}
    >
      <ul class="consequences">
        <li>Its access to this project ends at once, for everyone who let it in: {people}.</li>
        {scripts.length > 0 && (
          <li>Its scripts leave the pages with the next view: {enumeration(scripts.map((script) => script.name))}.</li>
        )}
        <li>Its access to other projects stays. Members can connect it with this one again.</li>
      </ul>
    </ConfirmDialog>
  )
}
