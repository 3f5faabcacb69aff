import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import { notFound } from '../../errors.ts'
import { read } from '../../operation/declare.ts'
import { enumOf, exactlyOneOf, Id, line, obj } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { projects } from '../../store/tables/accounts.ts'
import { contacts, custom_fields } from '../../store/tables/audience.ts'
import { getSettings, type NewsletterSettings } from '../connections/settings.operations.ts'
import { checkDocument, type EmailDocument } from '../email/document.ts'
import { SAMPLE_VALUES } from '../email/merge-tags.ts'
import { type CompiledEmail, compileEmail, type FilledEmail, fillEmail, sizeBytes } from '../email/render.ts'
import { WARNING_CODES } from '../email/warnings.ts'
import { type Addressee, brandOf, commonValues, personalValues } from './content.ts'
import { EditorJson } from '../templates/editor-json.ts'
import { newestPosts } from '../templates/posts.ts'
import { getCampaign } from './resource.ts'
import { findTemplate, TemplateId } from '../templates/templates.operations.ts'

const DRAFT = exactlyOneOf('campaign_id', 'template_id', 'editor_json')

export const render = read({
  path: '/render',
  scope: 'read',
  summary:
    'Draws a campaign, a template or a document as a recipient would see it. Its links to this service are samples that change nothing.',
  request: obj(
    {
      campaign_id: Type.Optional(Id),
      template_id: Type.Optional(TemplateId),
      editor_json: Type.Optional(EditorJson),
      subject: Type.Optional(line(300, { description: "In place of the campaign's or the template's." })),
      preheader: Type.Optional(line(300, { description: "In place of the campaign's." })),
      contact_id: Type.Optional(Id),
    },
    DRAFT.keywords,
  ),
  response: obj({
    subject: Type.String(),
    html: Type.String(),
    text: Type.String(),
    size_bytes: Type.Integer({ minimum: 0, description: 'Of the HTML.' }),
    warnings: Type.Array(
      obj({ code: enumOf(WARNING_CODES), message: Type.String(), block_id: Type.Optional(Type.String()) }),
    ),
  }),
  async run({ contact_id, subject, preheader, ...named }, { db, project_id, base_url, now }) {
    const draft = await draftOf(db, { project_id, base_url }, named)
    const owner = await ownerOf(db, project_id)
    const email = compileEmail({
      document: draft.document,
      subject: subject ?? draft.subject,
      preheader: preheader ?? draft.preheader,
      brand: brandOf(owner.project, owner.settings),
      locale: owner.settings.locale,
      posts: await newestPosts(db, draft.document, { ...owner, base_url }),
      custom_fields: await customFieldKeys(db, project_id),
    })
    const filled = await fillSample(db, email, owner, contact_id, now)
    return { ...filled, size_bytes: sizeBytes(filled.html), warnings: email.warnings }
  },
})

/** Whose messages are drawn. */
export interface Owner {
  project: typeof projects.$inferSelect
  settings: NewsletterSettings
}

export async function ownerOf(db: Reader, project_id: ProjectId): Promise<Owner> {
  const [project] = await db.select().from(projects).where(eq(projects.id, project_id))
  if (!project) throw notFound('project')
  return { project, settings: await getSettings(db, project_id) }
}

/**
 * A message filled for a contact of the project, or with sample values. Links to this service are samples in both
 * cases: nobody is unsubscribed by a preview. Throws NOT_FOUND for a contact that is not the project's.
 */
export async function fillSample(
  db: Reader,
  email: CompiledEmail,
  owner: Owner,
  contact_id: number | undefined,
  now: number,
): Promise<FilledEmail> {
  const contact = contact_id === undefined ? null : await getAddressee(db, owner.project.id, contact_id)
  return fillEmail(email, {
    ...SAMPLE_VALUES,
    ...commonValues(owner, now),
    ...(contact ? personalValues(contact) : {}),
  })
}

interface Named {
  campaign_id?: number
  template_id?: TemplateId
  editor_json?: unknown
}

interface Draft {
  document: EmailDocument
  subject: string
  preheader: string
}

/** The named campaign, template or document. VALIDATION_FAILED for none or several. */
async function draftOf(db: Reader, place: { project_id: ProjectId; base_url: string }, named: Named): Promise<Draft> {
  const draft = DRAFT.of(named)
  if ('campaign_id' in draft) {
    const campaign = await getCampaign(db, place.project_id, draft.campaign_id)
    return { document: campaign.editor_json as EmailDocument, subject: campaign.subject, preheader: campaign.preheader }
  }
  if ('editor_json' in draft)
    return { document: checkDocument(draft.editor_json, '/editor_json'), subject: '', preheader: '' }
  const template = await findTemplate(db, place, draft.template_id)
  return { document: template.editor_json, subject: template.subject, preheader: '' }
}

async function customFieldKeys(db: Reader, project_id: ProjectId): Promise<string[]> {
  const rows = await db
    .select({ key: custom_fields.key })
    .from(custom_fields)
    .where(eq(custom_fields.project_id, project_id))
  return rows.map(({ key }) => key)
}

async function getAddressee(db: Reader, project_id: ProjectId, contact_id: number): Promise<Addressee> {
  const { id, email, first_name, last_name, custom_fields } = contacts
  const [contact] = await db
    .select({ id, email, first_name, last_name, custom_fields })
    .from(contacts)
    .where(and(eq(id, contact_id), eq(contacts.project_id, project_id)))
  if (!contact) throw notFound('contact', '/contact_id')
  return contact
}
