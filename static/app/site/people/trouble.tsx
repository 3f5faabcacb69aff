import type { ApiError } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'

/** What went wrong with a change, above its form. A change without an answer can be asked for again. */
export function Trouble({ error, again }: { error: ApiError | null; again: () => void }) {
  if (error?.code !== 'NO_ANSWER') return <FlawSummary error={error} />
  return (
    <Callout tone="wait" title="No answer yet." alert actions={<Button onClick={again}>Ask again</Button>}>
      <p>Asking again is safe: it cannot happen twice.</p>
    </Callout>
  )
}
