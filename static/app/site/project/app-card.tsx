import { can } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { Permissions } from '../../permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { day, number } from '../../ui/format.ts'
import type { App, AppWithScripts } from './apps-data.ts'
import { ScriptLine } from './script-line.tsx'

interface AppCardProps {
  of: AppWithScripts
  /** How many pages are published. */
  pages: number
  onRemove(): void
}

/** One app: its scopes, who authorized it, and its scripts on the pages. */
export function AppCard({ of: { id, name, app, scripts }, pages, onRemove }: AppCardProps) {
  return (
    <Card
      title={name}
      actions={
        can('administrator') && (
          <>
            <Button small kind="quiet" icon="history" href={link('/apps', { history: id })}>
              History<span class="visually-hidden"> of {name}</span>
            </Button>
            {app && (
              <Button small onClick={onRemove}>
                Remove<span class="visually-hidden"> {name}</span>
              </Button>
            )}
          </>
        )
      }
    >
      <div class="stack">
        {app?.suspension && (
          <Callout tone="bad" title={`The service suspended it on ${day(app.suspension.suspended_on)}.`}>
            <p>{app.suspension.comment}</p>
            <p>It has no access to the project, and its scripts are off the pages, until that is lifted.</p>
          </Callout>
        )}
        {app ? <About app={app} /> : <p class="quiet">Nobody lets this app in any more. Its scripts do not run.</p>}
        {scripts.length > 0 && (
          <ul class="scripts" aria-label={`Scripts of ${name}`}>
            {scripts.map((script) => (
              <ScriptLine key={script.connection_id} script={script} pages={pages} />
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function About({ app }: { app: App }) {
  const { homepage, maker, permissions, asks_for, people, last_used_on, calls_in_7_days } = app
  const url = URL.parse(homepage)
  const isWeb = url !== null && /^https?:$/.test(url.protocol)
  return (
    <div class="halves">
      <div>
        <Permissions title="It may" permissions={permissions} />
        {asks_for.length > 0 && (
          <>
            <Permissions title="It asks for more" permissions={asks_for} />
            <p class="quiet">A member allows it by connecting the app again.</p>
          </>
        )}
      </div>
      <Facts
        facts={[
          {
            label: 'Let in by',
            value: people.map(({ user_id, name, connected_on }) => (
              <div key={user_id}>
                {name} <span class="quiet">on {day(connected_on)}</span>
              </div>
            )),
          },
          { label: 'Last used', value: last_used_on === null ? 'Not yet' : day(last_used_on) },
          { label: 'Calls in 7 days', value: number(calls_in_7_days) },
          ...(maker === null ? [] : [{ label: 'Made by', value: maker }]),
          ...(isWeb
            ? [
                {
                  label: 'Home page',
                  value: (
                    <a href={homepage} rel="noopener noreferrer nofollow" target="_blank">
                      {url.host}
                    </a>
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  )
}
