import { Type } from '@sinclair/typebox'
import { iso } from '../../../clock.ts'
import { enumOf, nullable, obj, prose, ruled, Timestamp } from '../../../schema.ts'
import { tryTemplate } from '../../../sites/site-posts.ts'
import {
  listTemplates,
  MAX_TEMPLATE_BYTES,
  resetTemplate,
  setTemplate,
  type SiteTemplate,
} from '../../../sites/site-templates.ts'
import { TEMPLATE_KINDS } from '../../../store/tables/sites.ts'
import { route } from '../../core/route.ts'

const Kind = enumOf(TEMPLATE_KINDS, { description: 'A post, or the list of posts.' })
const TemplateRecord = obj({
  kind: Kind,
  html: Type.String(),
  is_default: Type.Boolean(),
  last_update: nullable(Timestamp),
})
const Given = obj({ kind: Kind, html: ruled(prose(300_000, { min: 1 }), { maxLength: MAX_TEMPLATE_BYTES }) })
/** A template has at most 256 KiB, which JSON may escape. */
const MAX_BODY_BYTES = 2 * 1024 * 1024
const OneTemplate = obj({ template: TemplateRecord })

/** `/project/site-templates/…` (docs/api/sites.md#templates). */
export const siteTemplateRoutes = [
  route({
    method: 'POST',
    path: '/project/site-templates/list',
    summary: 'The HTML in which the site shows its posts.',
    auth: 'session',
    role: 'member',
    response: obj({ templates: Type.Array(TemplateRecord) }),
    read: async (_, { db, project_id }) => ({ templates: (await listTemplates(db, project_id)).map(record) }),
  }),

  route({
    method: 'POST',
    path: '/project/site-templates/update',
    summary: "Sets the project's own HTML for a post or the list of posts.",
    auth: 'session',
    role: 'editor',
    audit: { target: 'project', changes: true },
    body: Given,
    max_body: MAX_BODY_BYTES,
    response: OneTemplate,
    write: async (given, { tx, project_id, now }) => ({
      template: record(await setTemplate(tx, project_id, given, now)),
    }),
  }),

  route({
    method: 'POST',
    path: '/project/site-templates/preview',
    summary: 'Shows the newest post or the list of posts in HTML that is not saved.',
    auth: 'session',
    role: 'editor',
    body: Given,
    max_body: MAX_BODY_BYTES,
    response: obj({ html: Type.String() }),
    read: async ({ kind, html }, { store, base_url, project_id }) => ({
      html: await tryTemplate({ store, base_url, project_id, by_slug: true }, kind, html),
    }),
  }),

  route({
    method: 'POST',
    path: '/project/site-templates/reset',
    summary: "Goes back to the product's HTML.",
    auth: 'session',
    role: 'editor',
    audit: { target: 'project' },
    body: obj({ kind: Kind }),
    response: OneTemplate,
    write: async ({ kind }, { tx, project_id }) => ({ template: record(await resetTemplate(tx, project_id, kind)) }),
  }),
]

function record({ kind, html, updated_at }: SiteTemplate) {
  return { kind, html, is_default: updated_at === null, last_update: updated_at === null ? null : iso(updated_at) }
}
