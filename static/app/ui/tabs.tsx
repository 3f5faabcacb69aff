import { useEffect, useId, useRef } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { number } from './format.ts'

interface TabsProps<V extends string = string> {
  /** The label of the tabs. */
  label: string
  tabs: readonly { id: V; label: ComponentChildren; count?: number | null }[]
  value: V
  onChange: (value: V) => void
  /** The address of a tab whose view is a page of its own: the tab is a link, which a browser can open elsewhere. */
  href?: (value: V) => string
  /** The content below; a tab panel for screen readers. */
  children?: ComponentChildren
}

/** One of several views of the same thing. Arrows choose, Tab moves into the view. */
export function Tabs<V extends string>({ label, tabs, value, onChange, href, children }: TabsProps<V>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // When the tabs do not fit, the chosen one is scrolled into view.
  useEffect(() => {
    const { current: strip } = list
    const chosen = strip?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!strip || !chosen || strip.scrollWidth <= strip.clientWidth) return
    strip.scrollLeft += chosen.getBoundingClientRect().left - strip.getBoundingClientRect().left - strip.clientWidth / 3
  }, [value])
  const keyed = (event: KeyboardEvent) => {
    const rtl = getComputedStyle(list.current!).direction === 'rtl'
    const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key]
    const at = tabs.findIndex((tab) => tab.id === value)
    let next = -1
    if (step !== undefined) next = (at + step + tabs.length) % tabs.length
    if (event.key === 'Home') next = 0
    if (event.key === 'End') next = tabs.length - 1
    const tab = tabs[next]
    if (!tab) return
    event.preventDefault()
    onChange(tab.id)
    list.current!.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${tab.id}`)}`)?.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={keyed}>
        {tabs.map((tab) => {
          const shared = {
            class: 'tab',
            role: 'tab',
            id: `${id}-${tab.id}`,
            'aria-selected': tab.id === value,
            'aria-controls': children === undefined ? undefined : `${id}-panel`,
            tabIndex: tab.id === value ? 0 : -1,
          } as const
          const content = (
            <>
              <span class="tab-label" data-label={typeof tab.label === 'string' ? tab.label : undefined}>
                {tab.label}
              </span>
              {typeof tab.count === 'number' && <span class="tab-count">{number(tab.count)}</span>}
            </>
          )
          return href ? (
            <a key={tab.id} {...shared} href={href(tab.id)}>
              {content}
            </a>
          ) : (
            <button key={tab.id} {...shared} type="button" onClick={() => onChange(tab.id)}>
              {content}
            </button>
          )
        })}
      </div>
      {children !== undefined && (
        <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
          {children}
        </div>
      )}
    </div>
  )
}
