import { useEffect, useRef, useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import { showLetter } from '../../letter/preview-frame.ts'
import { Skeleton } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'

interface Props {
  /** The campaign. */
  id: number
  /** Changes the document of the frame after the letter was drawn. Called again when the function changes. */
  onDrawn?(frame: HTMLIFrameElement): void
}

/**
 * A campaign's letter as the service renders it, at its full height. The Tab key passes it.
 */
export function LetterFrame({ id, onDrawn }: Props) {
  const { data, error, reload } = useRead('render', { campaign_id: id })
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (!data || !isReady) return
    showLetter(frame.current!, { html: data.html, dark: false })
    onDrawn?.(frame.current!)
    const { contentDocument, offsetHeight, clientHeight, style } = frame.current!
    // The borders are part of the height. Without them the letter would scroll in its frame.
    style.blockSize = `${contentDocument!.documentElement.scrollHeight + offsetHeight - clientHeight}px`
  }, [data, isReady, onDrawn])
  return (
    <>
      {error && <ErrorNote title="The letter could not be drawn." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={8} />}
      <iframe
        ref={frame}
        class="report-letter"
        title="The letter"
        tabIndex={-1}
        src="/portal/preview-frame"
        sandbox="allow-same-origin"
        onLoad={() => setReady(true)}
      />
    </>
  )
}
