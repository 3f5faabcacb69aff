import { data } from '../api/data.ts'
import { ApiError } from '../api/errors.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { relative } from '../ui/format.ts'
import type { Draft, Stored } from './draft.ts'

interface CrossingProps<T> {
  draft: Draft<T>
  error: ApiError | null
  /** The stored state, when it differs from the one that the draft was made from. */
  theirs: Stored<T> | null
  onChosen: () => void
}

/** Why a draft was not saved. After a conflict the user chooses a version; nothing is lost before. */
export function Crossing<T>({ draft, error, theirs, onChosen }: CrossingProps<T>) {
  if (!error || !theirs) return <FlawSummary title="It was not saved." error={error} />
  const choose = (keep: boolean) => {
    draft.restart(theirs, keep)
    onChosen()
  }
  return (
    <Callout
      tone="wait"
      alert
      title={whoSaved(error)}
      actions={
        <>
          <Button onClick={() => choose(false)}>Show theirs</Button>
          <Button onClick={() => choose(true)}>Keep mine</Button>
        </>
      }
    >
      <p>{error.message} “Show theirs” drops what you wrote. “Keep mine” replaces theirs when you save again.</p>
    </Callout>
  )
}

function whoSaved({ crossed_by }: ApiError): string {
  if (!crossed_by) return 'Somebody else saved meanwhile.'
  const who = crossed_by.id === data.user.id ? 'You, in another window,' : (crossed_by.name ?? 'Somebody else')
  return `${who} saved this ${relative(crossed_by.at, Date.now())}.`
}

/** Whether a save was refused because the stored state has changed. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'CONFLICT'
}
