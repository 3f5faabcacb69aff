import { Type } from '@sinclair/typebox'

const MAX_SLUG = 200

/** The word of a post or item in addresses. */
export const Slug = Type.String({
  minLength: 1,
  maxLength: MAX_SLUG,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  description: 'a-z, 0-9, _ and hyphens',
})

/** A slug made of a title: accents taken off, everything else that is no letter or digit a hyphen. */
export function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'untitled' : slug
}
