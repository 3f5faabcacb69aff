import { useSignal } from '@preact/signals'
import { send } from '../../api/calls.ts'
import { data as documentData, projectId } from '../../api/data.ts'
import { invalidate } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import { link } from '../../shell/place.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Skeleton } from '../../ui/callout.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { PageHead } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { AppCard } from './app-card.tsx'
import { APPS, type AppWithScripts, byApp, useApps } from './apps-data.ts'
import { ConsentCard } from './consent-card.tsx'

/** Who may do what in the project, and what runs on its pages. */
export default function Apps() {
  const { data, error, reload } = useApps()
  const removing = useSignal<AppWithScripts | null>(null)
  const apps = data ? byApp(data) : []
  return (
    <>
      <PageHead
        title="Apps & scripts"
        count={data?.apps.length}
        lead="Each app does what the member who let it in allowed, and never more than their own role allows."
        secondary={
          can('administrator') && (
            <Button
              kind="quiet"
              icon="history"
              href={link('/activity', { tab: 'people', what: 'POST /project/scripts/switch' })}
            >
              Who switched what
            </Button>
          )
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
              action={<Button href="/apps">See approved apps</Button>}
            />
          )}
          {apps.map((of) => (
            <AppCard key={of.id} of={of} onRemove={() => (removing.value = of)} />
          ))}
          <ConsentCard consent_required={data.consent_required} />
        </div>
      )}
      {removing.value && <Removal of={removing.value} onClose={() => (removing.value = null)} />}
    </>
  )
}

const AND = new Intl.ListFormat('en', { type: 'conjunction' })

function Removal({ of: { id, name, app, scripts }, onClose }: { of: AppWithScripts; onClose(): void }) {
  const people = AND.format(app?.people.map((person) => person.name) ?? [])
  return (
    <ConfirmDialog
      title={`Remove ${name} from ${documentData.project!.name}?`}
      verb={`Remove ${name}`}
      no="Keep it"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await send('POST /project/apps/disconnect', { project_id: projectId(), app_id: id })
        invalidate(APPS)
        toast({ text: `${name} is removed: it has no access any more, and no script on the pages.` })
      }}
    >
      <ul class="consequences">
        <li>Its access to this project ends at once, for everyone who let it in: {people}.</li>
        {scripts.length > 0 && (
          <li>Its scripts leave the pages with the next view: {AND.format(scripts.map((script) => script.name))}.</li>
        )}
        <li>Its access to other projects stays. Members can connect it with this one again.</li>
      </ul>
    </ConfirmDialog>
  )
}
