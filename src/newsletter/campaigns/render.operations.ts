import { Type } from '@sinclair/typebox'
import { read } from '../../operation/declare.ts'
import { enumOf, Id, line, obj } from '../../schema.ts'
import { EditorJson } from '../email/document.ts'
import { withoutMarks } from '../email/marks.ts'
import { sizeBytes } from '../email/render.ts'
import { WARNING_CODES } from '../email/warnings.ts'
import { newestPosts } from '../templates/posts.ts'
import { TemplateId } from '../templates/templates.operations.ts'
import { compileAside, isSmall } from './compile-task.ts'
import { brandOf, sendingProject } from './content.ts'
import { siteLinks, siteWarnings } from './site-links.ts'
import { customFieldKeys, fillSample, PREVIEW_SOURCE, previewOf } from './preview.ts'

/** Units of quota for a large document. An editor's preview of a small one takes one unit. */
const LARGE_COST = 5

export const render = read({
  path: '/render',
  scope: 'read',
  cost: ({ editor_json }) => (editor_json !== undefined && isSmall(editor_json) ? 1 : LARGE_COST),
  summary:
    'Renders a campaign, a template or a document as a recipient would see it. ' +
    'Links to this service are samples and change nothing.',
  request: obj(
    {
      campaign_id: Type.Optional(Id),
      template_id: Type.Optional(TemplateId),
      editor_json: Type.Optional(EditorJson),
      subject: Type.Optional(line(300, { description: "Replaces the campaign's or the template's subject." })),
      preheader: Type.Optional(line(300, { description: "Replaces the campaign's preheader." })),
      contact_id: Type.Optional(Id),
      mark_blocks: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether the outermost cells of each block carry `data-block` with the block's id.",
        }),
      ),
    },
    PREVIEW_SOURCE.keywords,
  ),
  response: obj({
    subject: Type.String(),
    html: Type.String(),
    text: Type.String(),
    size_bytes: Type.Integer({ minimum: 0, description: 'Size of the HTML in bytes, without `data-block`.' }),
    warnings: Type.Array(
      obj({ code: enumOf(WARNING_CODES), message: Type.String(), block_id: Type.Optional(Type.String()) }),
    ),
  }),
  async run({ contact_id, subject, preheader, mark_blocks, ...source }, { db, store, project_id, base_url, now }) {
    const preview = await previewOf(db, { project_id, base_url }, source)
    const sender = await sendingProject(db, project_id)
    const email = await compileAside(store, {
      project_id,
      source: {
        document: preview.document,
        subject: subject ?? preview.subject,
        preheader: preheader ?? preview.preheader,
        brand: brandOf(sender.project, sender.settings),
        locale: sender.settings.locale,
        posts: await newestPosts(db, preview.document, { ...sender, base_url }),
        custom_fields: await customFieldKeys(db, project_id),
        mark_blocks,
        find_samples: preview.is_own,
      },
      utm: null,
    })
    const site = preview.is_own ? await siteLinks(db, { ...sender, base_url }, email) : null
    const filled = await fillSample(db, email, { ...sender, contact_id, timezone: preview.timezone, now })
    return {
      ...filled,
      size_bytes: sizeBytes(mark_blocks ? withoutMarks(filled.html) : filled.html),
      warnings: [...email.warnings, ...(site ? siteWarnings(preview.document, site) : [])],
    }
  },
})
