import type { ProjectId } from '../../ids.ts'
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { admit, requireRole } from '../../access/permission.ts'
import { iso } from '../../clock.ts'
import { getProject } from '../../projects/projects.ts'
import { check, Id, line, name, obj } from '../../schema.ts'
import {
  createItem,
  deleteItem,
  getItem,
  type Item,
  ItemProperties,
  ItemQuery,
  listItems,
  updateItem,
} from '../../sites/directory.ts'
import { type Entry, EntryQuery, listEntries } from '../../sites/entries.ts'
import { createPage, deletePage, getPage, listPages, type Page, readDocument, updatePage } from '../../sites/pages.ts'
import { encodedPath } from '../../sites/paths.ts'
import {
  createPost,
  deletePost,
  getPost,
  listPosts,
  type Post,
  PostFields,
  PostQuery,
  updatePost,
} from '../../sites/posts.ts'
import { getSiteSettings, updateSiteSettings } from '../../sites/settings.ts'
import type { Role } from '../../store/tables/accounts.ts'
import type { Runtime } from '../../runtime.ts'
import { readJson } from '../core/body.ts'
import { type Handler, json } from '../core/exchange.ts'
import { signedIn } from '../core/session-route.ts'

/** A document of 5 MB may be six times as long in the escapes of JSON. */
const PAGE_BODY_BYTES = 32 * 1024 * 1024
const BODY_BYTES = 8 * 1024 * 1024

/** What the dashboard does with a project's site: members look, editors change. Method, path and handler of each route. */
export function siteRoutes(runtime: Runtime): [string, string, Handler][] {
  return [...pageRoutes(runtime), ...postRoutes(runtime), ...itemRoutes(runtime), ...otherRoutes(runtime)]
}

const PAGE_FIELDS = {
  path: Type.String(),
  title: name(300),
  html: Type.String(),
  published: Type.Optional(Type.Boolean()),
}

/** `/project/pages/…` (contract-details 15) */
function pageRoutes(runtime: Runtime): [string, string, Handler][] {
  const { store } = runtime
  const record = async (project_id: ProjectId, page: Page) =>
    pageRecord(runtime, (await getProject(store.db, project_id)).slug, page)
  return [
    [
      'POST',
      '/project/pages/create',
      inProject(
        runtime,
        'editor',
        PAGE_FIELDS,
        async ({ project_id, now }, { html, ...page }) => {
          const document = await readDocument(html)
          const made = await store.write((tx) => createPage(tx, project_id, { ...page, document }, now))
          return { page: { ...(await record(project_id, made)), html: document.html } }
        },
        PAGE_BODY_BYTES,
      ),
    ],
    [
      'POST',
      '/project/pages/list',
      inProject(runtime, 'member', {}, async ({ project_id }) => {
        const { slug } = await getProject(store.db, project_id)
        return { pages: (await listPages(store.db, project_id)).map((page) => pageRecord(runtime, slug, page)) }
      }),
    ],
    [
      'POST',
      '/project/pages/get',
      inProject(runtime, 'member', { page_id: Id }, async ({ project_id }, { page_id }) => {
        const page = await getPage(store.db, project_id, page_id)
        return { page: { ...(await record(project_id, page)), html: page.html } }
      }),
    ],
    [
      'POST',
      '/project/pages/update',
      inProject(
        runtime,
        'editor',
        { page_id: Id, ...optional(PAGE_FIELDS) },
        async ({ project_id, now }, { page_id, html, ...changes }) => {
          const document = html === undefined ? undefined : await readDocument(html)
          const changed = await store.write((tx) =>
            updatePage(tx, { project_id, page_id }, { ...changes, document }, now),
          )
          return {
            page: {
              ...(await record(project_id, changed)),
              html: document?.html ?? (await getPage(store.db, project_id, page_id)).html,
            },
          }
        },
        PAGE_BODY_BYTES,
      ),
    ],
    [
      'POST',
      '/project/pages/delete',
      inProject(runtime, 'editor', { page_id: Id }, async ({ project_id }, { page_id }) => {
        await store.write((tx) => deletePage(tx, project_id, page_id))
        return { success: true }
      }),
    ],
  ]
}

/** `/project/cms/posts/…` */
function postRoutes(runtime: Runtime): [string, string, Handler][] {
  const { store } = runtime
  return [
    [
      'POST',
      '/project/cms/posts/create',
      inProject(runtime, 'editor', PostFields, async ({ project_id, now }, post) => {
        const made = await store.write((tx) => createPost(tx, project_id, post, now))
        return { post: { ...postRecord(made), content: post.content ?? '' } }
      }),
    ],
    [
      'POST',
      '/project/cms/posts/list',
      inProject(runtime, 'member', PostQuery, async ({ project_id }, query) => ({
        posts: (await listPosts(store.db, project_id, query)).map(postRecord),
      })),
    ],
    [
      'POST',
      '/project/cms/posts/get',
      inProject(runtime, 'member', { post_id: Id }, async ({ project_id }, { post_id }) => ({
        post: await wholePost(runtime, project_id, post_id),
      })),
    ],
    [
      'POST',
      '/project/cms/posts/update',
      inProject(
        runtime,
        'editor',
        { post_id: Id, ...optional(PostFields) },
        async ({ project_id, now }, { post_id, ...changes }) => {
          await store.write((tx) => updatePost(tx, { project_id, post_id }, changes, now))
          return { post: await wholePost(runtime, project_id, post_id) }
        },
      ),
    ],
    [
      'POST',
      '/project/cms/posts/delete',
      inProject(runtime, 'editor', { post_id: Id }, async ({ project_id }, { post_id }) => {
        await store.write((tx) => deletePost(tx, project_id, post_id))
        return { success: true }
      }),
    ],
  ]
}

