import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { CONTROLS } from './controls.ts'

interface DialogProps {
  title: ComponentChildren
  /** Escape and the close button call this; the owner then removes the dialog or sets `open` to false. */
  onClose: () => void
  open?: boolean
  children: ComponentChildren
  /** Buttons at the bottom, the main one first. */
  actions?: ComponentChildren
  /** A selector of the element with the initial focus; otherwise the first control of the content. */
  initial_focus?: string
  wide?: boolean
  /** It asks for a decision. */
  alert?: boolean
  /** Only its own buttons close it: it shows what is shown once. */
  stays?: boolean
}

/** A modal dialog; the focus returns afterwards. */
export function Dialog({ open = true, ...props }: DialogProps) {
  return open ? <Modal {...props} kind={classes('dialog', props.wide && 'dialog-wide')} /> : null
}

interface DrawerProps extends Omit<DialogProps, 'wide' | 'alert' | 'stays'> {
  /** The edge it comes from. */
  side?: 'start' | 'end'
}

/** A dialog at an edge of the window; a click outside closes it. */
export function Drawer({ open = true, side = 'end', ...props }: DrawerProps) {
  return open ? <Modal {...props} kind={classes('drawer', `drawer-${side}`)} light /> : null
}

/** `light`: a click outside closes it. */
function Modal(props: Omit<DialogProps, 'open' | 'wide'> & { kind: string; light?: boolean }) {
  const { title, onClose, children, actions, initial_focus, kind, light } = props
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current!
    dialog.showModal()
    const body = dialog.querySelector<HTMLElement>('.dialog-body')!
    const control = focusable(body)
    // Without a control to go to, keys scroll the text itself.
    if (control === null && body.scrollHeight > body.clientHeight) body.tabIndex = 0
    const first = dialog.querySelector<HTMLElement>(initial_focus ?? '[autofocus]') ?? control
    ;(first ?? dialog).focus()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={kind}
      role={props.alert ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={props.alert ? `${id}-body` : undefined}
      tabIndex={-1}
      onCancel={(event) => {
        if (event.target !== element.current) return
        event.preventDefault()
        if (!props.stays) onClose()
      }}
      onKeyDown={(event) => {
        // Chromium closes a dialog at the second Escape without asking.
        if (props.stays && event.key === 'Escape') event.preventDefault()
      }}
      onClick={(event) => {
        if (light && event.target === element.current) onClose()
      }}
    >
      <div class="dialog-frame">
        <header class="dialog-head">
          <h2 class="dialog-title" id={`${id}-title`}>
            {title}
          </h2>
          {!props.stays && <IconButton icon="x" label="Close" onClick={onClose} />}
        </header>
        <div class="dialog-body" id={`${id}-body`}>
          {children}
        </div>
        {actions && <footer class="dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  )
}

function focusable(within: Element): HTMLElement | null {
  return within.querySelector<HTMLElement>(CONTROLS)
}
