import { useSignal } from '@preact/signals'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { invalidate, useQuery } from '../api/query.ts'
import { Permissions } from '../permissions.tsx'
import { Button } from '../ui/button.tsx'
import { Empty, Skeleton } from '../ui/callout.tsx'
import { Card, Facts } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { count, day, enumeration } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'
import { toast } from '../ui/toast.tsx'

type Grant = RouteResponse<'GET /user/connected-apps/overview'>['connected_apps'][number]
const NAME = '/user/connected-apps/overview'

/** The apps that act for the user, and what each of them may do. */
export default function Apps() {
  const { data, error, reload } = useQuery(NAME, (signal) => send('GET /user/connected-apps/overview', {}, { signal }))
  const ending = useSignal<Grant | null>(null)
  const grants = data?.connected_apps
  return (
    <>
      <PageHead
        title="Connected apps"
        count={grants?.length || null}
        lead="These apps act in your name, within what you allowed them and never beyond your own role in a project."
      />
      {error ? (
        <ErrorNote title="Connected apps could not be loaded." error={error} retry={reload} />
      ) : grants === undefined ? (
        <Skeleton lines={4} />
      ) : grants.length === 0 ? (
        <Empty
          sentence="No app acts in your name. Each app asks you first, and you can end what you allowed here."
          action={<Button href="/apps">See the apps there are</Button>}
        />
      ) : (
        <div class="stack stack-loose">
          {grants.map((grant) => (
            <GrantCard key={grant.authorization_id} grant={grant} onEnd={() => (ending.value = grant)} />
          ))}
        </div>
      )}
      {ending.value && <End grant={ending.value} grants={grants ?? []} onClose={() => (ending.value = null)} />}
    </>
  )
}

function GrantCard({ grant, onEnd }: { grant: Grant; onEnd(): void }) {
  const { app, maker, permissions, projects, created_on, last_used_on } = grant
  const url = URL.parse(app.homepage)
  const host = url !== null && /^https?:$/.test(url.protocol) ? url.host : null
  return (
    <Card
      title={app.displayName}
      actions={
        <Button small onClick={onEnd}>
          Disconnect…<span class="visually-hidden"> {app.displayName}</span>
        </Button>
      }
    >
      <div class="halves">
        <div>
          <Permissions title="It may" permissions={permissions} />
        </div>
        <Facts
          facts={[
            {
              label: 'Projects',
              value:
                projects.length === 0
                  ? 'No project any more, so there is nothing it can do.'
                  : projects.map(({ id, slug, name }) => (
                      <div key={id}>
                        <a href={`/portal/projects/${slug}`}>{name}</a>
                      </div>
                    )),
            },
            { label: 'Connected on', value: day(created_on) },
            { label: 'Last used', value: last_used_on === null ? 'Not yet' : day(last_used_on) },
            ...(maker === null || maker === host ? [] : [{ label: 'Made by', value: maker }]),
            ...(host === null
              ? []
              : [
                  {
                    label: 'Home page',
                    value: (
                      <a href={app.homepage} rel="noopener noreferrer nofollow" target="_blank">
                        {host}
                      </a>
                    ),
                  },
                ]),
          ]}
        />
      </div>
    </Card>
  )
}

/** Asks before an app is disconnected, and says what ends with it. */
function End({ grant, grants, onClose }: { grant: Grant; grants: readonly Grant[]; onClose(): void }) {
  const { authorization_id, app, projects, scripts } = grant
  const others = grants.filter((other) => other.app.id === app.id).length - 1
  return (
    <ConfirmDialog
      title={`Disconnect ${app.displayName}?`}
      verb={`Disconnect ${app.displayName}`}
      no="Keep it"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await sendOnce(
          'DELETE /user/connected-apps/:authorizationId',
          {},
          { params: { authorizationId: authorization_id } },
        )
        invalidate(NAME)
        toast({ text: `${app.displayName} can do nothing in your name by that connection any more.`, tone: 'good' })
      }}
    >
      <ul class="consequences">
        <li>
          Its access{projects.length > 0 && ` to ${enumeration(projects.map(({ name }) => name))}`} in your name ends at
          once.
        </li>
        {scripts.map(({ project_id, names, stay }) => (
          <li key={project_id}>
            {stay
              ? `Its scripts stay on the pages of ${nameOf(project_id)} by another connection: ${enumeration(names)}.`
              : `Its scripts leave the pages of ${nameOf(project_id)} at once: ${enumeration(names)}.`}
          </li>
        ))}
        {others > 0 && (
          <li>
            You connected this app {count(others, 'more time', 'more times')}. That stays until you end it as well.
          </li>
        )}
        <li>If you want it back, connect it again from the app.</li>
      </ul>
    </ConfirmDialog>
  )

  function nameOf(id: string): string {
    return projects.find((project) => project.id === id)!.name
  }
}
