import { type TObject, Type } from '@sinclair/typebox'
import { obj } from '../../schema.ts'
import { ItemQuery, listItems } from '../../sites/directory.ts'
import { listPosts, PostQuery } from '../../sites/posts.ts'
import { API_ROOT } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { SUCCESS } from '../core/schemas.ts'
import { ItemRecord, itemRecord, PostRecord, postRecord } from './site-records.ts'

/** What apps read of a site (docs/api/sites.md#posts, #directory). */
export const cmsRoutes = [
  route({
    method: 'POST',
    path: `${API_ROOT}/cms/post/list`,
    summary: 'The posts of the site.',
    auth: 'oauth',
    scope: 'cms:post:read',
    role: 'member',
    body: PostQuery,
    response: listOf(PostRecord),
    read: async (query, { db, project_id }) => ({
      ...SUCCESS,
      data: (await listPosts(db, project_id, query)).map(postRecord),
    }),
  }),

  route({
    method: 'POST',
    path: `${API_ROOT}/directory/item/list`,
    summary: 'The directory items of the site.',
    auth: 'oauth',
    scope: 'directory:items:read',
    role: 'member',
    body: ItemQuery,
    response: listOf(ItemRecord),
    read: async (query, { db, project_id }) => ({
      ...SUCCESS,
      data: (await listItems(db, project_id, query)).map(itemRecord),
    }),
  }),
]

function listOf<T extends TObject>(record: T) {
  return obj({ success: Type.Literal(true), data: Type.Array(record) })
}
