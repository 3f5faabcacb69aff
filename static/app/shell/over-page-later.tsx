import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isOutdated, isSignedOut } from '../api/conditions.ts'
import { useReturn } from '../api/returns.ts'
import { endQuestion, question } from '../confirm-identity.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { closePanel, openPanel } from './panels.ts'

const IDLE_MS = 1_000

/**
 * What opens over the page. Its code is loaded when the browser has time after the first drawing, so that it is there
 * when the service cannot be reached later, and at once when it is needed earlier.
 */
export function OverPageLater({ load }: { load: () => Promise<ComponentType> }) {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null)
  const isFailed = useSignal(false)
  const isWanted = openPanel.value !== null || question.value !== null || isSignedOut.value
  const attempt = () => {
    isFailed.value = false
    load().then(
      (OverPage) => setLoaded(() => OverPage),
      () => (isFailed.value = true),
    )
  }
  useEffect(() => whenIdle(attempt), [])
  useEffect(() => {
    if (isWanted && Loaded === null) attempt()
  }, [isWanted])
  useReturn(isFailed.value, attempt)
  if (Loaded) return <Loaded />
  return isWanted && isFailed.value ? <NotLoaded again={attempt} /> : null
}

function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const asked = requestIdleCallback(run, { timeout: IDLE_MS })
    return () => cancelIdleCallback(asked)
  }
  const timer = setTimeout(run, IDLE_MS)
  return () => clearTimeout(timer)
}

/**
 * Says that what was asked for cannot be opened. Closing it cancels what waits for the user. It cannot be closed while
 * the session is over, because nothing on the page works then.
 */
function NotLoaded({ again }: { again(): void }) {
  const address = location.pathname + location.search
  return (
    <Dialog
      title={isSignedOut.value ? 'Your session has ended' : 'This could not be opened'}
      stays={isSignedOut.value}
      onClose={() => {
        closePanel()
        endQuestion('given_up')
      }}
      actions={
        <>
          <Button kind="primary" onClick={again}>
            Try again
          </Button>
          {isSignedOut.value && (
            <Button href={`/portal/login?return=${encodeURIComponent(address)}`}>Sign in on another page</Button>
          )}
        </>
      }
    >
      <p>
        {isSignedOut.value ? 'The form to sign in again' : 'The code of this part'} could not be loaded.
        {isOutdated.value && ' Masthead was updated: load the page again.'}
      </p>
    </Dialog>
  )
}
