import { type TProperties, Type } from '@sinclair/typebox'
import { iso } from '../../clock.ts'
import { Id, obj, Timestamp, enumOf } from '../../schema.ts'
import { ItemQuery, listItems } from '../../sites/directory.ts'
import { listPosts, PostQuery } from '../../sites/posts.ts'
import { POST_STATUSES } from '../../store/tables/sites.ts'
import { API_ROOT } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { SUCCESS } from '../core/schemas.ts'

const Post = obj({
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
const Item = obj({
  id: Id,
  directory: Type.String(),
  title: Type.String(),
  slug: Type.String(),
  fields: Type.Record(Type.String(), Type.Unknown()),
  created_on: Timestamp,
  last_update: Timestamp,
})

/** What apps read of a site (docs/api/sites.md#posts, #directory). */
export const cmsRoutes = [
  route({
    method: 'POST',
    path: `${API_ROOT}/cms/post/list`,
    summary: 'The posts of the site.',
    auth: 'oauth',
    scope: 'cms:post:read',
    role: 'member',
    body: obj(PostQuery),
    response: listOf(Post.properties),
    async read(query, { db, project_id }) {
      const posts = await listPosts(db, project_id, query)
      const data = posts.map(({ id, title, slug, status, author, created_at, updated_at, category, word_count }) => ({
        id,
        title,
        slug,
        status,
        author,
        created_on: iso(created_at),
        last_update: iso(updated_at),
        category,
        word_count,
      }))
      return { ...SUCCESS, data }
    },
  }),

  route({
    method: 'POST',
    path: `${API_ROOT}/directory/item/list`,
    summary: 'The directory items of the site.',
    auth: 'oauth',
    scope: 'directory:items:read',
    role: 'member',
    body: obj(ItemQuery),
    response: listOf(Item.properties),
    async read(query, { db, project_id }) {
      const items = await listItems(db, project_id, query)
      const data = items.map(({ id, directory, title, slug, fields, created_at, updated_at }) => ({
        id,
        directory,
        title,
        slug,
        fields,
        created_on: iso(created_at),
        last_update: iso(updated_at),
      }))
      return { ...SUCCESS, data }
    },
  }),
]

function listOf<P extends TProperties>(properties: P) {
  return obj({ success: Type.Literal(true), data: Type.Array(obj(properties)) })
}
