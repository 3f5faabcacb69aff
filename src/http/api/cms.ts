import { Type } from '@sinclair/typebox'
import { admit } from '../../access/permission.ts'
import { iso } from '../../clock.ts'
import { check, obj } from '../../schema.ts'
import { ItemQuery, listItems } from '../../sites/directory.ts'
import { listPosts, PostQuery } from '../../sites/posts.ts'
import type { Runtime } from '../../runtime.ts'
import { forApp } from './app-request.ts'
import { readJson } from '../core/body.ts'
import type { Handler } from '../core/exchange.ts'
import { API_ROOT } from '../core/paths.ts'

/** What apps read of a site: method, path and handler of each route. */
export function cmsRoutes(runtime: Runtime): [string, string, Handler][] {
  return [
    ['ALL', `${API_ROOT}/cms/post/list`, postList(runtime)],
    ['ALL', `${API_ROOT}/directory/item/list`, itemList(runtime)],
  ]
}

const PostList = obj({ project_id: Type.String({ minLength: 1 }), ...PostQuery })

/** `POST /cms/post/list` (spec, Endpoints; details 58) */
function postList(runtime: Runtime): Handler {
  return forApp(
    runtime,
    { method: 'POST', route: '/cms/post/list', scope: 'cms:post:read' },
    async ({ request }, caller) => {
      const { project_id: named, ...query } = check(PostList, await readJson(request))
      const { project_id } = await admit(runtime.store.db, caller, named)
      const posts = await listPosts(runtime.store.db, project_id, query)
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
      return { success: true, data }
    },
  )
}

const ItemList = obj({ project_id: Type.String({ minLength: 1 }), ...ItemQuery })

/** `POST /directory/item/list` (contract section 7) */
function itemList(runtime: Runtime): Handler {
  return forApp(
    runtime,
    { method: 'POST', route: '/directory/item/list', scope: 'directory:items:read' },
    async ({ request }, caller) => {
      const { project_id: named, ...query } = check(ItemList, await readJson(request))
      const { project_id } = await admit(runtime.store.db, caller, named)
      const items = await listItems(runtime.store.db, project_id, query)
      const data = items.map(({ id, directory, title, slug, fields, created_at, updated_at }) => ({
        id,
        directory,
        title,
        slug,
        fields,
        created_on: iso(created_at),
        last_update: iso(updated_at),
      }))
      return { success: true, data }
    },
  )
}
