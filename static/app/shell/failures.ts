import { ApiError } from '../api/errors.ts'
import { toast } from '../ui/toast.tsx'

const ADVICE = 'What you wrote is still here. Load the page again if it does not go on.'
const AGAIN_AFTER_MS = 10_000
let told_at = Number.NEGATIVE_INFINITY

/** Shows errors that nothing on the page handles: a press that does nothing must not look as if it had worked. */
export function tellFailures(target: EventTarget = window): void {
  target.addEventListener('error', (event) => tell((event as ErrorEvent).error))
  target.addEventListener('unhandledrejection', (event) => tell((event as PromiseRejectionEvent).reason))
}

/** Resources that fail to load, and observers that give up a turn, come without an error. */
function tell(error: unknown): void {
  if (!(error instanceof Error) || error.name === 'AbortError') return
  const now = performance.now()
  if (now - told_at < AGAIN_AFTER_MS) return
  told_at = now
  const text =
    error instanceof ApiError ? error.message : `Something on this page went wrong (${error.message}). ${ADVICE}`
  toast({ text, tone: 'bad' })
}
