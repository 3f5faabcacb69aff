import { Type } from '@sinclair/typebox'
import { iso } from '../../clock.ts'
import { enumOf, Id, obj, Timestamp } from '../../schema.ts'
import type { Item } from '../../sites/directory.ts'
import type { Post } from '../../sites/posts.ts'
import { POST_STATUSES } from '../../store/tables/sites.ts'

/** A CMS post as apps and the dashboard list it (docs/api/sites.md#posts). */
export const PostRecord = obj({
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  status: enumOf(POST_STATUSES),
  author: Type.String(),
  created_on: Timestamp,
  last_update: Timestamp,
  category: Type.String(),
  word_count: Type.Integer(),
})

/** A directory item (docs/api/sites.md#directory). */
export const ItemRecord = obj({
  id: Id,
  directory: Type.String(),
  title: Type.String(),
  slug: Type.String(),
  fields: Type.Record(Type.String(), Type.Unknown()),
  created_on: Timestamp,
  last_update: Timestamp,
})

export function postRecord(post: Omit<Post, 'excerpt' | 'content'>) {
  const { id, title, slug, status, author, category, word_count, created_at, updated_at } = post
  return {
    id,
    title,
    slug,
    status,
    author,
    created_on: iso(created_at),
    last_update: iso(updated_at),
    category,
    word_count,
  }
}

export function itemRecord({ id, directory, title, slug, fields, created_at, updated_at }: Item) {
  return { id, directory, title, slug, fields, created_on: iso(created_at), last_update: iso(updated_at) }
}