/** `/project/directory/items/…` */
function itemRoutes(runtime: Runtime): [string, string, Handler][] {
  const { store } = runtime
  return [
    [
      'POST',
      '/project/directory/items/create',
      inProject(runtime, 'editor', ItemProperties, async ({ project_id, now }, item) => ({
        item: itemRecord(await store.write((tx) => createItem(tx, project_id, item, now))),
      })),
    ],
    [
      'POST',
      '/project/directory/items/list',
      inProject(runtime, 'member', ItemQuery, async ({ project_id }, query) => ({
        items: (await listItems(store.db, project_id, query)).map(itemRecord),
      })),
    ],
    [
      'POST',
      '/project/directory/items/get',
      inProject(runtime, 'member', { item_id: Id }, async ({ project_id }, { item_id }) => ({
        item: itemRecord(await getItem(store.db, project_id, item_id)),
      })),
    ],
    [
      'POST',
      '/project/directory/items/update',
      inProject(
        runtime,
        'editor',
        { item_id: Id, ...optional(ItemProperties) },
        async ({ project_id, now }, { item_id, ...changes }) => ({
          item: itemRecord(await store.write((tx) => updateItem(tx, { project_id, item_id }, changes, now))),
        }),
      ),
    ],
    [
      'POST',
      '/project/directory/items/delete',
      inProject(runtime, 'editor', { item_id: Id }, async ({ project_id }, { item_id }) => {
        await store.write((tx) => deleteItem(tx, project_id, item_id))
        return { success: true }
      }),
    ],
  ]
}

const SETTINGS = {
  consent_banner: Type.Boolean(),
  consent_message: line(500),
  consent_accept: line(40),
  consent_decline: line(40),
}

/** `/project/form-entries/list` (contract-details 16) and `/project/site-settings/…`. */
function otherRoutes(runtime: Runtime): [string, string, Handler][] {
  const { store, keys } = runtime
  return [
    [
      'POST',
      '/project/form-entries/list',
      inProject(runtime, 'member', EntryQuery, async ({ project_id }, query) => {
        const { items, next_cursor } = await listEntries(store.db, keys, project_id, query)
        return { items: items.map(entryRecord), next_cursor }
      }),
    ],
    [
      'POST',
      '/project/site-settings/get',
      inProject(runtime, 'member', {}, async ({ project_id }) => ({
        settings: await getSiteSettings(store.db, project_id),
      })),
    ],
    [
      'POST',
      '/project/site-settings/update',
      inProject(runtime, 'administrator', optional(SETTINGS), async ({ project_id, now }, changes) => ({
        settings: await store.write((tx) => updateSiteSettings(tx, project_id, changes, now)),
      })),
    ],
  ]
}

/** A route about the project that the body names, for its members from a role on. */
function inProject<P extends TProperties>(
  runtime: Runtime,
  role: Role,
  properties: P,
  run: (admitted: { project_id: ProjectId; now: number }, input: Static<TObject<P>>) => Promise<object>,
  max = BODY_BYTES,
): Handler {
  const schema = obj({ project_id: Type.String({ minLength: 1 }), ...properties })
  return signedIn(runtime, async ({ request, now }, caller) => {
    const { project_id: named, ...input } = check(schema, await readJson(request, max)) as unknown as Static<
      TObject<P>
    > & { project_id: string }
    const admitted = await admit(runtime.store.db, caller, named)
    requireRole(admitted.role, role)
    return json(200, await run({ project_id: admitted.project_id, now }, input as unknown as Static<TObject<P>>))
  })
}

/** The same properties, none of them required. */
function optional<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties)).properties
}

function pageRecord(runtime: Runtime, slug: string, { id, path, title, published, created_at, updated_at }: Page) {
  return {
    id,
    path,
    title,
    published,
    url: `${runtime.base_url}/sites/${slug}${encodedPath(path)}`,
    created_on: iso(created_at),
    last_update: iso(updated_at),
  }
}

async function wholePost(runtime: Runtime, project_id: ProjectId, post_id: number) {
  const post = await getPost(runtime.store.db, project_id, post_id)
  return { ...postRecord(post), content: post.content }
}

function postRecord({ id, title, slug, status, author, category, excerpt, word_count, created_at, updated_at }: Post) {
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
    excerpt,
  }
}

function itemRecord({ id, directory, title, slug, fields, created_at, updated_at }: Item) {
  return { id, directory, title, slug, fields, created_on: iso(created_at), last_update: iso(updated_at) }
}

function entryRecord({ id, form, fields, created_at }: Entry) {
  return { id, form, fields, created_on: iso(created_at) }
}
