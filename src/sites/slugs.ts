import { Type } from '@sinclair/typebox'

const MAX_SLUG = 200

/** The part of a URL that names a post or a directory item. */
export const Slug = Type.String({
  minLength: 1,
  maxLength: MAX_SLUG,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  description: 'a-z, 0-9, _ and hyphens',
})

/** A slug made from a title: accents are removed, and runs of other characters than a-z and 0-9 become a hyphen. */
export function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'untitled' : slug
}
