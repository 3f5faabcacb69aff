import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import type { IconName } from './icon.tsx'

interface PopoverProps {
  /** The label of its button; with `icon` it is only read out, and with `trigger` before the trigger's content. */
  label: string
  icon?: IconName
  /** The content of its button instead of the label. */
  trigger?: ComponentChildren
  kind?: 'secondary' | 'quiet'
  children: ComponentChildren | ((close: () => void) => ComponentChildren)
}

/** A small panel at its button; Escape or a click elsewhere closes it. */
export function Popover({ label, icon, trigger, kind = 'secondary', children }: PopoverProps) {
  const { anchor, panel, open, set, id } = usePanel()
  const toggle = () => set(!open)
  return (
    <span class="anchor" ref={anchor} style={`anchor-name:--${id}`}>
      <Opener label={label} icon={icon} trigger={trigger} kind={kind} open={open} controls={id} onClick={toggle} />
      <div
        ref={panel}
        id={id}
        class="popover"
        popover="auto"
        style={`position-anchor:--${id}`}
        role="group"
        aria-label={label}
      >
        {open && (typeof children === 'function' ? children(() => set(false)) : children)}
      </div>
    </span>
  )
}

interface OpenerProps {
  label: string
  icon?: IconName
  trigger?: ComponentChildren
  kind: 'primary' | 'secondary' | 'quiet'
  open: boolean
  controls: string
  menu?: boolean
  small?: boolean
  main?: boolean
  onClick: () => void
}

/** The button of a popover: an icon, the owner's content, or a label with an arrow. */
export function Opener({ label, icon, trigger, kind, open, controls, menu, small, main, onClick }: OpenerProps) {
  if (icon) return <IconButton {...{ icon, label, controls, menu, small, onClick }} expanded={open} />
  const shared = {
    type: 'button' as const,
    'aria-haspopup': menu ? ('menu' as const) : undefined,
    'aria-expanded': open,
    'aria-controls': controls,
    'data-main-action': main ? '' : undefined,
    onClick,
  }
  if (trigger) {
    return (
      <button {...shared} class="button-plain">
        <span class="visually-hidden">{label}</span>
        {trigger}
      </button>
    )
  }
  return (
    <button {...shared} class={classes('button', `button-${kind}`, 'button-opens', small && 'button-small')}>
      <span class="button-text">{label}</span>
    </button>
  )
}

/**
 * A native popover that belongs to an anchor. The browser closes it on Escape and on a click elsewhere. A click on the
 * anchor must not count as elsewhere, or its button would open the popover again.
 */
export function usePanel() {
  const anchor = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const pressed_open = useRef(false)
  const id = `p${useId()}`
  useEffect(() => {
    const element = panel.current!
    const button = anchor.current!.querySelector('button')
    const toggled = (event: Event) => setOpen((event as ToggleEvent).newState === 'open')
    const pressed = () => {
      pressed_open.current = element.matches(':popover-open')
    }
    element.addEventListener('beforetoggle', toggled)
    button?.addEventListener('pointerdown', pressed, true)
    return () => {
      element.removeEventListener('beforetoggle', toggled)
      button?.removeEventListener('pointerdown', pressed, true)
    }
  }, [])
  const set = (wanted: boolean) => {
    const element = panel.current!
    const closed_by_this_press = wanted && pressed_open.current
    pressed_open.current = false
    if (closed_by_this_press) return
    if (wanted !== element.matches(':popover-open')) element.togglePopover(wanted)
  }
  return { anchor, panel, open, set, id }
}

/** A tooltip, shown on hover and focus; Escape hides it. */
export function Tooltip({ text, children }: { text: string; children: ComponentChildren }) {
  const id = `p${useId()}`
  const panel = useRef<HTMLSpanElement>(null)
  const show = () => {
    if (!panel.current!.matches(':popover-open')) panel.current!.showPopover()
  }
  const hide = () => {
    if (panel.current!.matches(':popover-open')) panel.current!.hidePopover()
  }
  return (
    <span
      class="anchor"
      style={`anchor-name:--${id}`}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocusIn={show}
      onFocusOut={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hide()
      }}
    >
      <span class="tooltip-about" tabIndex={0} aria-describedby={id}>
        {children}
      </span>
      <span ref={panel} id={id} class="tooltip" popover="manual" role="tooltip" style={`position-anchor:--${id}`}>
        {text}
      </span>
    </span>
  )
}
