import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { Switch } from '../../ui/choice.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { bytes, day } from '../../ui/format.ts'
import { StatusBadge, type Tone } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { type App, APPS, type AppWithScripts, type Script } from './apps-data.ts'

/** One app: what it may, who let it in, and what it puts on the pages. */
export function AppCard({ of: { name, app, scripts }, onRemove }: { of: AppWithScripts; onRemove(): void }) {
  return (
    <Card
      title={name}
      actions={
        app &&
        can('administrator') && (
          <Button small onClick={onRemove}>
            Remove<span class="visually-hidden"> {name}</span>
          </Button>
        )
      }
    >
      <div class="stack">
        {app ? <About app={app} /> : <p class="quiet">Nobody lets this app in any more. Its scripts do not run.</p>}
        {scripts.length > 0 && (
          <ul class="scripts" aria-label={`Scripts of ${name}`}>
            {scripts.map((script) => (
              <ScriptLine key={script.connection_id} script={script} />
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function About({ app: { homepage, maker, permissions, people, last_used_on } }: { app: App }) {
  const url = URL.parse(homepage)
  const isWeb = url !== null && /^https?:$/.test(url.protocol)
  return (
    <div class="halves">
      <div>
        <h3 class="app-part">It may</h3>
        <ul class="permissions">
          {permissions.map((permission) => (
            <li key={permission}>{permission}</li>
          ))}
        </ul>
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

const STATES: Record<Script['state'], { word: string; tone: Tone; means: string }> = {
  on: { word: 'On', tone: 'good', means: 'It runs as soon as a page opens.' },
  after_consent: { word: 'After consent', tone: 'accent', means: 'It waits until the visitor has agreed.' },
  off: { word: 'Off', tone: 'quiet', means: 'No page has it, whatever its app does.' },
  not_running: {
    word: 'Not running',
    tone: 'wait',
    means: 'Its app may not run here at the moment, or what it makes is too large or would swallow the page.',
  },
}

function ScriptLine({ script }: { script: Script }) {
  const isSeen = useSignal(false)
  const { connection_id, name, type, placement, state, enabled, connected_on } = script
  const turn = useAction(
    (on: boolean) => send('POST /project/scripts/switch', { project_id: projectId(), connection_id, enabled: on }),
    {
      invalidates: [APPS],
      done: ({ script: { enabled: on } }) =>
        toast({
          text: on ? `${name} is on again.` : `${name} is off: gone with the next view.`,
          undo: () => void turn.run(!on),
        }),
    },
  )
  const { word, tone, means } = STATES[state]
  return (
    <li class="script">
      <div class="script-words">
        <div class="row">
          <strong>{name}</strong>
          <StatusBadge>{type}</StatusBadge>
        </div>
        <p class="quiet small">
          {placement}, since {day(connected_on)}. {means}
        </p>
        {turn.error && <ErrorNote title="It was not switched." error={turn.error} />}
      </div>
      <div class="row">
        <Button small kind="quiet" icon="code" onClick={() => (isSeen.value = true)}>
          See the code<span class="visually-hidden"> of {name}</span>
        </Button>
        {can('administrator') ? (
          <span class="script-switch">
            <Switch
              label={
                <>
                  <span class="visually-hidden">{name}: </span>
                  {word}
                </>
              }
              checked={enabled}
              busy={turn.busy}
              onChange={(on) => void turn.run(on)}
            />
          </span>
        ) : (
          <StatusBadge tone={tone}>{word}</StatusBadge>
        )}
      </div>
      {isSeen.value && <CodeDrawer script={script} onClose={() => (isSeen.value = false)} />}
    </li>
  )
}

function CodeDrawer({ script: { name, placement, code, parameters }, onClose }: { script: Script; onClose(): void }) {
  const filled = Object.entries(parameters)
  return (
    <Drawer title={`Code of ${name}`} onClose={onClose}>
      <div class="stack">
        <p>
          This is what visitors get, {bytes(new TextEncoder().encode(code).length)}, in the part of the page that is
          called {placement}.
        </p>
        <Code label="As visitors get it" text={code} wrap />
        {filled.length > 0 && (
          <>
            <h3 class="app-part">Filled in for this project</h3>
            <Facts facts={filled.map(([key, value]) => ({ label: <code>{key}</code>, value: String(value) }))} />
          </>
        )}
      </div>
    </Drawer>
  )
}
