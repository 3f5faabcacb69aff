import { useCallback } from 'preact/hooks'
import type { ResponseOf } from '../../api/calls.ts'
import { count, number } from '../../ui/format.ts'
import { LetterFrame } from '../campaigns/letter-frame.tsx'

type Link = ResponseOf<'campaigns/stats'>['links'][number]

/** The rendered letter, with the number of people who clicked each link. */
export function Letter({ id, links }: { id: number; links: readonly Link[] }) {
  const mark = useCallback((frame: HTMLIFrameElement) => markLinks(frame, links), [links])
  return (
    <>
      <p class="quiet">The number at a link says how many people clicked it.</p>
      <LetterFrame id={id} onDrawn={mark} />
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
