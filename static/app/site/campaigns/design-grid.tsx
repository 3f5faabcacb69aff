import { ownPicture } from '../../api/own-picture.ts'
import type { ComponentChildren, VNode } from 'preact'

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
  /** The address of its picture, or what stands in its place; null for one without. */
  picture: string | VNode | null
  /** What choosing it does, before its name; null where it cannot be chosen. */
  verb: string | null
  onUse(): void
}

/** A design that can be chosen. */
export function DesignCard({ name, description, picture, verb, onUse }: DesignProps) {
  const shown = (
    <>
      {picture === null ? (
        <span class="design-blank" aria-hidden="true">
          {name.slice(0, 1)}
        </span>
      ) : typeof picture !== 'string' ? (
        // It stands beside the button, which must hold nothing but words and pictures.
        <span class="design-blank" />
      ) : (
        <img src={ownPicture(picture) ?? undefined} alt="" loading="lazy" width={240} height={300} />
      )}
      <span>
        {verb !== null && <span class="visually-hidden">{verb} </span>}
        <strong>{name}</strong>
      </span>
      {description !== '' && <span class="quiet">{description}</span>}
    </>
  )
  return (
    <li class="design">
      {typeof picture !== 'string' && picture}
      {verb === null ? (
        <div class="design-face">{shown}</div>
      ) : (
        <button class="design-face" type="button" onClick={onUse}>
          {shown}
        </button>
      )}
    </li>
  )
}
