import { Type } from '@sinclair/typebox'
import { type Changed, Editor, findEditor } from '../../../access/editor.ts'
import { iso } from '../../../clock.ts'
import type { ProjectId } from '../../../ids.ts'
import { getProject } from '../../../projects/projects.ts'
import { Id, name, nullable, obj, prose, ruled, Timestamp } from '../../../schema.ts'
import { ExpectedUpdatedAt, requireUnchanged } from '../../../operation/unchanged.ts'
import { addressBySlug } from '../../../sites/addresses.ts'
import {
  createPage,
  deletePage,
  getPage,
  listPages,
  type HostedPage,
  readDocument,
  updatePage,
  MAX_PAGE_BYTES,
} from '../../../sites/pages.ts'
import { PAGE_PATH } from '../../../sites/paths.ts'
import type { Reader } from '../../../store/open.ts'
import { route } from '../../core/route.ts'
import { optional, Success } from '../../core/schemas.ts'

/** Room for the largest page: escaped in JSON it can be six times as long. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

const PAGE_FIELDS = {
  path: ruled(Type.String(), { pattern: PAGE_PATH }),
  title: name(300),
  html: ruled(Type.String(), prose(MAX_PAGE_BYTES)),
  published: Type.Optional(Type.Boolean()),
}
const PageRecord = obj({
  id: Id,
  path: Type.String(),
  title: Type.String(),
  published: Type.Boolean(),
  url: Type.String(),
  created_on: Timestamp,
  last_update: Timestamp,
})
const WholePage = obj({ ...PageRecord.properties, html: Type.String() })

/** `/project/pages/…` (docs/api/sites.md#hosted-pages). */
export const sitePageRoutes = [
  route({
    method: 'POST',
    path: '/project/pages/create',
    summary: 'Creates a page.',
    auth: 'session',
    role: 'editor',
    audit: { target: { answer: 'page' } },
    body: obj(PAGE_FIELDS),
    max_body: MAX_BODY_BYTES,
    response: obj({ page: WholePage }),
    errors: ['CONFLICT', 'INVALID_STATE'],
    prepare: ({ html }) => readDocument(html),
    async write({ html: _, ...fields }, { tx, project_id, base_url, now }, document) {
      const page = await createPage(tx, project_id, { ...fields, document }, now)
      return { page: { ...(await recordIn(tx, { base_url, project_id }, page)), html: document.html } }
    },
  }),

  route({
    method: 'POST',
    path: '/project/pages/list',
    summary: 'The pages of the project, without their text.',
    auth: 'session',
    role: 'member',
    response: obj({ pages: Type.Array(PageRecord) }),
    async read(_, { db, project_id, base_url }) {
      const { slug } = await getProject(db, project_id)
      return { pages: (await listPages(db, project_id)).map((page) => pageRecord(base_url, slug, page)) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/pages/get',
    summary: 'One page with its text.',
    auth: 'session',
    role: 'member',
    body: obj({ page_id: Id }),
    response: obj({ page: obj({ ...WholePage.properties, updated_by: nullable(Editor) }) }),
    errors: ['NOT_FOUND'],
    async read({ page_id }, { db, project_id, base_url }) {
      const page = await getPage(db, project_id, page_id)
      const updated_by = await findEditor(db, changeOf(project_id, page))
      return { page: { ...(await recordIn(db, { base_url, project_id }, page)), html: page.html, updated_by } }
    },
  }),

  route({
    method: 'POST',
    path: '/project/pages/update',
    summary: 'Changes a page.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'page', input: 'page_id' }, changes: true },
    body: obj({ page_id: Id, ...optional(PAGE_FIELDS), expected_updated_at: Type.Optional(ExpectedUpdatedAt) }),
    max_body: MAX_BODY_BYTES,
    response: obj({ page: WholePage }),
    errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_STATE'],
    prepare: async ({ html }) => (html === undefined ? undefined : readDocument(html)),
    async write({ page_id, html: _, expected_updated_at, ...fields }, { tx, project_id, base_url, now }, document) {
      if (expected_updated_at !== undefined)
        await requireUnchanged(tx, expected_updated_at, changeOf(project_id, await getPage(tx, project_id, page_id)))
      const page = await updatePage(tx, { project_id, page_id }, { ...fields, document }, now)
      const html = document?.html ?? (await getPage(tx, project_id, page_id)).html
      return { page: { ...(await recordIn(tx, { base_url, project_id }, page)), html } }
    },
  }),

  route({
    method: 'POST',
    path: '/project/pages/delete',
    summary: 'Deletes a page.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'page', input: 'page_id' } },
    body: obj({ page_id: Id }),
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ page_id }, { tx, project_id }) => deletePage(tx, project_id, page_id),
  }),
]

/** A page's last change, as the audit log knows it. */
function changeOf(project_id: ProjectId, { id, updated_at }: HostedPage): Changed {
  return { project_id, target: `page:${id}`, updated_at }
}

async function recordIn(db: Reader, within: { base_url: string; project_id: ProjectId }, page: HostedPage) {
  return pageRecord(within.base_url, (await getProject(db, within.project_id)).slug, page)
}

function pageRecord(base_url: string, slug: string, page: HostedPage) {
  const { id, path, title, published, created_at, updated_at } = page
  return {
    id,
    path,
    title,
    published,
    url: addressBySlug(base_url, slug, path),
    created_on: iso(created_at),
    last_update: iso(updated_at),
  }
}
