import { ownPicture } from '../../api/own-picture.ts'
import type { ComponentChildren, VNode } from 'preact'

/** Designs side by side, under a heading. */
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
  /** The URL of its picture, or a component in its place; null without one. */
  picture: string | VNode | null
  /** The verb before its name on the button; null when it cannot be chosen. */
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
        // Beside the button, because a button may contain only text and pictures.
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
