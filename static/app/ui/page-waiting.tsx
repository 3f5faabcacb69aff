import type { ApiError } from '../api/errors.ts'
import { Skeleton } from './callout.tsx'
import { ErrorNote } from './error-note.tsx'
import { PageHead } from './page.tsx'

interface Props {
  title: string
  /** Why the first answer failed, or null while it loads. */
  error: ApiError | null
  /** The error message for that case. */
  failure: string
  retry: () => void
}

/** A page before its first answer. */
export function PageWaiting({ title, error, failure, retry }: Props) {
  return (
    <>
      <PageHead title={title} />
      {error ? <ErrorNote title={failure} error={error} retry={retry} /> : <Skeleton lines={8} />}
    </>
  )
}
