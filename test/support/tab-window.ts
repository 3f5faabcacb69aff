import { Window } from 'happy-dom'

/** Marks an element whose popover is open. */
const OPEN_POPOVER = 'data-popover-open'

/** A window of happy-dom, with what the application uses and happy-dom lacks: popovers, rows, and some selectors. */
export function makeWindow(url: string): Window {
  // A link that saves a file would give the document the address of the file.
  const navigation = { disableMainFrameNavigation: true, disableFallbackToSetURL: true }
  const made = new Window({ url, settings: { navigation } })
  givePopovers(made)
  giveSelectors(made)
  const childrenOf = (names: readonly string[]) => ({
    get(this: HTMLElement) {
      return [...this.children].filter(({ localName }) => names.includes(localName))
    },
  })
  Object.defineProperty(made.HTMLTableSectionElement.prototype, 'rows', childrenOf(['tr']))
  Object.defineProperty(made.HTMLTableRowElement.prototype, 'cells', childrenOf(['td', 'th']))
  return made
}

function givePopovers(made: Window): void {
  function toggle(this: HTMLElement, on = !this.hasAttribute(OPEN_POPOVER)): void {
    if (on === this.hasAttribute(OPEN_POPOVER)) return
    const event = Object.assign(new made.Event('beforetoggle'), { newState: on ? 'open' : 'closed' })
    this.dispatchEvent(event as unknown as Event)
    this.toggleAttribute(OPEN_POPOVER, on)
  }
  Object.assign(made.HTMLElement.prototype, {
    togglePopover: toggle,
    showPopover(this: HTMLElement) {
      toggle.call(this, true)
    },
    hidePopover(this: HTMLElement) {
      toggle.call(this, false)
    },
  })
}

/** `:modal`, `:popover-open` and `:focus-within`; nothing is below the pointer. */
function giveSelectors(made: Window): void {
  const known = (selector: string) =>
    selector
      .replaceAll(':modal', '[open]')
      .replaceAll(':popover-open', `[${OPEN_POPOVER}]`)
      .replaceAll(/:hover,\s*/g, '')
  for (const place of [made.document, made.Element.prototype])
    for (const name of ['querySelector', 'querySelectorAll', 'matches', 'closest'] as const) {
      const own = (place as unknown as Record<string, (selector: string) => unknown>)[name]
      if (!own) continue
      Object.assign(place, {
        [name](this: Element, selector: string) {
          if (name === 'matches' && selector.endsWith(':focus-within'))
            return this.contains(this.ownerDocument.activeElement)
          return own.call(this as never, known(selector))
        },
      })
    }
}
