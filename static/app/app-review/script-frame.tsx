import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { StatusBadge, type Tone } from '../ui/state.tsx'
import type { Script } from './app-data.ts'

interface Said {
  kind: 'log' | 'info' | 'warn' | 'error' | 'blocked' | 'request'
  text: string
}

interface ScriptFrameProps {
  /** The code with its parameters filled in. */
  code: string
  placement: Script['placement']
  label: string
}

const MAX_LINES = 200

/**
 * Runs an app's code on a sample page with its own origin, so that it reaches neither this page nor the session. It
 * starts only when the user presses Run. Console output and network requests are listed below.
 */
export function ScriptFrame({ code, placement, label }: ScriptFrameProps) {
  const [runs, setRuns] = useState(0)
  const [said, setSaid] = useState<readonly Said[]>([])
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const heard = ({ source, data }: MessageEvent<Said>) => {
      if (frame.current === null || source !== frame.current.contentWindow) return
      if (typeof data?.text === 'string') setSaid((before) => [...before, data].slice(-MAX_LINES))
    }
    addEventListener('message', heard)
    return () => removeEventListener('message', heard)
  }, [])
  const run = () => {
    setSaid([])
    setRuns(runs + 1)
  }
  if (runs === 0)
    return (
      <div class="row">
        <Button onClick={run}>Run it in a sample page</Button>
      </div>
    )
  const calls = [
    ...new Set(said.filter(isCall).map(({ kind, text }) => `${kind === 'blocked' ? 'Stopped: ' : ''}${text}`)),
  ]
  const lines = said.filter((one) => !isCall(one))
  return (
    <div class="stack stack-tight">
      <iframe
        key={runs}
        ref={frame}
        class="script-frame"
        title={label}
        sandbox="allow-scripts"
        src={`/portal/script-frame#${encodeURIComponent(samplePage(code, placement))}`}
      />
      <div class="row">
        <Button small icon="refresh" onClick={run}>
          Run it again
        </Button>
      </div>
      <strong class="small">Network calls</strong>
      {calls.length === 0 ? (
        <p class="small quiet">None was seen.</p>
      ) : (
        <ul class="said" aria-label="Network calls">
          {calls.map((address) => (
            <li key={address}>{address}</li>
          ))}
        </ul>
      )}
      {said.some(isAboutStorage) && (
        <Callout tone="wait" title="It asked for cookies or storage.">
          <p>
            The sample page has none, because it must not reach this service. On the domain of a site the script has
            them. Let it go on where they are missing: some browsers refuse them, too.
          </p>
        </Callout>
      )}
      <strong class="small">Console</strong>
      {lines.length === 0 ? (
        <p class="small quiet">It said nothing.</p>
      ) : (
        <ul class="said" aria-label="Console">
          {lines.map(({ kind, text }, index) => (
            <li key={index}>
              {TONES[kind] && <StatusBadge tone={TONES[kind]}>{kind}</StatusBadge>} {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const TONES: Partial<Record<Said['kind'], Tone>> = { warn: 'wait', error: 'bad' }

/** What browsers say when a page without an origin of its own asks for cookies or storage. */
function isAboutStorage({ kind, text }: Said): boolean {
  return kind !== 'request' && /sandboxed|allow-same-origin|operation is insecure/i.test(text)
}

function isCall({ kind }: Said): boolean {
  return kind === 'request' || kind === 'blocked'
}

const SAMPLE =
  '<main style="font: 16px/1.5 Georgia, serif; max-width: 40em"><h1>A page of a site</h1>' +
  '<p>High water came at noon. The ferries leave from the east quay until the evening.</p></main>'

function samplePage(code: string, placement: Script['placement']): string {
  return placement === 'HTML Body end' ? SAMPLE + code : code + SAMPLE
}
