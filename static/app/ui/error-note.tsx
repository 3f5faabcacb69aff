import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useReturn } from '../api/returns.ts'
import { Button } from './button.tsx'
import { Callout } from './callout.tsx'
import { CopyButton } from './code.tsx'

/** What a page shows of an error. */
export interface ErrorLike {
  message: string
  /** `NO_ANSWER` for a call that got no answer. */
  code?: string
  request_id?: string | null
  flaws?: readonly { name?: string; message?: string }[]
  /** Repeats the call, for a change that got no answer and cannot take effect twice. */
  again?: () => void
  /** Opens the thing that the change was about, when its state did not allow the change. */
  show?: () => void
}

/** Anything that was thrown, as an error that can be shown. */
export function errorOf(cause: unknown): ErrorLike {
  if (typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string') {
    return cause as ErrorLike
  }
  return { message: 'Something went wrong.' }
}

interface ErrorNoteProps {
  /** What failed: "Contacts could not be loaded." */
  title?: ComponentChildren
  error: ErrorLike
  retry?: () => void
}

/** An error, in place of the content that failed to load. It tries again once a service that was away is back. */
export function ErrorNote({ title, error, retry }: ErrorNoteProps) {
  useReturn(error.code === 'NO_ANSWER', retry)
  return (
    <Callout
      tone="bad"
      title={title ?? error.message}
      actions={
        (retry || error.show) && (
          <>
            {retry && <Button onClick={retry}>Try again</Button>}
            {error.show && <Button onClick={error.show}>Show it</Button>}
          </>
        )
      }
      alert
    >
      {title && <p>{error.message}</p>}
      <Details error={error} />
    </Callout>
  )
}

/** An error of a change, above its form. It takes the focus, so that it is read out. */
export function FlawSummary({ title, error }: { title?: ComponentChildren; error: ErrorLike | null | undefined }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) element.current?.focus()
  }, [error])
  if (!error) return null
  return (
    <div ref={element} tabIndex={-1} class="flaw-summary" role="group" aria-label="What went wrong">
      {error.again ? (
        <Callout tone="wait" title="No answer yet." actions={<Button onClick={error.again}>Ask again</Button>}>
          <p>Asking again is safe: it cannot happen twice.</p>
        </Callout>
      ) : (
        <Callout
          tone="bad"
          title={title ?? error.message}
          actions={error.show && <Button onClick={error.show}>Show it</Button>}
        >
          {title && <p>{error.message}</p>}
          <Details error={error} />
        </Callout>
      )}
    </div>
  )
}

function Details({ error }: { error: ErrorLike }) {
  const told = (error.flaws ?? []).filter((flaw) => flaw.message && !error.message.includes(flaw.message))
  const sentences = told.map(({ name, message }) => (name ? `${name}: ${message}` : message))
  return (
    <>
      {sentences.length > 0 && (
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {error.request_id && (
        <p class="request-id">
          Request <code>{error.request_id}</code> <CopyButton text={error.request_id} label="Copy the request id" />
        </p>
      )}
    </>
  )
}
