import { Type } from '@sinclair/typebox'

export const MAX_SLUG = 200

/** The part of a URL that names a post or a directory item. */
export const Slug = Type.String({
  minLength: 1,
  maxLength: MAX_SLUG,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  description: 'a-z, 0-9, _ and hyphens',
})
