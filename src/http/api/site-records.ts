import { type Static, Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../clock.ts'
import type { ProjectId } from '../../ids.ts'
import { getProject } from '../../projects/projects.ts'
import { enumOf, Id, nullable, obj, Timestamp } from '../../schema.ts'
import { POSTS_PATH, siteAddress } from '../../sites/addresses.ts'
import type { Item } from '../../sites/directory.ts'
import { API_STATUSES, getPost, type Post } from '../../sites/posts.ts'
import type { Reader } from '../../store/open.ts'
import { one } from '../../store/rows.ts'
import { POST_STATUSES, type PostStatus } from '../../store/tables/sites.ts'

const RECORD = {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  author: Type.String(),
  created_on: Timestamp,
  last_update: Timestamp,
  published_at: nullable(Timestamp),
  category: Type.String(),
  word_count: Type.Integer(),
  excerpt: Type.String(),
  /** Where the site shows it; null for one that is not published. */
  url: nullable(Type.String()),
}
/** A post as the dashboard lists it (docs/api/sites.md#posts). */
export const PostRecord = obj({ ...RECORD, status: enumOf(POST_STATUSES), tags: Type.Array(Type.String()) })
/** A post with its content. */
export const WholePost = obj({ ...PostRecord.properties, content: Type.String() })
/** A post as apps list it: a scheduled one is a draft. */
export const ApiPost = obj({ ...RECORD, status: enumOf(API_STATUSES) })
export const WholeApiPost = obj({ ...ApiPost.properties, content: Type.String() })

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

export const apiStatus = (status: PostStatus): (typeof API_STATUSES)[number] =>
  status === 'scheduled' ? 'draft' : status

/** The record of a post for apps, with its content where that is given. */
export function apiPost<T extends Static<typeof PostRecord>>({ tags: _, ...post }: T) {
  const status = apiStatus(post.status)
  return { ...post, status, published_at: status === 'draft' ? null : post.published_at }
}

/** The record of a post, on the site of its project. */
export async function postRecords(
  { db, base_url, project_id }: { db: Reader; base_url: string; project_id: ProjectId },
  posts: readonly Post[],
): Promise<Static<typeof PostRecord>[]> {
  const site = siteAddress(await getProject(db, project_id), base_url)
  return posts.map((post) => {
    const { id, title, slug, status, author, tags, category, excerpt, word_count, created_at, updated_at } = post
    return {
      id,
      title,
      slug,
      status,
      author,
      created_on: iso(created_at),
      last_update: iso(updated_at),
      published_at: isoOrNull(post.published_at),
      tags: [...tags],
      category,
      word_count,
      excerpt,
      url: status === 'published' ? `${site}${POSTS_PATH}/${slug}` : null,
    }
  })
}

export async function wholePost(
  place: Parameters<typeof postRecords>[0],
  post_id: number,
): Promise<Static<typeof WholePost>> {
  const { content, ...post } = await getPost(place.db, place.project_id, post_id)
  return { ...one(await postRecords(place, [post])), content }
}

export function itemRecord({ id, directory, title, slug, fields, created_at, updated_at }: Item) {
  return { id, directory, title, slug, fields, created_on: iso(created_at), last_update: iso(updated_at) }
}
