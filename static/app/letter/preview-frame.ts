/**
 * The preview of a letter, rendered by the service, in a frame with its own policy where nothing runs
 * (docs/web-application.md). The frame's own parser reads the HTML, because the page's policy allows no other way.
 */
interface Shown {
  html: string
  dark: boolean
}

/** Shows a letter in the frame. The frame is as tall as the letter; the pane around it scrolls. */
export function showLetter(frame: HTMLIFrameElement, { html, dark }: Shown): void {
  const inside = frame.contentDocument
  const view = frame.contentWindow as (Window & { DOMParser: typeof DOMParser }) | null
  if (!inside || !view) return
  const parsed = new view.DOMParser().parseFromString(html, 'text/html')
  for (const anchor of parsed.querySelectorAll('a[href]')) {
    // Links do not open: a click selects the block.
    anchor.setAttribute('title', anchor.getAttribute('href')!)
    anchor.removeAttribute('href')
  }
  const root = inside.adoptNode(parsed.documentElement)
  inside.replaceChild(root, inside.documentElement)
  chooseColors(inside, dark)
}

/** Makes the rules for dark or light mode apply regardless of the system's setting. */
function chooseColors(inside: Document, dark: boolean): void {
  for (const sheet of inside.styleSheets)
    for (const rule of sheet.cssRules) {
      const media = 'media' in rule ? (rule.media as MediaList) : null
      const scheme = media && /prefers-color-scheme:\s*(dark|light)/.exec(media.mediaText)?.[1]
      if (media && scheme) media.mediaText = (scheme === 'dark') === dark ? 'all' : 'not all'
    }
}

/** The id of the block at an element of the frame, or null. */
export function blockAt(target: EventTarget | null): string | null {
  const element = target as Element | null
  return element?.closest?.('[data-block]')?.getAttribute('data-block') ?? null
}

/** Highlights a block's cells. Returns the position of the first one, or null when the block is not in the preview. */
export function markBlock(frame: HTMLIFrameElement, id: string | null, color: string): DOMRect | null {
  const inside = frame.contentDocument
  if (!inside) return null
  for (const cell of inside.querySelectorAll<HTMLElement>('[data-marked]')) {
    cell.removeAttribute('data-marked')
    cell.style.outline = ''
    cell.style.outlineOffset = ''
  }
  if (id === null) return null
  const cells = inside.querySelectorAll<HTMLElement>(`[data-block="${CSS.escape(id)}"]`)
  for (const cell of cells) {
    cell.setAttribute('data-marked', '')
    cell.style.outline = `2px solid ${color}`
    cell.style.outlineOffset = '-2px'
  }
  return cells[0]?.getBoundingClientRect() ?? null
}
