import { useEffect, useRef, useState } from 'preact/hooks'
import { data } from '../../api/data.ts'
import { useLater } from '../../ui/use-later.ts'

const QUIET_MS = 300

/** HTML of the site in a frame where nothing runs: no scripts, no forms, no links. Style sheets of the site apply. */
export function SiteFrame({ html, label }: { html: string; label: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const shown = useLater(html, QUIET_MS)
  useEffect(() => {
    if (isLoaded) show(frame.current!, shown)
  }, [shown, isLoaded])
  return (
    <iframe
      ref={frame}
      class="code-preview"
      title={label}
      src="/portal/preview-frame"
      sandbox="allow-same-origin"
      onLoad={() => {
        setLoaded(true)
        // The browser does not scroll to a frame that takes the focus.
        const bringIntoView = () => frame.current?.scrollIntoView({ block: 'nearest' })
        frame.current!.contentWindow?.addEventListener('focus', bringIntoView)
      }}
    />
  )
}

/** The frame's own parser reads the HTML, because the policy of this page allows no other way. */
function show(frame: HTMLIFrameElement, html: string): void {
  const inside = frame.contentDocument
  const view = frame.contentWindow as (Window & { DOMParser: typeof DOMParser }) | null
  if (!inside || !view) return
  const parsed = new view.DOMParser().parseFromString(html, 'text/html')
  for (const element of parsed.querySelectorAll('script, base, meta[http-equiv], iframe, object, embed'))
    element.remove()
  const site = `${data.base_url}/sites/${data.project!.slug}`
  for (const element of parsed.querySelectorAll('link[href], img[src], source[src]')) {
    const name = element.hasAttribute('href') ? 'href' : 'src'
    const address = element.getAttribute(name)!
    // As on the project's own domain, a path from the root belongs to the site.
    if (/^\/(?!\/|files\/)/.test(address)) element.setAttribute(name, site + address)
    else if (element.localName === 'link' && /^(https?:)?\/\//.test(address)) element.remove()
  }
  for (const anchor of parsed.querySelectorAll('a[href]')) {
    anchor.setAttribute('title', anchor.getAttribute('href')!)
    anchor.removeAttribute('href')
  }
  inside.replaceChild(inside.adoptNode(parsed.documentElement), inside.documentElement)
}
