import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps {
  children: ComponentChildren
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  /** Makes it a link that looks like a button. */
  href?: string
  type?: 'button' | 'submit' | 'reset'
  /** Its action runs: it shows that, and does nothing. */
  busy?: boolean
  /** Why it cannot be used now. It stays focusable, and the reason is shown beside it and read out. */
  disabled_reason?: string | false | null
  /** It does nothing now, for an obvious reason; otherwise give `disabled_reason`. */
  disabled?: boolean
  icon?: IconName
  /** An icon after the text. */
  icon_end?: IconName
  small?: boolean
  /** Takes the full width. */
  wide?: boolean
  onClick?: (event: MouseEvent) => void
  form?: string
  download?: string
  /** The id of an explanation. */
  described_by?: string
  /** It is the page's main action, which the key `n` presses. */
  main?: boolean
}

/** A button, or a link that looks like one. */
export function Button(props: ButtonProps) {
  const { children, kind = 'secondary', href, type = 'button', busy, disabled_reason, icon, small, wide } = props
  const reason_id = useId()
  const off = Boolean(busy || props.disabled || disabled_reason)
  const look = classes('button', `button-${kind}`, small && 'button-small', wide && 'button-wide')
  const described = [disabled_reason && reason_id, props.described_by].filter(Boolean).join(' ') || undefined
  const act = (event: MouseEvent) => {
    if (off) event.preventDefault()
    else props.onClick?.(event)
  }
  const mark = props.main ? { 'data-main-action': true } : {}
  const inside = (
    <>
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      <span class="button-text">{children}</span>
      {props.icon_end && <Icon name={props.icon_end} />}
    </>
  )
  const control =
    href !== undefined && !off ? (
      <a {...mark} class={look} href={href} download={props.download} aria-describedby={described} onClick={act}>
        {inside}
      </a>
    ) : (
      <button
        {...mark}
        class={look}
        type={href === undefined ? type : 'button'}
        form={props.form}
        aria-disabled={off || undefined}
        aria-busy={busy || undefined}
        aria-describedby={described}
        onClick={act}
      >
        {inside}
      </button>
    )
  if (disabled_reason === undefined) return control
  // The span stays when the reason goes: another parent would make another button, and take the focus from this one.
  return (
    <span class={disabled_reason ? classes('button-explained', wide && 'button-wide') : 'button-usable'}>
      {control}
      {disabled_reason && (
        <span class="button-reason" id={reason_id}>
          {disabled_reason}
        </span>
      )}
    </span>
  )
}

interface IconButtonProps {
  icon: IconName
  /** The label; read out, and shown on hover and focus. */
  label: string
  href?: string
  onClick?: (event: MouseEvent) => void
  /** For a toggle button. */
  pressed?: boolean
  /** For a button that opens something. */
  expanded?: boolean
  controls?: string
  /** Whether it opens a menu. */
  menu?: boolean
  disabled?: boolean
  small?: boolean
}

/** A button with an icon instead of text. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, href, onClick, pressed, expanded, controls, menu, disabled, small } = props
  const look = classes('icon-button', small && 'icon-button-small')
  if (href !== undefined) {
    return (
      <a class={look} href={href} aria-label={label} title={label} onClick={onClick}>
        <Icon name={icon} />
      </a>
    )
  }
  return (
    <button
      class={look}
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-controls={controls}
      aria-haspopup={menu ? 'menu' : undefined}
      aria-disabled={disabled || undefined}
      onClick={(event) => {
        if (!disabled) onClick?.(event)
      }}
    >
      <Icon name={icon} />
    </button>
  )
}
