import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'
import type { Tone } from './state.tsx'

interface CardProps {
  title?: ComponentChildren
  /** Beside the title. */
  actions?: ComponentChildren
  children?: ComponentChildren
  /** For a table that reaches the edges. */
  flush?: boolean
  id?: string
}

/** A part of a page with a heading of its own. */
export function Card({ title, actions, children, flush, id }: CardProps) {
  return (
    <section class={classes('card', flush && 'card-flush')} id={id}>
      {(title || actions) && (
        <header class="card-head">
          {title && <h2 class="card-title">{title}</h2>}
          {actions && <div class="row">{actions}</div>}
        </header>
      )}
      {children !== undefined && <div class="card-body">{children}</div>}
    </section>
  )
}

interface TileProps {
  label: ComponentChildren
  value: ComponentChildren
  /** A comparison, or the meaning of the number. */
  note?: ComponentChildren
  href?: string
  tone?: Tone
}

/** One number with its name. */
export function Tile({ label, value, note, href, tone }: TileProps) {
  return (
    <div class={classes('tile', tone && `tone-${tone}`)}>
      <div class="tile-label">
        {href === undefined ? (
          label
        ) : (
          <a class="tile-link" href={href}>
            {label}
          </a>
        )}
      </div>
      <div class={classes('tile-value', tone && 'tile-toned')}>{value}</div>
      {note && <div class="tile-note">{note}</div>}
    </div>
  )
}

/** Tiles side by side. */
export function Tiles({ children }: { children: ComponentChildren }) {
  return <div class="tiles">{children}</div>
}

/** Names and their values. */
export function Facts({ facts }: { facts: readonly { label: ComponentChildren; value: ComponentChildren }[] }) {
  return (
    <dl class="facts">
      {facts.map(({ label, value }, index) => (
        <div class="fact" key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
