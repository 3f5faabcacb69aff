import { useLayoutEffect } from 'preact/hooks'
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

/** A page before its first answer. Its heading passes the focus on to the heading of the page that replaces it. */
export function PageWaiting({ title, error, failure, retry }: Props) {
  useLayoutEffect(
    () => () => {
      if (document.activeElement?.matches('[data-page-title]')) queueMicrotask(focusHeading)
    },
    [],
  )
  return (
    <>
      <PageHead title={title} />
      {error ? <ErrorNote title={failure} error={error} retry={retry} /> : <Skeleton lines={8} />}
    </>
  )
}

function focusHeading(): void {
  document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
}
