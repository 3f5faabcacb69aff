import type { ComponentChildren } from 'preact'

/** Designs beside each other, under a heading. */
export function DesignGrid({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="designs">
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

interface DesignProps {
  name: string
  description: string
  /** The address of its picture; null for one without. */
  picture: string | null
  verb: string
  onUse(): void
  /** More to do with it, below the picture. */
  children?: ComponentChildren
}

/** A design that can be chosen. */
export function DesignCard({ name, description, picture, verb, onUse, children }: DesignProps) {
  return (
    <li class="design">
      <button type="button" aria-label={verb} onClick={onUse}>
        {picture === null ? (
          <span class="design-blank" aria-hidden="true">
            {name.slice(0, 1)}
          </span>
        ) : (
          <img src={pathOf(picture)} alt="" loading="lazy" width={240} height={300} />
        )}
        <strong>{name}</strong>
        {description !== '' && <span class="quiet">{description}</span>}
      </button>
      {children}
    </li>
  )
}

/** The path of an address of this service: pictures from another origin are not allowed on these pages. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}
