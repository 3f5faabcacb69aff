import { useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'

/**
 * Runs code of an app on an empty page that has an origin of its own: it reaches neither this page nor its session.
 * Nothing runs before the person asks for it.
 */
export function ScriptFrame({ code, label }: { code: string; label: string }) {
  const [runs, setRuns] = useState(0)
  if (runs === 0) return <Button onClick={() => setRuns(1)}>Run it in an empty page</Button>
  return (
    <div class="stack stack-tight">
      <iframe
        key={runs}
        class="script-frame"
        title={label}
        sandbox="allow-scripts"
        src={`/portal/script-frame#${encodeURIComponent(code)}`}
      />
      <div class="row">
        <Button small icon="refresh" onClick={() => setRuns(runs + 1)}>
          Run it again
        </Button>
      </div>
    </div>
  )
}
