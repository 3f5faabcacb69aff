import { Type } from '@sinclair/typebox'
import { type Changed, Editor, findEditor } from '../../../access/editor.ts'
import { iso } from '../../../clock.ts'
import type { ProjectId } from '../../../ids.ts'
import { getProject } from '../../../projects/projects.ts'
import { Id, nullable, obj, Timestamp } from '../../../schema.ts'
import { addressBySlug, POSTS_PATH } from '../../../sites/addresses.ts'
import {
  createItem,
  deleteItem,
  getItem,
  ItemQuery,
  listDirectories,
  listItems,
  NewItem,
  updateItem,
} from '../../../sites/directory.ts'
import {
  createPost,
  DashboardPostQuery,
  deletePost,
  getPost,
  listPosts,
  NewPost,
  type Post,
  updatePost,
} from '../../../sites/posts.ts'
import { previewToken } from '../../../sites/previews.ts'
import { ExpectedUpdatedAt, requireUnchanged } from '../../../operation/unchanged.ts'
import { ItemRecord, itemRecord, PostRecord, postRecords, WholePost, wholePost } from '../../api/site-records.ts'
import { route } from '../../core/route.ts'
import { optional, Success } from '../../core/schemas.ts'

/** A post has at most a million characters, which JSON may escape. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/** `/project/cms/posts/…` (docs/api/sites.md#posts). */
const posts = [
  route({
    method: 'POST',
    path: '/project/cms/posts/create',
    summary: 'Creates a post.',
    auth: 'session',
    role: 'editor',
    audit: { target: { answer: 'post' } },
    body: NewPost,
    max_body: MAX_BODY_BYTES,
    response: obj({ post: WholePost }),
    errors: ['CONFLICT', 'INVALID_STATE'],
    async write(post, { tx, project_id, base_url, now }) {
      const { id } = await createPost(tx, project_id, post, now)
      return { post: await wholePost({ db: tx, base_url, project_id }, id) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/cms/posts/list',
    summary: 'The posts of the project, without their content.',
    auth: 'session',
    role: 'member',
    body: DashboardPostQuery,
    response: obj({ posts: Type.Array(PostRecord) }),
    async read({ filters: { status, ...filters } = {}, ...query }, context) {
      const asked = { ...query, filters: { ...filters, ...(status && { statuses: [status] }) } }
      return { posts: await postRecords(context, await listPosts(context.db, context.project_id, asked)) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/cms/posts/get',
    summary: 'One post with its content.',
    auth: 'session',
    role: 'member',
    body: obj({ post_id: Id }),
    response: obj({ post: obj({ ...WholePost.properties, updated_by: nullable(Editor) }) }),
    errors: ['NOT_FOUND'],
    async read({ post_id }, { db, project_id, base_url }) {
      const updated_by = await findEditor(db, changeOf(project_id, await getPost(db, project_id, post_id)))
      return { post: { ...(await wholePost({ db, base_url, project_id }, post_id)), updated_by } }
    },
  }),

  route({
    method: 'POST',
    path: '/project/cms/posts/update',
    summary: 'Changes a post.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'post', input: 'post_id' }, changes: true },
    body: obj({
      post_id: Id,
      ...optional(NewPost.properties),
      expected_updated_at: Type.Optional(ExpectedUpdatedAt),
    }),
    max_body: MAX_BODY_BYTES,
    response: obj({ post: WholePost }),
    errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_STATE'],
    async write({ post_id, expected_updated_at, ...changes }, { tx, project_id, base_url, now }) {
      if (expected_updated_at !== undefined)
        await requireUnchanged(tx, expected_updated_at, changeOf(project_id, await getPost(tx, project_id, post_id)))
      await updatePost(tx, { project_id, post_id }, changes, now)
      return { post: await wholePost({ db: tx, base_url, project_id }, post_id) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/cms/posts/delete',
    summary: 'Deletes a post.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'post', input: 'post_id' } },
    body: obj({ post_id: Id }),
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ post_id }, { tx, project_id }) => deletePost(tx, project_id, post_id),
  }),

  route({
    method: 'POST',
    path: '/project/cms/posts/preview',
    summary: 'An address that shows a post as it would be, in whatever status, to anyone who has it.',
    auth: 'session',
    role: 'member',
    body: obj({ post_id: Id }),
    response: obj({ url: Type.String(), expires_on: Timestamp }),
    errors: ['NOT_FOUND'],
    async read({ post_id }, { db, project_id, base_url, keys, clock }) {
      const { slug } = await getPost(db, project_id, post_id)
      const project = await getProject(db, project_id)
      const { token, expires_at } = previewToken({ keys, clock }, post_id)
      const page = addressBySlug(base_url, project.slug, `${POSTS_PATH}/${slug}`)
      return { url: `${page}?preview=${token}`, expires_on: iso(expires_at) }
    },
  }),
]

/** `/project/directory/list` (docs/api/sites.md#directory). */
const directories = route({
  method: 'POST',
  path: '/project/directory/list',
  summary: 'The directories of the project with the numbers of their items, by name.',
  auth: 'session',
  role: 'member',
  response: obj({
    directories: Type.Array(
      obj({ directory: Type.String(), items: Type.Integer({ minimum: 0 }), last_update: Timestamp }),
    ),
  }),
  async read(_, { store, project_id }) {
    const found = await listDirectories(store, project_id)
    return { directories: found.map(({ updated_at, ...about }) => ({ ...about, last_update: iso(updated_at) })) }
  },
})

/** `/project/directory/items/…` (docs/api/sites.md#directory). */
const items = [
  route({
    method: 'POST',
    path: '/project/directory/items/create',
    summary: 'Creates a directory item.',
    auth: 'session',
    role: 'editor',
    audit: { target: { answer: 'item' } },
    body: NewItem,
    max_body: MAX_BODY_BYTES,
    response: obj({ item: ItemRecord }),
    errors: ['CONFLICT', 'INVALID_STATE'],
    write: async (item, { tx, project_id, now }) => ({ item: itemRecord(await createItem(tx, project_id, item, now)) }),
  }),

  route({
    method: 'POST',
    path: '/project/directory/items/list',
    summary: 'The directory items of the project.',
    auth: 'session',
    role: 'member',
    body: ItemQuery,
    response: obj({ items: Type.Array(ItemRecord) }),
    read: async (query, { db, project_id }) => ({ items: (await listItems(db, project_id, query)).map(itemRecord) }),
  }),

  route({
    method: 'POST',
    path: '/project/directory/items/get',
    summary: 'One directory item.',
    auth: 'session',
    role: 'member',
    body: obj({ item_id: Id }),
    response: obj({ item: ItemRecord }),
    errors: ['NOT_FOUND'],
    read: async ({ item_id }, { db, project_id }) => ({ item: itemRecord(await getItem(db, project_id, item_id)) }),
  }),

  route({
    method: 'POST',
    path: '/project/directory/items/update',
    summary: 'Changes a directory item.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'item', input: 'item_id' }, changes: true },
    body: obj({ item_id: Id, ...optional(NewItem.properties) }),
    max_body: MAX_BODY_BYTES,
    response: obj({ item: ItemRecord }),
    errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_STATE'],
    write: async ({ item_id, ...changes }, { tx, project_id, now }) => ({
      item: itemRecord(await updateItem(tx, { project_id, item_id }, changes, now)),
    }),
  }),

  route({
    method: 'POST',
    path: '/project/directory/items/delete',
    summary: 'Deletes a directory item.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'item', input: 'item_id' } },
    body: obj({ item_id: Id }),
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ item_id }, { tx, project_id }) => deleteItem(tx, project_id, item_id),
  }),
]

/** Routes of the dashboard for posts, directories and directory items. */
export const siteContentRoutes = [...posts, directories, ...items]

/** A post's last change, as the audit log knows it. */
function changeOf(project_id: ProjectId, { id, updated_at }: Post): Changed {
  return { project_id, target: `post:${id}`, updated_at }
}
