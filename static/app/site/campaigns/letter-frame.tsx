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

/** A campaign's letter as the service renders it, at its full height. The Tab key passes it. */
export function LetterFrame({ id, onDrawn }: Props) {
  const { data, error, reload } = useRead('render', { campaign_id: id })
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (!data || !isReady) return
    const element = frame.current!
    showLetter(element, { html: data.html, dark: false })
    onDrawn?.(element)
    const { documentElement } = element.contentDocument!
    // The letter is longer in a narrower frame. The borders of the frame are part of its height.
    const fit = () => {
      element.style.blockSize = `${documentElement.offsetHeight + element.offsetHeight - element.clientHeight}px`
    }
    fit()
    const sized = new ResizeObserver(fit)
    sized.observe(documentElement)
    return () => sized.disconnect()
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
