import { type TObject, Type } from '@sinclair/typebox'
import { hasRole } from '../../access/permission.ts'
import { notFound } from '../../errors.ts'
import { Id, obj } from '../../schema.ts'
import { ItemQuery, listItems } from '../../sites/directory.ts'
import { listPosts, PostQuery } from '../../sites/posts.ts'
import { safeHtmlTask } from '../../sites/safe-html.ts'
import { POST_STATUSES } from '../../store/tables/sites.ts'
import { API_ROOT } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { SUCCESS } from '../core/schemas.ts'
import {
  ApiPost,
  apiPost,
  apiStatus,
  ItemRecord,
  itemRecord,
  postRecords,
  WholeApiPost,
  wholePost,
} from './site-records.ts'

/** The least role of the user whose app sees drafts. */
const DRAFTS = 'editor'

/** Routes by which apps read a site's content (docs/api/sites.md#posts, #directory). */
export const cmsRoutes = [
  route({
    method: 'POST',
    path: `${API_ROOT}/cms/post/list`,
    summary: 'The posts of the site.',
    auth: 'oauth',
    scope: 'cms:post:read',
    role: 'member',
    body: PostQuery,
    response: listOf(ApiPost),
    async read(query, context) {
      const { db, project_id, role } = context
      const { status, ...filters } = query.filters ?? {}
      const visible = POST_STATUSES.filter((each) => apiStatus(each) !== 'draft' || hasRole(role, DRAFTS))
      const statuses = status === undefined ? visible : visible.filter((each) => apiStatus(each) === status)
      const posts = await listPosts(db, project_id, { ...query, filters: { ...filters, statuses } })
      return { ...SUCCESS, data: (await postRecords(context, posts)).map(apiPost) }
    },
  }),

  route({
    method: 'POST',
    path: `${API_ROOT}/cms/post/get`,
    summary: 'A post with its content, safe to show elsewhere.',
    auth: 'oauth',
    scope: 'cms:post:read',
    role: 'member',
    body: obj({ id: Id }),
    response: obj({ success: Type.Literal(true), data: WholeApiPost }),
    errors: ['NOT_FOUND'],
    async read({ id }, context) {
      const post = apiPost(await wholePost(context, id))
      if (post.status === 'draft' && !hasRole(context.role, DRAFTS)) throw notFound('post', '/id')
      const { store, project_id } = context
      const content = await store.heavyTask(safeHtmlTask, { project_id, html: post.content })
      return { ...SUCCESS, data: { ...post, content } }
    },
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
