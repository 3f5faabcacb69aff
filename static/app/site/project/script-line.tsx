import { useSignal } from '@preact/signals'
import { ColoredCode } from '../../code/colored-code.tsx'
import { useAction } from '../../api/action.ts'
import { sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/card.tsx'
import { Switch } from '../../ui/choice.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { bytes, count, day } from '../../ui/format.ts'
import { StatusBadge, type Tone } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { APPS, type Script } from './apps-data.ts'
import { PageDrawer } from './script-on-page.tsx'

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

/** A script of an app: its placement, its code, a page with and without it, and its switch. */
export function ScriptLine({ script, pages }: { script: Script; pages: number }) {
  const open = useSignal<'code' | 'page' | null>(null)
  const close = () => (open.value = null)
  const { connection_id, name, type, placement, state, enabled, connected_on } = script
  const turn = useAction(
    (on: boolean) => sendOnce('POST /project/scripts/switch', { project_id: projectId(), connection_id, enabled: on }),
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
  const runs = state === 'on' || state === 'after_consent'
  return (
    <li class="script">
      <div class="script-words">
        <div class="row">
          <strong>{name}</strong>
          <StatusBadge>{type}</StatusBadge>
        </div>
        <p class="quiet small">
          {placement}, {runs ? `on ${count(pages, 'page', 'pages')} since` : 'connected on'} {day(connected_on)}.{' '}
          {means}
        </p>
        {turn.error && <ErrorNote title="It was not switched." error={turn.error} />}
      </div>
      <div class="row">
        {state !== 'not_running' && (
          <Button small kind="quiet" icon="eye" onClick={() => (open.value = 'page')}>
            See on a page<span class="visually-hidden"> with {name}</span>
          </Button>
        )}
        <Button small kind="quiet" icon="code" onClick={() => (open.value = 'code')}>
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
      {open.value === 'code' && <CodeDrawer script={script} onClose={close} />}
      {open.value === 'page' && <PageDrawer script={script} published={pages} onClose={close} />}
    </li>
  )
}

function CodeDrawer({ script, onClose }: { script: Script; onClose(): void }) {
  const { name, placement, code, filled: places, parameters } = script
  const filled = Object.entries(parameters)
  return (
    <Drawer title={`Code of ${name}`} onClose={onClose}>
      <div class="stack">
        <p>
          This is what visitors get, {bytes(new TextEncoder().encode(code).length)}, in the part of the page that is
          called {placement}.
        </p>
        <ColoredCode label="As visitors get it" text={code} marked={places} />
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
