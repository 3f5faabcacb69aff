import { useEffect, useRef, useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import type { ResponseOf } from '../../api/calls.ts'
import { showLetter } from '../../letter/preview-frame.ts'
import { Skeleton } from '../../ui/callout.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { count, number } from '../../ui/format.ts'

type Link = ResponseOf<'campaigns/stats'>['links'][number]

/** The rendered letter, with the number of people who clicked each link. */
export function Letter({ id, links }: { id: number; links: readonly Link[] }) {
  const { data, error, reload } = useRead('render', { campaign_id: id })
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (!data || !isReady) return
    showLetter(frame.current!, { html: data.html, dark: false })
    markLinks(frame.current!, links)
    const inside = frame.current!.contentDocument!
    frame.current!.style.blockSize = `${inside.documentElement.scrollHeight}px`
  }, [data, isReady, links])
  return (
    <>
      <p class="quiet">The number at a link says how many people clicked it.</p>
      {error && <ErrorNote title="The letter could not be drawn." error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={8} />}
      <iframe
        ref={frame}
        class="report-letter"
        title="The letter"
        src="/portal/preview-frame"
        sandbox="allow-same-origin"
        onLoad={() => setReady(true)}
      />
    </>
  )
}

/** Adds the number of people to each link that was clicked. */
function markLinks(frame: HTMLIFrameElement, links: readonly Link[]): void {
  const inside = frame.contentDocument!
  const people = new Map(links.map(({ url, unique_clicks }) => [plain(url), unique_clicks]))
  for (const anchor of inside.querySelectorAll('a[title]')) {
    const clicked = people.get(plain(anchor.getAttribute('title')!))
    if (clicked === undefined) continue
    const mark = inside.createElement('span')
    mark.textContent = number(clicked)
    mark.setAttribute('aria-label', `clicked by ${count(clicked, 'person', 'people')}`)
    mark.style.cssText = MARK
    anchor.after(mark)
  }
}

const MARK =
  'display:inline-block;margin-inline-start:4px;padding:0 6px;border-radius:9px;background:#0b5a6e;color:#fff;' +
  'font:600 12px/18px system-ui,sans-serif'

/** An address without the parameters that count its visits. */
function plain(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  for (const name of [...url.searchParams.keys()]) if (name.startsWith('utm_')) url.searchParams.delete(name)
  return url.href
}
