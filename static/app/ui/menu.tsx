import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import { Opener, usePanel } from './popover.tsx'

export interface MenuItem {
  label: ComponentChildren
  icon?: IconName
  /** A second line, or a key at the end. */
  hint?: ComponentChildren
  onSelect?: () => void
  href?: string
  danger?: boolean
  /** Whether it is chosen, in a menu of choices. */
  checked?: boolean
  disabled_reason?: string | false | null
}

interface MenuProps {
  /** The label of its button; with `icon` it is only read out, and with `trigger` before the trigger's content. */
  label: string
  icon?: IconName
  /** The content of its button instead of the label. */
  trigger?: ComponentChildren
  kind?: 'primary' | 'secondary' | 'quiet'
  small?: boolean
  /** It is the page's main action (key n). */
  main?: boolean
  items: readonly (MenuItem | 'line' | false | null | undefined)[]
}

/** A button that opens a list of actions. Arrows, Home, End and first letters move in it. */
export function Menu({ label, icon, trigger, kind = 'secondary', small, main, items }: MenuProps) {
  const { anchor, panel, open, set, id } = usePanel()
  const from_end = useRef(false)
  const toggle = () => set(!open)
  useLayoutEffect(() => {
    if (!open) return
    const entries = entriesOf(panel.current!)
    ;(from_end.current ? entries.at(-1) : entries[0])?.focus()
    from_end.current = false
  }, [open])
  const close = () => {
    set(false)
    anchor.current?.querySelector('button')?.focus()
  }
  return (
    <span
      class="anchor"
      ref={anchor}
      style={`anchor-name:--${id}`}
      onKeyDown={(event) => {
        if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
        event.preventDefault()
        from_end.current = event.key === 'ArrowUp'
        set(true)
      }}
    >
      <Opener
        label={label}
        icon={icon}
        trigger={trigger}
        kind={kind}
        small={small}
        main={main}
        menu
        open={open}
        controls={id}
        onClick={toggle}
      />
      <div
        ref={panel}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        aria-label={label}
        style={`position-anchor:--${id}`}
        onKeyDown={(event) => move(event, panel.current!, close)}
      >
        {open &&
          items.map((item, index) => {
            if (!item) return null
            if (item === 'line') return <div key={index} class="menu-line" role="separator" />
            return <Entry key={index} item={item} close={close} />
          })}
      </div>
    </span>
  )
}

function Entry({ item, close }: { item: MenuItem; close: () => void }) {
  const off = Boolean(item.disabled_reason)
  const hint = item.disabled_reason || item.hint
  const shared = {
    class: classes('menu-item', item.danger && 'menu-danger'),
    role: item.checked === undefined ? ('menuitem' as const) : ('menuitemradio' as const),
    tabIndex: -1,
    'aria-checked': item.checked,
    'aria-disabled': off || undefined,
  }
  const inside = (
    <>
      {item.icon && <Icon name={item.icon} />}
      <span class="menu-label">{item.label}</span>
      {item.checked && <Icon name="check" />}
      {hint && <span class="menu-hint">{hint}</span>}
    </>
  )
  if (item.href !== undefined && !off) {
    return (
      <a
        {...shared}
        href={item.href}
        onClick={() => {
          item.onSelect?.()
          close()
        }}
      >
        {inside}
      </a>
    )
  }
  return (
    <button
      {...shared}
      type="button"
      onClick={() => {
        if (off) return
        close()
        item.onSelect?.()
      }}
    >
      {inside}
    </button>
  )
}

function entriesOf(panel: HTMLElement): HTMLElement[] {
  return [...panel.querySelectorAll<HTMLElement>('.menu-item')]
}

function move(event: KeyboardEvent, panel: HTMLElement, close: () => void) {
  const entries = entriesOf(panel)
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const target = targetOf(event.key, at, entries)
  if (event.key === 'Tab' || event.key === 'Escape') {
    close()
    if (event.key === 'Escape') event.preventDefault()
    return
  }
  event.stopPropagation()
  if (!target) return
  event.preventDefault()
  target.focus()
}

function targetOf(key: string, at: number, entries: HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return entries[(at + 1) % entries.length]
  if (key === 'ArrowUp') return entries.at(at <= 0 ? -1 : at - 1)
  if (key === 'Home') return entries[0]
  if (key === 'End') return entries.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const letter = key.toLowerCase()
  const after = [...entries.slice(at + 1), ...entries.slice(0, at + 1)]
  return after.find((entry) => entry.textContent.trim().toLowerCase().startsWith(letter))
}
