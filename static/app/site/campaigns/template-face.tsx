import { useEffect, useRef, useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import { showLetter } from '../../letter/preview-frame.ts'

/** The width of the rendered letter before it is scaled down. */
const WIDTH = 620

/**
 * The top of a template as the service renders it, scaled down, in a frame where nothing runs. It loads when it is
 * scrolled into view, and cannot be operated.
 */
export function TemplateFace({ id }: { id: number }) {
  const place = useRef<HTMLSpanElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isSeen, setSeen] = useState(false)
  const [isReady, setReady] = useState(false)
  const { data } = useRead('render', { template_id: id }, { enabled: isSeen })
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    watch.observe(place.current!)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    if (!data || !isReady) return
    // The observer may report once more after the page was left, when the references are empty.
    const [holder, letter] = [place.current!, frame.current!]
    showLetter(letter, { html: data.html, dark: false })
    const fit = new ResizeObserver(() => {
      const scale = holder.clientWidth / WIDTH
      if (scale === 0) return
      letter.style.blockSize = `${holder.clientHeight / scale}px`
      letter.style.transform = `scale(${scale})`
    })
    fit.observe(holder)
    return () => fit.disconnect()
  }, [data, isReady])
  return (
    <span class="template-face" ref={place} aria-hidden="true" inert>
      {data && (
        <iframe
          ref={frame}
          tabIndex={-1}
          title=""
          src="/portal/preview-frame"
          sandbox="allow-same-origin"
          onLoad={() => setReady(true)}
        />
      )}
    </span>
  )
}
